"""redis-py as Debian packages it (4.3, which speaks RESP2), by its typed interface.

What is printed and read here is told in ../node/subjects.mjs.
"""

import os
import sys
import threading
import time
import traceback

import redis
from redis.connection import PythonParser
from redis.exceptions import AuthenticationError, ConnectionError, ResponseError, WatchError

PORT = int(os.environ["PORTEIRO_PORT"])
PASSWORD = os.environ["PORTEIRO_PASSWORD"]
ALL_BYTES = bytes(range(256))


class Resp3Parser(PythonParser):
    """The client's parser with RESP3's types, which it lacks but lets one add."""

    def read_response(self, disable_decoding=False):
        start = self._buffer._buffer
        start.seek(self._buffer.bytes_read)
        kind = start.read(1) or self._awaited_byte()
        if kind in b"-+:$*":
            return super().read_response(disable_decoding)
        text = self._buffer.readline()[1:]
        if kind == b"%":
            return {self.read_response(): self.read_response() for _ in range(int(text))}
        if kind in (b"~", b">"):
            return [self.read_response() for _ in range(int(text))]
        return {b"#": lambda: text == b"t", b"_": lambda: None, b",": lambda: float(text)}[kind]()

    def _awaited_byte(self):
        self._buffer._read_from_socket()
        self._buffer._buffer.seek(self._buffer.bytes_read)
        return self._buffer._buffer.read(1)


def new_client(**overrides):
    options = {
        "host": "127.0.0.1",
        "port": PORT,
        "password": PASSWORD,
        "client_name": "doorman",
        "socket_timeout": 60,
        **overrides,
    }
    return redis.Redis(**options)


client = new_client()
filters = client.bf()


def expect(error, message, call, *arguments, **options):
    try:
        result = call(*arguments, **options)
    except error as raised:
        assert message in str(raised), f"{message!r} is not in {raised!r}"
    else:
        raise AssertionError(f"{message!r} was expected, came {result!r}")


def eventually(awaited, condition):
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline, f"not within 20 seconds: {awaited}"
        time.sleep(0.005)


def equal(found, wanted):
    assert found == wanted, f"{found!r} instead of {wanted!r}"


# ------------------------------------------------------------------ the subjects


def handshake():
    assert client.ping()
    equal(client.client_getname(), "doorman")
    info = client.client_info()
    equal(info["name"], "doorman")
    equal(info["resp"], "2")
    assert client.info("server")["redis_version"]
    equal(client.execute_command("HELLO", "2")[:2], [b"server", b"redis"])
    expect(ResponseError, "WRONGPASS", new_client(password="wrong").ping)
    expect(AuthenticationError, "Authentication required", new_client(password=None, client_name=None).ping)
    speak_resp3()


def speak_resp3():
    modern = new_client(single_connection_client=True)
    modern.connection.disconnect()
    modern.connection._parser = Resp3Parser(65536)
    modern.connection.connect()
    hello = modern.execute_command("HELLO", "3", "AUTH", "default", PASSWORD, "SETNAME", "modern")
    equal((hello[b"server"], hello[b"proto"], hello[b"mode"]), (b"redis", 3, b"standalone"))
    equal(modern.execute_command("BF.ADD", "resp3", "alice"), True)
    equal(modern.execute_command("BF.MEXISTS", "resp3", "alice", "bob"), [True, False])
    equal(modern.execute_command("BF.RESERVE", "resp3fixed", "0.01", "5", "NONSCALING"), b"OK")
    equal(modern.execute_command("BF.CARD", "resp3"), 1)
    modern.response_callbacks.clear()
    info = modern.execute_command("BF.INFO", "resp3fixed")
    equal((info[b"Capacity"], info[b"Expansion rate"]), (5, None))
    equal(modern.execute_command("SUBSCRIBE", "news"), [b"subscribe", b"news", 1])
    equal(client.publish("news", "pushed"), 1)
    equal(modern.connection.read_response(), [b"message", b"news", b"pushed"])
    equal(modern.execute_command("GET", "none"), None)
    modern.close()


