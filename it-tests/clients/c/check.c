/*
 * hiredis, by its blocking interface. What is printed and read here is told in
 * ../node/subjects.mjs; with PORTEIRO_PROTOCOL=3 the connection speaks RESP3, for which hiredis
 * has to be 1.0 or newer. Debian's 0.14 has no parser for it: there the handshake looks at the
 * bytes of HELLO 3 and of a push as they come.
 */
#include <hiredis/hiredis.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define KEY_BYTES 256
#define BIG_BYTES (1 << 20)
#define MANY 10000

static redisContext *client;
static unsigned char all_bytes[KEY_BYTES];
static jmp_buf failed;
static char failure[1024];
static int failures;

/* ---------------------------------------------------------------- expecting */

static void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(failure, sizeof failure, format, arguments);
  va_end(arguments);
  longjmp(failed, 1);
}

static redisReply *checked(redisContext *c, redisReply *reply) {
  if (reply == NULL) fail("no reply: %s", c->errstr);
  return reply;
}

static redisReply *ask(redisContext *c, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  redisReply *reply = redisvCommand(c, format, arguments);
  va_end(arguments);
  return checked(c, reply);
}

/** An integer, or in RESP3 a boolean. */
static void expect_number(redisReply *reply, long long wanted) {
  if (reply->type == REDIS_REPLY_ERROR) fail("%s instead of %lld", reply->str, wanted);
  if (reply->integer != wanted) fail("%lld instead of %lld", reply->integer, wanted);
  freeReplyObject(reply);
}

static void expect_bytes(redisReply *reply, const void *wanted, size_t length) {
  if (reply->type == REDIS_REPLY_ERROR) fail("%s", reply->str);
  if (reply->str == NULL) fail("a reply of type %d instead of %zu bytes", reply->type, length);
  if (reply->len != length || memcmp(reply->str, wanted, length) != 0) {
    fail("%.100s (%zu bytes) instead of %zu bytes", reply->str, (size_t)reply->len, length);
  }
  freeReplyObject(reply);
}

static void expect_text(redisReply *reply, const char *wanted) {
  if (reply->str == NULL) fail("a reply of type %d instead of %s", reply->type, wanted);
  if (strcmp(reply->str, wanted) != 0) fail("%s instead of %s", reply->str, wanted);
  freeReplyObject(reply);
}

static void expect_error(redisReply *reply, const char *part) {
  if (reply->type != REDIS_REPLY_ERROR) fail("a reply of type %d instead of %s", reply->type, part);
  if (strstr(reply->str, part) == NULL) fail("%s instead of %s", reply->str, part);
  freeReplyObject(reply);
}

static void expect_nil(redisReply *reply) {
  if (reply->type != REDIS_REPLY_NIL) fail("a reply of type %d instead of nil", reply->type);
  freeReplyObject(reply);
}

static void expect_numbers(redisReply *reply, size_t count, const long long *wanted) {
  if (reply->elements != count) fail("%zu elements instead of %zu", (size_t)reply->elements, count);
  for (size_t i = 0; i < count; i++) {
    if (reply->element[i]->integer != wanted[i]) fail("element %zu is not %lld", i, wanted[i]);
  }
  freeReplyObject(reply);
}

/** The value after a name in a map, which in RESP2 is an array of both in turn. */
static redisReply *field(redisReply *map, const char *name) {
  for (size_t i = 0; i + 1 < map->elements; i += 2) {
    if (map->element[i]->str != NULL && strcmp(map->element[i]->str, name) == 0) {
      return map->element[i + 1];
    }
  }
  fail("no field %s", name);
  return NULL;
}

static void expect_field(redisReply *map, const char *name, long long wanted) {
  redisReply *value = field(map, name);
  if (value->integer != wanted) fail("%s is %lld instead of %lld", name, value->integer, wanted);
}

static redisReply *next_reply(redisContext *c) {
  void *reply = NULL;
  if (redisGetReply(c, &reply) != REDIS_OK) fail("no reply: %s", c->errstr);
  return checked(c, reply);
}

