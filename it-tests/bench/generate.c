// Sends commands to a Redis-compatible server on this machine, checks every reply, and prints what it measured. One
// thread, made to cost less processor time than the server does; what both cost is read from the kernel's clocks.
//
//   generate --port 7000 [--pid 123] [--connections 50] [--pipelining 16] [--warm-up 0.3] [--seconds 1.5]
//     [--rate 100000] [--first 0] script
//
// A script is one command or several, parted by ';', each preceded by the reply that must come:
//
//   +OK SET k v              exactly this line
//   '$64' GET k              a string of 64 bytes
//   :0..1 BF.EXISTS f x      a number from 0 to 1
//   '*100:0..1' BF.MEXISTS f 'item{random:1000}*100'       100 such numbers, here for 100 arguments
//
// In an argument, {random:n} stands for a number below n, {key:n} for one from 1 to n, the same in the whole script,
// {next} for the next number, counted up from --first; each is written as ten digits.
//
// Without a rate each connection sends the script as often as the pipelining says and sends it again when all replies
// are there (closed loop; a time is from the sending to the reply). With a rate the scripts are due at equal intervals,
// whether or not the server keeps up, and a time is from when the script was due: no pause of the server is left out.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
  MAX_COMMANDS = 8,
  MAX_FIELDS = 4096,
  SCRIPT_BYTES = 1 << 20,
  DIGITS = 10,
  INPUT_BYTES = 1 << 18,
  REST_BYTES = 4096, // the longest reply that must be in memory at once
  EVENTS = 512,
  IN_FLIGHT = 4096, // scripts on one connection that wait for replies, at a fixed rate
};

static const double SECOND = 1e9;

static void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  exit(1);
}

// --- clocks

static uint64_t clock_nanos(clockid_t clock) {
  struct timespec t;
  return clock_gettime(clock, &t) ? 0 : t.tv_sec * 1000000000ull + t.tv_nsec;
}

static uint64_t now_nanos(void) { return clock_nanos(CLOCK_MONOTONIC); }

// Processor time of all threads of the process, those of the kernel that work for it (io_uring's) included.
static uint64_t process_nanos(pid_t pid) {
  clockid_t clock;
  return pid == 0 || clock_getcpuclockid(pid, &clock) ? 0 : clock_nanos(clock);
}

// --- histogram: 64 steps in each power of two, so a value is at most 1.6 % off

enum { STEP_BITS = 6, STEPS = 1 << STEP_BITS, BUCKETS = 60 * STEPS };

static uint64_t histogram[BUCKETS];

static int bucket_of(uint64_t nanos) {
  if (nanos < STEPS) return nanos;
  int shift = 63 - __builtin_clzll(nanos) - STEP_BITS;
  return (shift << STEP_BITS) + (nanos >> shift);
}

static double bucket_micros(int bucket) {
  if (bucket < STEPS) return bucket / 1e3;
  int shift = (bucket >> STEP_BITS) - 1;
  return ((double)(bucket - (shift << STEP_BITS)) + 0.5) * (1ull << shift) / 1e3;
}

static uint64_t histogram_count(void) {
  uint64_t sum = 0;
  for (int i = 0; i < BUCKETS; i++) sum += histogram[i];
  return sum;
}

static double percentile_micros(double part) {
  uint64_t needed = part * histogram_count(), sum = 0;
  for (int i = 0; i < BUCKETS; i++) {
    sum += histogram[i];
    if (sum >= needed && sum > 0) return bucket_micros(i);
  }
  return 0;
}

// --- the script

enum number_kind { RANDOM, KEY, NEXT };

struct field { // a number to be written into the script's bytes
  enum number_kind kind;
  uint64_t below;
  int offset;
};

struct expected { // what a command's reply must be
  char header[64]; // the whole reply, the header of a string or array, or empty
  int header_length;
  int body; // bytes that follow the header, unchecked, of a string
  int numbers; // lines with a number that follow the header
  int64_t least, most;
  uint64_t replies;
  double sum;
};

static char script[SCRIPT_BYTES];
static int script_length;
static struct field fields[MAX_FIELDS];
static int field_count;
static struct expected expected[MAX_COMMANDS];
static int command_count;

static void put(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  script_length += vsnprintf(script + script_length, SCRIPT_BYTES - script_length, format, arguments);
  va_end(arguments);
  if (script_length >= SCRIPT_BYTES) fail("the script is too long");
}