def bloom():
    assert filters.create("gate", 0.001, 1000, expansion=4)
    equal(filters.add("gate", "alice"), 1)
    equal(filters.add("gate", "alice"), 0)
    equal(filters.madd("gate", "alice", "bob"), [0, 1])
    equal(filters.exists("gate", "bob"), 1)
    equal(filters.mexists("gate", "alice", "carol"), [1, 0])
    equal(client.execute_command("BF.CARD", "gate"), 2)
    info = filters.info("gate")
    equal((info.capacity, info.filterNum, info.insertedNum, info.expansionRate), (1000, 1, 2, 4))
    assert info.size > 1000
    equal(filters.insert("fixed", ["x", "y"], capacity=2, error=0.01, noScale=True), [1, 1])
    expect(ResponseError, "non scaling filter is full", filters.add, "fixed", "z")
    equal(filters.info("fixed").expansionRate, None)
    expect(ResponseError, "not found", filters.insert, "none", ["x"], noCreate=True)


def chunks():
    filters.create("source", 0.01, 100)
    filters.madd("source", *(f"item{i}" for i in range(1000)))
    iterator, chunk = filters.scandump("source", 0)
    while iterator:
        assert filters.loadchunk("target", iterator, chunk)
        iterator, chunk = filters.scandump("source", iterator)
    equal(client.dump("target"), client.dump("source"))


def hyperloglog():
    equal(client.pfadd("h1", "a", "b", "c"), 1)
    equal(client.pfadd("h1", "a"), 0)
    client.pfadd("h2", "c", "d")
    equal(client.pfcount("h1"), 3)
    equal(client.pfcount("h1", "h2"), 4)
    assert client.pfmerge("both", "h1", "h2")
    equal(client.pfcount("both"), 4)


def strings():
    assert client.set("k", "v", ex=100)
    equal(client.set("k", "w", nx=True), None)
    equal(client.set("k", "w", keepttl=True, get=True), b"v")
    assert 90 < client.ttl("k") <= 100
    equal(client.getex("k", px=30), b"w")
    eventually("the key expires", lambda: client.get("k") is None)
    client.mset({"a": 1, "b": 2})
    equal(client.mget("a", "none", "b"), [b"1", None, b"2"])
    equal(client.incrby("a", 41), 42)
    equal(client.incrbyfloat("b", 0.5), 2.5)
    equal(client.getdel("b"), b"2.5")
    equal(client.type("a"), b"string")


def pipeline():
    with client.pipeline(transaction=False) as piped:
        piped.execute_command("BF.ADD", "piped", "x")
        piped.pfadd("pipedHll", "x").set("pipedKey", "v").incr("pipedKey").get("pipedKey")
        replies = piped.execute(raise_on_error=False)
    equal(replies[:3] + replies[4:], [1, 1, True, b"v"])
    assert isinstance(replies[3], ResponseError), replies


def manyPipelined():
    filters.create("many", 0.000001, 10000)
    with client.pipeline(transaction=False) as piped:
        for i in range(10000):
            piped.execute_command("BF.ADD", "many", f"item{i}")
            piped.execute_command("BF.EXISTS", "many", f"item{i}")
        replies = piped.execute()
    equal(len(replies), 20000)
    equal(sum(replies[1::2]), 10000)
    assert sum(replies[::2]) >= 9999
    equal(filters.exists("many", "stranger"), 0)


def transaction():
    client.set("counter", 1)

    def increment(piped):
        known = int(piped.get("counter"))
        piped.multi()
        piped.set("counter", known + 1)
        piped.execute_command("BF.ADD", "inMulti", "x")
        piped.pfadd("hllInMulti", "x")

    equal(client.transaction(increment, "counter"), [True, 1, 1])
    equal(client.get("counter"), b"2")


def abortedTransaction():
    other = new_client()
    with client.pipeline() as piped:
        piped.watch("counter")
        other.set("counter", 10)
        piped.multi()
        piped.incr("counter")
        expect(WatchError, "", piped.execute)
    equal(client.get("counter"), b"10")
    client.set("text", "abc")
    with client.pipeline() as piped:
        replies = piped.incr("text").set("afterwards", 1).execute(raise_on_error=False)
    assert isinstance(replies[0], ResponseError), replies
    equal(client.get("afterwards"), b"1")
    with client.pipeline() as piped:
        piped.set("text", "lost").execute_command("BF.ADD", "x")
        # The client raises what was said when the command was queued, not the EXECABORT after it.
        expect(ResponseError, "wrong number of arguments", piped.execute)
    equal(client.get("text"), b"abc")
    other.close()