static void sleep_ms(long ms) {
  struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&time, NULL);
}

/* ---------------------------------------------------------------- connecting */

static int wants_resp3(void) { return strcmp(getenv("PORTEIRO_PROTOCOL"), "3") == 0; }

static redisContext *open_connection(void) {
  struct timeval limit = {60, 0};
  redisContext *c = redisConnectWithTimeout("127.0.0.1", atoi(getenv("PORTEIRO_PORT")), limit);
  if (c == NULL || c->err) fail("cannot connect: %s", c == NULL ? "no memory" : c->errstr);
  redisSetTimeout(c, limit);
  return c;
}

static void greet(redisContext *c) {
  redisReply *hello = ask(c, "HELLO %s AUTH default %s SETNAME doorman",
      getenv("PORTEIRO_PROTOCOL"), getenv("PORTEIRO_PASSWORD"));
  if (hello->type == REDIS_REPLY_ERROR) fail("%s", hello->str);
  if (strcmp(field(hello, "server")->str, "redis") != 0) fail("not redis");
  if (strcmp(field(hello, "mode")->str, "standalone") != 0) fail("not standalone");
  expect_field(hello, "proto", wants_resp3() ? 3 : 2);
  freeReplyObject(hello);
}

static redisContext *new_client(void) {
  redisContext *c = open_connection();
  greet(c);
  return c;
}

/* ---------------------------------------------------------------- the subjects */

/** Reads `wanted` from the socket, byte for byte. */
static void expect_raw(redisContext *c, const char *wanted) {
  char found[256] = "";
  size_t length = strlen(wanted);
  for (size_t got = 0; got < length;) {
    ssize_t more = read(c->fd, found + got, length - got);
    if (more <= 0) fail("the connection ended after %s", found);
    got += (size_t)more;
  }
  if (memcmp(found, wanted, length) != 0) fail("%s instead of %s", found, wanted);
}

static void send_raw(redisContext *c, const char *command) {
  int done = 0;
  redisAppendCommand(c, command);
  while (!done) {
    if (redisBufferWrite(c, &done) != REDIS_OK) fail("cannot send: %s", c->errstr);
  }
}

static void resp3_by_the_byte(void) {
  redisContext *c = new_client();
  send_raw(c, "HELLO 3");
  expect_raw(c, "%7\r\n$6\r\nserver\r\n$5\r\nredis\r\n$7\r\nversion\r\n");
  redisFree(c);
  c = new_client();
  send_raw(c, "CLIENT REPLY SKIP");
  send_raw(c, "HELLO 3");
  send_raw(c, "SUBSCRIBE raw");
  expect_raw(c, ">3\r\n$9\r\nsubscribe\r\n$3\r\nraw\r\n:1\r\n");
  send_raw(c, "BF.ADD rawFilter x");
  expect_raw(c, "#t\r\n");
  expect_number(ask(client, "PUBLISH raw hello"), 1);
  expect_raw(c, ">3\r\n$7\r\nmessage\r\n$3\r\nraw\r\n$5\r\nhello\r\n");
  redisFree(c);
}

static void handshake(void) {
  expect_text(ask(client, "PING"), "PONG");
  expect_text(ask(client, "CLIENT GETNAME"), "doorman");
  redisContext *stranger = open_connection();
  expect_error(ask(stranger, "GET k"), "NOAUTH");
  expect_error(ask(stranger, "AUTH wrong"), "WRONGPASS");
  expect_text(ask(stranger, "AUTH %s", getenv("PORTEIRO_PASSWORD")), "OK");
  expect_nil(ask(stranger, "GET none"));
  redisFree(stranger);
  resp3_by_the_byte();
}