static void parse_expected(const char *text) {
  if (command_count == MAX_COMMANDS) fail("too many commands");
  struct expected *e = &expected[command_count++];
  long long least, most;
  if (sscanf(text, "*%d:%lld..%lld", &e->numbers, &least, &most) == 3) {
    e->header_length = sprintf(e->header, "*%d\r\n", e->numbers);
  } else if (sscanf(text, ":%lld..%lld", &least, &most) == 2) {
    e->numbers = 1;
  } else {
    e->header_length = snprintf(e->header, sizeof e->header, "%s\r\n", text);
    if (text[0] == '$') e->body = atoi(text + 1) + 2;
    return;
  }
  e->least = least;
  e->most = most;
}

static void parse_field(const char *text, int offset) {
  struct field *f = &fields[field_count++];
  if (field_count == MAX_FIELDS) fail("too many numbers in the script");
  unsigned long long below = 0;
  if (sscanf(text, "{random:%llu}", &below) == 1) {
    f->kind = RANDOM;
  } else if (sscanf(text, "{key:%llu}", &below) == 1) {
    f->kind = KEY;
  } else if (strncmp(text, "{next}", 6) == 0) {
    f->kind = NEXT;
  } else {
    fail("what is %s?", text);
  }
  f->below = below;
  f->offset = offset;
}

static void put_argument(const char *text, int length) {
  const char *open = memchr(text, '{', length);
  if (open == NULL) {
    put("$%d\r\n%.*s\r\n", length, length, text);
    return;
  }
  const char *close = strchr(open, '}');
  if (close == NULL) fail("a } is missing in %s", text);
  int before = open - text, after = text + length - (close + 1);
  put("$%d\r\n%.*s", before + DIGITS + after, before, text);
  parse_field(open, script_length);
  put("%0*d%.*s\r\n", DIGITS, 0, after, close + 1);
}

// How often an argument is repeated: text*100.
static int repetitions(const char *text, int *length) {
  const char *star = strrchr(text, '*');
  *length = star == NULL || star == text ? (int)strlen(text) : (int)(star - text);
  return star == NULL || star == text ? 1 : atoi(star + 1);
}

static void parse_command(char **words, int count) {
  if (count < 2) fail("a command and its reply are missing");
  parse_expected(words[0]);
  int arguments = 0, length;
  for (int i = 1; i < count; i++) arguments += repetitions(words[i], &length);
  put("*%d\r\n", arguments);
  for (int i = 1; i < count; i++) {
    for (int n = repetitions(words[i], &length); n > 0; n--) put_argument(words[i], length);
  }
}

static void parse_script(char **words, int count) {
  for (int from = 0; from < count;) {
    int to = from;
    while (to < count && strcmp(words[to], ";") != 0) to++;
    parse_command(words + from, to - from);
    from = to + 1;
  }
  if (command_count == 0) fail("no script");
}

// --- numbers

static uint64_t random_state;
static uint64_t next_number;

static uint64_t random_below(uint64_t bound) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (unsigned __int128)random_state * bound >> 64;
}

static char digit_pairs[200];

static void prepare_digits(void) {
  for (int i = 0; i < 100; i++) {
    digit_pairs[2 * i] = '0' + i / 10;
    digit_pairs[2 * i + 1] = '0' + i % 10;
  }
}

static void write_digits(char *to, uint64_t number) {
  for (int i = DIGITS - 2; i >= 0; i -= 2) {
    memcpy(to + i, digit_pairs + 2 * (number % 100), 2);
    number /= 100;
  }
}

static void fill_in(char *bytes) {
  uint64_t key = 0;
  for (int i = 0; i < field_count; i++) {
    struct field *f = &fields[i];
    uint64_t number;
    if (f->kind == NEXT) {
      number = next_number++;
    } else if (f->kind == RANDOM) {
      number = random_below(f->below);
    } else {
      number = key = key ? key : 1 + random_below(f->below);
    }
    write_digits(bytes + f->offset, number);
  }
}

// --- connections

struct connection {
  int socket;
  char *output; // scripts that are not sent yet
  int sent, written;
  uint64_t *due; // ring of the times that replies are measured from
  uint32_t first_due, last_due;
  int command; // of the script, whose reply is being read
  int header_seen, numbers_seen; // of that reply
  char rest[REST_BYTES]; // the begin of a reply whose end has not come yet
  int rest_length;
};

static struct connection *connections;
static int connection_count = 1, pipelining = 1, capacity;
static uint64_t scripts_done, measure_from = UINT64_MAX;

static int connect_to(int port) {
  int s = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(s, (struct sockaddr *)&address, sizeof address)) fail("connect to port %d: %s", port, strerror(errno));
  setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  fcntl(s, F_SETFL, O_NONBLOCK);
  return s;
}