def publishSubscribe():
    heard = []
    subscriber = new_client().pubsub(ignore_subscribe_messages=True)
    note = lambda message: heard.append((message["pattern"], message["channel"], message["data"]))
    subscriber.subscribe(news=note)
    subscriber.psubscribe(**{"ne?s*": note})
    listener = subscriber.run_in_thread(sleep_time=0.01)
    eventually("both subscriptions", lambda: client.pubsub_numsub("news") == [(b"news", 1)] and client.pubsub_numpat() == 1)
    equal(client.publish("news", "one"), 2)
    equal(client.publish("newspaper", "two"), 1)
    eventually("three messages", lambda: len(heard) == 3)
    equal(heard, [(None, b"news", b"one"), (b"ne?s*", b"news", b"one"), (b"ne?s*", b"newspaper", b"two")])
    listener.stop()
    listener.join()


def errors():
    client.set("text", "abc")
    expect(ResponseError, "WRONGTYPE", filters.add, "text", "x")
    expect(ResponseError, "not a valid HyperLogLog", client.pfcount, "text")
    expect(ResponseError, "not an integer", client.incr, "text")
    expect(ResponseError, "item exists", filters.create, "source", 0.01, 100)
    expect(ResponseError, "unknown command 'NOSUCH'", client.execute_command, "NOSUCH", "x")
    assert client.ping()


def bigValues():
    big = ALL_BYTES * 4096
    client.set("big", big)
    assert client.get("big") == big
    equal(filters.add("bigItems", big), 1)
    equal(filters.exists("bigItems", big), 1)
    equal(client.pfadd("bigHll", big), 1)


def binaryKeys():
    client.set(ALL_BYTES, ALL_BYTES)
    equal(client.get(ALL_BYTES), ALL_BYTES)
    equal(filters.add(ALL_BYTES * 2, ALL_BYTES), 1)
    equal(filters.exists(ALL_BYTES * 2, ALL_BYTES), 1)
    assert client.set("São Paulo \N{DOOR}", "gate")
    equal(client.get("São Paulo \N{DOOR}"), b"gate")


def scan():
    client.mset({f"scan:{i}": "v" for i in range(1000)})
    equal(len(set(client.scan_iter(match="scan:*", count=100))), 1000)
    found = list(client.scan_iter(_type="MBbloom--"))
    assert b"many" in found and b"text" not in found, found


def restart():
    subscriber = new_client().pubsub(ignore_subscribe_messages=True)
    subscriber.subscribe("afterwards")
    subscriber.get_message(timeout=1)
    assert client.save()
    print("restart", flush=True)
    assert sys.stdin.readline(), "nobody restarts the server"
    eventually("a connection", reconnected)
    equal(filters.exists("many", "item7777"), 1)
    equal(client.pfcount("both"), 4)
    equal(client.client_getname(), "doorman")
    eventually("the subscription is restored", lambda: hears(subscriber))


def reconnected():
    try:
        return client.ping()
    except ConnectionError:  # the pool's old connections notice only now
        return False


def hears(subscriber):
    try:
        message = subscriber.get_message(timeout=0.01)
        if message:
            return message["data"] == b"hello"
    except ConnectionError:
        return False
    client.publish("afterwards", "hello")
    return False


SUBJECTS = [
    handshake,
    bloom,
    chunks,
    hyperloglog,
    strings,
    pipeline,
    manyPipelined,
    transaction,
    abortedTransaction,
    publishSubscribe,
    errors,
    bigValues,
    binaryKeys,
    scan,
    restart,
]


def main():
    client.flushall()
    failed = 0
    for subject in SUBJECTS:
        try:
            subject()
            print(f"ok {subject.__name__}", flush=True)
        except Exception:
            failed += 1
            print(f"not ok {subject.__name__}\n{traceback.format_exc()}", flush=True)
    sys.exit(failed != 0)


main()