static void bloom(void) {
  expect_text(ask(client, "BF.RESERVE gate 0.001 1000 EXPANSION 4"), "OK");
  expect_number(ask(client, "BF.ADD gate alice"), 1);
  expect_number(ask(client, "BF.ADD gate alice"), 0);
  expect_numbers(ask(client, "BF.MADD gate alice bob"), 2, (long long[]){0, 1});
  expect_number(ask(client, "BF.EXISTS gate bob"), 1);
  expect_numbers(ask(client, "BF.MEXISTS gate alice carol"), 2, (long long[]){1, 0});
  expect_number(ask(client, "BF.CARD gate"), 2);
  redisReply *info = ask(client, "BF.INFO gate");
  expect_field(info, "Capacity", 1000);
  expect_field(info, "Number of filters", 1);
  expect_field(info, "Number of items inserted", 2);
  expect_field(info, "Expansion rate", 4);
  freeReplyObject(info);
  expect_numbers(ask(client, "BF.INSERT fixed CAPACITY 2 ERROR 0.01 NONSCALING ITEMS x y"), 2,
      (long long[]){1, 1});
  expect_error(ask(client, "BF.ADD fixed z"), "non scaling filter is full");
  info = ask(client, "BF.INFO fixed");
  if (field(info, "Expansion rate")->type != REDIS_REPLY_NIL) fail("a fixed filter expands");
  freeReplyObject(info);
  expect_error(ask(client, "BF.INSERT none NOCREATE ITEMS x"), "not found");
}

static void chunks(void) {
  freeReplyObject(ask(client, "BF.RESERVE source 0.01 100"));
  for (int i = 0; i < 1000; i++) redisAppendCommand(client, "BF.ADD source item%d", i);
  for (int i = 0; i < 1000; i++) freeReplyObject(next_reply(client));
  redisReply *dumped = ask(client, "BF.SCANDUMP source 0");
  while (dumped->element[0]->integer != 0) {
    long long iterator = dumped->element[0]->integer;
    redisReply *chunk = dumped->element[1];
    expect_text(ask(client, "BF.LOADCHUNK target %lld %b", iterator, chunk->str, (size_t)chunk->len), "OK");
    freeReplyObject(dumped);
    dumped = ask(client, "BF.SCANDUMP source %lld", iterator);
  }
  freeReplyObject(dumped);
  redisReply *source = ask(client, "DUMP source");
  expect_bytes(ask(client, "DUMP target"), source->str, source->len);
  freeReplyObject(source);
}

static void hyperloglog(void) {
  expect_number(ask(client, "PFADD h1 a b c"), 1);
  expect_number(ask(client, "PFADD h1 a"), 0);
  expect_number(ask(client, "PFADD h2 c d"), 1);
  expect_number(ask(client, "PFCOUNT h1"), 3);
  expect_number(ask(client, "PFCOUNT h1 h2"), 4);
  expect_text(ask(client, "PFMERGE both h1 h2"), "OK");
  expect_number(ask(client, "PFCOUNT both"), 4);
}

static void await_expiry(const char *key) {
  for (int tries = 0; tries < 2000; tries++) {
    redisReply *exists = ask(client, "EXISTS %s", key);
    int gone = exists->integer == 0;
    freeReplyObject(exists);
    if (gone) return;
    sleep_ms(10);
  }
  fail("%s did not expire", key);
}

static void strings(void) {
  expect_text(ask(client, "SET k v EX 100"), "OK");
  expect_nil(ask(client, "SET k w NX"));
  expect_text(ask(client, "SET k w KEEPTTL GET"), "v");
  redisReply *ttl = ask(client, "TTL k");
  if (ttl->integer <= 90 || ttl->integer > 100) fail("ttl %lld", ttl->integer);
  freeReplyObject(ttl);
  expect_text(ask(client, "GETEX k PX 30"), "w");
  await_expiry("k");
  expect_text(ask(client, "MSET a 1 b 2"), "OK");
  redisReply *values = ask(client, "MGET a none b");
  if (values->elements != 3 || values->element[1]->type != REDIS_REPLY_NIL) fail("MGET");
  freeReplyObject(values);
  expect_number(ask(client, "INCRBY a 41"), 42);
  expect_text(ask(client, "INCRBYFLOAT b 0.5"), "2.5");
  expect_text(ask(client, "GETDEL b"), "2.5");
  expect_text(ask(client, "TYPE a"), "string");
}