static void open_connections(int port, int epoll) {
  connections = calloc(connection_count, sizeof *connections);
  for (int i = 0; i < connection_count; i++) {
    struct connection *c = &connections[i];
    c->socket = connect_to(port);
    c->output = malloc((size_t)capacity * script_length);
    c->due = malloc(capacity * sizeof *c->due);
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.ptr = c};
    epoll_ctl(epoll, EPOLL_CTL_ADD, c->socket, &event);
  }
}

static uint32_t in_flight(const struct connection *c) { return c->last_due - c->first_due; }

static void make_room(struct connection *c) {
  if (c->sent == 0 || c->written + script_length <= capacity * script_length) return;
  memmove(c->output, c->output + c->sent, c->written - c->sent);
  c->written -= c->sent;
  c->sent = 0;
}

static void append_script(struct connection *c, uint64_t due) {
  make_room(c);
  char *to = c->output + c->written;
  memcpy(to, script, script_length);
  fill_in(to);
  c->written += script_length;
  c->due[c->last_due++ % capacity] = due;
}

static void send_output(struct connection *c) {
  while (c->sent < c->written) {
    ssize_t n = send(c->socket, c->output + c->sent, c->written - c->sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EAGAIN) return;
    if (n < 0) fail("send: %s", strerror(errno));
    c->sent += n;
  }
  c->sent = c->written = 0;
}

static void send_batch(struct connection *c, uint64_t now) {
  for (int i = 0; i < pipelining; i++) append_script(c, now);
  send_output(c);
}

static void script_answered(struct connection *c, uint64_t now) {
  uint64_t due = c->due[c->first_due++ % capacity];
  if (due >= measure_from) {
    histogram[bucket_of(now - due)]++;
    scripts_done++;
  }
}

// --- replies. A reader returns where it stopped, or NULL where the rest has not come yet.

static void refuse(const struct connection *c, const char *from, const char *end) {
  int length = end - from < 100 ? end - from : 100;
  fail("wrong reply to command %d of the script: %.*s", c->command + 1, length, from);
}

static const char *read_header(struct connection *c, struct expected *e, const char *from, const char *end) {
  int available = end - from < e->header_length ? end - from : e->header_length;
  if (memcmp(from, e->header, available) != 0) refuse(c, from, end);
  if (end - from < e->header_length + e->body) return NULL;
  c->header_seen = 1;
  return from + e->header_length + e->body;
}

static const char *read_number(struct connection *c, struct expected *e, const char *from, const char *end) {
  const char *at = from + 1;
  int64_t number = 0;
  while (at < end && *at >= '0' && *at <= '9') number = number * 10 + (*at++ - '0');
  if (from < end && *from != ':') refuse(c, from, end);
  if (end - at < 2) return NULL;
  if (*at != '\r' || number < e->least || number > e->most) refuse(c, from, end);
  c->numbers_seen++;
  e->sum += number;
  return at + 2;
}

static const char *read_reply(struct connection *c, const char *from, const char *end, uint64_t now) {
  struct expected *e = &expected[c->command];
  if (!c->header_seen && (from = read_header(c, e, from, end)) == NULL) return NULL;
  while (c->numbers_seen < e->numbers) {
    const char *next = read_number(c, e, from, end);
    if (next == NULL) return from;
    from = next;
  }
  e->replies++;
  c->header_seen = c->numbers_seen = 0;
  if (++c->command == command_count) {
    c->command = 0;
    script_answered(c, now);
  }
  return from;
}

static void read_replies(struct connection *c, const char *from, const char *end, uint64_t now) {
  while (from < end) {
    const char *next = read_reply(c, from, end, now);
    if (next == NULL || next == from) break;
    from = next;
  }
  c->rest_length = end - from;
  if (c->rest_length > REST_BYTES) refuse(c, from, end);
  memcpy(c->rest, from, c->rest_length);
}

static void receive(struct connection *c) {
  static char input[REST_BYTES + INPUT_BYTES];
  for (;;) {
    memcpy(input, c->rest, c->rest_length);
    ssize_t n = recv(c->socket, input + c->rest_length, INPUT_BYTES, 0);
    if (n < 0 && errno == EAGAIN) return;
    if (n <= 0) fail("the server closed the connection");
    read_replies(c, input, input + c->rest_length + n, now_nanos());
    if (n < INPUT_BYTES) return;
  }
}

// --- the run

struct usage { // processor time
  uint64_t nanos, server, own;
};

static pid_t server_pid;

static struct usage usage(void) {
  return (struct usage){now_nanos(), process_nanos(server_pid), clock_nanos(CLOCK_PROCESS_CPUTIME_ID)};
}

static void wait_for_events(int epoll, int timeout_ms, int closed_loop) {
  static struct epoll_event events[EVENTS];
  int count = epoll_wait(epoll, events, EVENTS, timeout_ms);
  for (int i = 0; i < count; i++) {
    struct connection *c = events[i].data.ptr;
    send_output(c);
    if (events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)) receive(c);
    if (closed_loop && in_flight(c) == 0) send_batch(c, now_nanos());
  }
}

// All that was sent by now must be answered by then.
static void drain(int epoll, uint64_t latest) {
  for (int i = 0; i < connection_count; i++) {
    while (in_flight(&connections[i]) > 0) {
      if (now_nanos() > latest) fail("replies are missing");
      wait_for_events(epoll, 10, 0);
    }
  }
}

// What came before is forgotten.
static struct usage begin_measuring(void) {
  for (int i = 0; i < command_count; i++) expected[i].replies = expected[i].sum = 0;
  return usage();
}

static struct usage run_closed(int epoll, uint64_t measure_at, uint64_t end) {
  struct usage before = {0};
  for (int i = 0; i < connection_count; i++) send_batch(&connections[i], now_nanos());
  while (now_nanos() < measure_at) wait_for_events(epoll, 100, 1);
  before = begin_measuring();
  measure_from = 1; // a script that was under way counts, as one does not that is at the end
  while (now_nanos() < end || scripts_done == 0) wait_for_events(epoll, 100, 1);
  return before;
}

// Waits by looking, not by sleeping: being woken takes longer than a command does.
static struct usage run_at_rate(int epoll, double rate, uint64_t start, uint64_t measure_at, uint64_t end) {
  struct usage before = {0};
  uint64_t sent = 0, due = start;
  measure_from = measure_at;
  while (due < end) {
    struct connection *c = &connections[sent / pipelining % connection_count];
    for (uint64_t now = now_nanos(); due <= now && due < end && in_flight(c) < (uint32_t)capacity;) {
      append_script(c, due);
      due = start + ++sent / rate * SECOND;
      if (sent % pipelining == 0) {
        send_output(c);
        c = &connections[sent / pipelining % connection_count];
      }
    }
    send_output(c);
    wait_for_events(epoll, 0, 0);
    if (before.nanos == 0 && now_nanos() >= measure_at) before = begin_measuring();
  }
  drain(epoll, end + 10 * SECOND);
  return before;
}

static void report(struct usage before, struct usage after) {
  uint64_t done = scripts_done * command_count;
  if (done == 0) fail("nothing was answered");
  printf("commands=%lu seconds=%.6f", done, (after.nanos - before.nanos) / SECOND);
  printf(" p50=%.2f p99=%.2f p999=%.2f max=%.2f", percentile_micros(0.5), percentile_micros(0.99),
         percentile_micros(0.999), percentile_micros(1));
  printf(" server_us=%.5f own_us=%.5f", (after.server - before.server) / 1e3 / done,
         (after.own - before.own) / 1e3 / done);
  printf(" next=%lu means=", next_number);
  for (int i = 0; i < command_count; i++) {
    struct expected *e = &expected[i];
    printf("%s%.5f", i ? "," : "", e->numbers && e->replies ? e->sum / e->numbers / e->replies : 0);
  }
  printf("\n");
}

int main(int count, char **words) {
  int port = 0, i = 1;
  double warm_up = 0.3, seconds = 1.5, rate = 0;
  for (; i + 1 < count && strncmp(words[i], "--", 2) == 0; i += 2) {
    const char *value = words[i + 1];
    if (strcmp(words[i], "--port") == 0) port = atoi(value);
    else if (strcmp(words[i], "--pid") == 0) server_pid = atoi(value);
    else if (strcmp(words[i], "--connections") == 0) connection_count = atoi(value);
    else if (strcmp(words[i], "--pipelining") == 0) pipelining = atoi(value);
    else if (strcmp(words[i], "--warm-up") == 0) warm_up = atof(value);
    else if (strcmp(words[i], "--seconds") == 0) seconds = atof(value);
    else if (strcmp(words[i], "--rate") == 0) rate = atof(value);
    else if (strcmp(words[i], "--first") == 0) next_number = strtoull(value, NULL, 10);
    else fail("what is %s?", words[i]);
  }
  alarm(warm_up + seconds + 60); // whatever happens, it ends
  random_state = now_nanos(); // other items in every run
  prepare_digits();
  parse_script(words + i, count - i);
  capacity = rate > 0 ? IN_FLIGHT : pipelining;
  int epoll = epoll_create1(0);
  open_connections(port, epoll);
  uint64_t start = now_nanos(), measure_at = start + warm_up * SECOND, end = measure_at + seconds * SECOND;
  struct usage before = rate > 0 ? run_at_rate(epoll, rate, start, measure_at, end) : run_closed(epoll, measure_at, end);
  report(before, usage());
  return 0;
}