static void pipeline(void) {
  redisAppendCommand(client, "BF.ADD piped x");
  redisAppendCommand(client, "PFADD pipedHll x");
  redisAppendCommand(client, "SET pipedKey v");
  redisAppendCommand(client, "INCR pipedKey");
  redisAppendCommand(client, "GET pipedKey");
  expect_number(next_reply(client), 1);
  expect_number(next_reply(client), 1);
  expect_text(next_reply(client), "OK");
  expect_error(next_reply(client), "not an integer");
  expect_text(next_reply(client), "v");
}

static void manyPipelined(void) {
  expect_text(ask(client, "BF.RESERVE many 0.000001 %d", MANY), "OK");
  for (int i = 0; i < MANY; i++) {
    redisAppendCommand(client, "BF.ADD many item%d", i);
    redisAppendCommand(client, "BF.EXISTS many item%d", i);
  }
  int added = 0;
  for (int i = 0; i < MANY; i++) {
    redisReply *reply = next_reply(client);
    added += (int)reply->integer;
    freeReplyObject(reply);
    expect_number(next_reply(client), 1);
  }
  if (added < MANY - 1) fail("only %d were new", added);
  expect_number(ask(client, "BF.EXISTS many stranger"), 0);
}

static void transaction(void) {
  expect_text(ask(client, "SET counter 1"), "OK");
  expect_text(ask(client, "WATCH counter"), "OK");
  expect_text(ask(client, "MULTI"), "OK");
  expect_text(ask(client, "INCR counter"), "QUEUED");
  expect_text(ask(client, "BF.ADD inMulti x"), "QUEUED");
  expect_text(ask(client, "PFADD hllInMulti x"), "QUEUED");
  expect_numbers(ask(client, "EXEC"), 3, (long long[]){2, 1, 1});
}

static void abortedTransaction(void) {
  redisContext *other = new_client();
  expect_text(ask(client, "WATCH counter"), "OK");
  expect_text(ask(other, "SET counter 10"), "OK");
  expect_text(ask(client, "MULTI"), "OK");
  expect_text(ask(client, "INCR counter"), "QUEUED");
  expect_nil(ask(client, "EXEC"));
  expect_text(ask(client, "GET counter"), "10");
  expect_text(ask(client, "MULTI"), "OK");
  expect_error(ask(client, "BF.ADD x"), "wrong number of arguments");
  expect_error(ask(client, "EXEC"), "EXECABORT");
  redisFree(other);
}

static void expect_message(redisContext *c, const char *kind, const char *text) {
  redisReply *message = next_reply(c);
  if (message->elements < 3) fail("%zu elements", (size_t)message->elements);
  if (strcmp(message->element[0]->str, kind) != 0) fail("%s", message->element[0]->str);
  if (strcmp(message->element[message->elements - 1]->str, text) != 0) fail("not %s", text);
  freeReplyObject(message);
}

static void publishSubscribe(void) {
  redisContext *subscriber = new_client();
  freeReplyObject(ask(subscriber, "SUBSCRIBE news"));
  freeReplyObject(ask(subscriber, "PSUBSCRIBE ne?s*"));
  freeReplyObject(ask(subscriber, "SSUBSCRIBE shard"));
  expect_number(ask(client, "PUBLISH news one"), 2);
  expect_number(ask(client, "PUBLISH newspaper two"), 1);
  expect_number(ask(client, "SPUBLISH shard three"), 1);
  expect_message(subscriber, "message", "one");
  expect_message(subscriber, "pmessage", "one");
  expect_message(subscriber, "pmessage", "two");
  expect_message(subscriber, "smessage", "three");
  redisFree(subscriber);
}

static void errors(void) {
  expect_text(ask(client, "SET text abc"), "OK");
  expect_error(ask(client, "BF.ADD text x"), "WRONGTYPE");
  expect_error(ask(client, "PFCOUNT text"), "not a valid HyperLogLog");
  expect_error(ask(client, "INCR text"), "not an integer");
  expect_error(ask(client, "BF.RESERVE source 0.01 100"), "item exists");
  expect_error(ask(client, "NOSUCH x"), "unknown command 'NOSUCH'");
  expect_text(ask(client, "PING"), "PONG");
}

static void bigValues(void) {
  static char big[BIG_BYTES];
  for (int i = 0; i < BIG_BYTES; i++) big[i] = (char)(i * 31);
  expect_text(ask(client, "SET big %b", big, (size_t)BIG_BYTES), "OK");
  expect_bytes(ask(client, "GET big"), big, BIG_BYTES);
  expect_number(ask(client, "BF.ADD bigItems %b", big, (size_t)BIG_BYTES), 1);
  expect_number(ask(client, "BF.EXISTS bigItems %b", big, (size_t)BIG_BYTES), 1);
  expect_number(ask(client, "PFADD bigHll %b", big, (size_t)BIG_BYTES), 1);
}

static void binaryKeys(void) {
  size_t length = KEY_BYTES;
  expect_text(ask(client, "SET %b %b", all_bytes, length, all_bytes, length), "OK");
  expect_bytes(ask(client, "GET %b", all_bytes, length), all_bytes, length);
  expect_number(ask(client, "BF.ADD f%b %b", all_bytes, length, all_bytes, length), 1);
  expect_number(ask(client, "BF.EXISTS f%b %b", all_bytes, length, all_bytes, length), 1);
}

static void scan(void) {
  char cursor[32] = "0";
  size_t found = 0;
  for (int i = 0; i < 1000; i++) redisAppendCommand(client, "SET scan:%d v", i);
  for (int i = 0; i < 1000; i++) expect_text(next_reply(client), "OK");
  do {
    redisReply *page = ask(client, "SCAN %s MATCH scan:* COUNT 100", cursor);
    found += page->element[1]->elements;
    snprintf(cursor, sizeof cursor, "%s", page->element[0]->str);
    freeReplyObject(page);
  } while (strcmp(cursor, "0") != 0);
  if (found != 1000) fail("%zu keys", found); /* the tables do not change: each key comes once */
}

static void restart(void) {
  char line[32];
  expect_text(ask(client, "SAVE"), "OK");
  puts("restart");
  fflush(stdout);
  if (fgets(line, sizeof line, stdin) == NULL) fail("nobody restarts the server");
  if (redisCommand(client, "PING") != NULL || client->err == 0) fail("the loss went unnoticed");
  if (redisReconnect(client) != REDIS_OK) fail("cannot connect again: %s", client->errstr);
  greet(client);
  expect_number(ask(client, "BF.EXISTS many item7777"), 1);
  expect_number(ask(client, "PFCOUNT both"), 4);
}

/* ---------------------------------------------------------------- running them */

static const struct {
  const char *name;
  void (*check)(void);
} subjects[] = {
    {"handshake", handshake},
    {"bloom", bloom},
    {"chunks", chunks},
    {"hyperloglog", hyperloglog},
    {"strings", strings},
    {"pipeline", pipeline},
    {"manyPipelined", manyPipelined},
    {"transaction", transaction},
    {"abortedTransaction", abortedTransaction},
    {"publishSubscribe", publishSubscribe},
    {"errors", errors},
    {"bigValues", bigValues},
    {"binaryKeys", binaryKeys},
    {"scan", scan},
    {"restart", restart},
};

static void run(const char *name, void (*check)(void)) {
  if (setjmp(failed) == 0) {
    check();
    printf("ok %s\n", name);
  } else {
    printf("not ok %s\n%s\n", name, failure);
    failures++;
  }
  fflush(stdout);
}

static void begin(void) {
  client = new_client();
  expect_text(ask(client, "FLUSHALL"), "OK");
}

int main(void) {
  for (int i = 0; i < KEY_BYTES; i++) all_bytes[i] = (unsigned char)i;
  run("connecting", begin);
  for (size_t i = 0; failures == 0 && i < sizeof subjects / sizeof subjects[0]; i++) {
    run(subjects[i].name, subjects[i].check);
  }
  return failures != 0;
}
