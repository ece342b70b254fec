// node-redis, by its typed interface for Bloom filters and HyperLogLogs.
import assert from 'node:assert/strict';
import { createClient, ErrorReply, RESP_TYPES, WatchError } from 'redis';
import { eventually, password, port, protocol, range, restartServer, run } from './subjects.mjs';

const options = {
  RESP: protocol,
  password,
  name: 'doorman',
  commandOptions: { timeout: 60000 },
  socket: { host: '127.0.0.1', port, reconnectStrategy: () => 20 },
};

function newClient(overrides = {}) {
  const created = createClient({ ...options, ...overrides });
  created.on('error', () => {}); // expected while the server is down; commands fail by themselves
  return created;
}

const client = await newClient().connect();
await client.flushAll();
const binary = client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
const allBytes = Buffer.from(range(256));

await run({
  async handshake() {
    assert.equal(await client.ping(), 'PONG');
    assert.equal(await client.clientGetName(), 'doorman');
    const info = await client.clientInfo();
    assert.equal(info.name, 'doorman');
    assert.equal(info.resp, protocol);
    assert.equal(info.libName, 'node-redis');
    const hello = await client.hello(protocol);
    assert.equal(hello.proto, protocol);
    assert.equal(hello.server, 'redis');
    assert.equal(hello.mode, 'standalone');
    const stranger = newClient({ password: 'wrong', socket: { ...options.socket, reconnectStrategy: false } });
    await assert.rejects(stranger.connect(), /WRONGPASS/);
    const nobody = newClient({ password: undefined, name: undefined, RESP: 2, socket: { ...options.socket, reconnectStrategy: false } });
    await nobody.connect();
    await assert.rejects(nobody.get('k'), /NOAUTH/);
    nobody.destroy();
  },

  async bloom() {
    assert.equal(await client.bf.reserve('b', 0.001, 1000, { EXPANSION: 4 }), 'OK');
    assert.equal(await client.bf.add('b', 'alice'), true);
    assert.equal(await client.bf.add('b', 'alice'), false);
    assert.deepEqual(await client.bf.mAdd('b', ['alice', 'bob']), [false, true]);
    assert.equal(await client.bf.exists('b', 'bob'), true);
    assert.deepEqual(await client.bf.mExists('b', ['alice', 'carol']), [true, false]);
    assert.equal(await client.bf.card('b'), 2);
    const info = await client.bf.info('b');
    assert.equal(info['Capacity'], 1000);
    assert.equal(info['Number of filters'], 1);
    assert.equal(info['Number of items inserted'], 2);
    assert.equal(info['Expansion rate'], 4);
    assert.ok(info['Size'] > 1000);
    const inserted = await client.bf.insert('fixed', ['x', 'y'], { CAPACITY: 2, ERROR: 0.01, NONSCALING: true });
    assert.deepEqual(inserted, [true, true]);
    await assert.rejects(client.bf.add('fixed', 'z'), /non scaling filter is full/);
    assert.equal((await client.bf.info('fixed'))['Expansion rate'], null);
    await assert.rejects(client.bf.insert('none', ['x'], { NOCREATE: true }), /not found/);
  },

  async chunks() {
    await client.bf.reserve('source', 0.01, 100);
    await client.bf.mAdd('source', range(1000).map((i) => `item${i}`));
    let dumped = await binary.bf.scanDump('source', 0);
    while (dumped.iterator !== 0) {
      assert.equal(await client.bf.loadChunk('target', dumped.iterator, dumped.chunk), 'OK');
      dumped = await binary.bf.scanDump('source', dumped.iterator);
    }
    assert.deepEqual(await binary.dump('target'), await binary.dump('source'));
  },

  async hyperloglog() {
    assert.equal(await client.pfAdd('h1', ['a', 'b', 'c']), 1);
    assert.equal(await client.pfAdd('h1', 'a'), 0);
    await client.pfAdd('h2', ['c', 'd']);
    assert.equal(await client.pfCount('h1'), 3);
    assert.equal(await client.pfCount(['h1', 'h2']), 4);
    assert.equal(await client.pfMerge('both', ['h1', 'h2']), 'OK');
    assert.equal(await client.pfCount('both'), 4);
  },

  async strings() {
    assert.equal(await client.set('k', 'v', { expiration: { type: 'EX', value: 100 } }), 'OK');
    assert.equal(await client.set('k', 'w', { condition: 'NX' }), null);
    assert.equal(await client.set('k', 'w', { expiration: 'KEEPTTL', GET: true }), 'v');
    const ttl = await client.ttl('k');
    assert.ok(ttl > 90 && ttl <= 100, `ttl ${ttl}`);
    assert.equal(await client.getEx('k', { type: 'PX', value: 30 }), 'w');
    await eventually('the key expires', async () => (await client.get('k')) === null);
    await client.mSet({ a: '1', b: '2' });
    assert.deepEqual(await client.mGet(['a', 'none', 'b']), ['1', null, '2']);
    assert.equal(await client.incrBy('a', 41), 42);
    assert.equal(Number(await client.incrByFloat('b', 0.5)), 2.5);
    assert.equal(await client.getDel('b'), '2.5');
    assert.equal(await client.type('a'), 'string');
  },

  async pipeline() {
    const replies = await client.multi().bf.add('piped', 'x').bf.exists('piped', 'x')
      .pfAdd('pipedHll', 'x').set('pipedKey', 'v').get('pipedKey').execAsPipeline();
    assert.deepEqual(replies, [true, true, 1, 'OK', 'v']);
  },

  async manyPipelined() {
    await client.bf.reserve('many', 0.000001, 10000);
    const replies = await Promise.all(range(10000).flatMap((i) =>
      [client.bf.add('many', `item${i}`), client.bf.exists('many', `item${i}`)]));
    assert.equal(replies.filter((_, i) => i % 2 === 1).every(Boolean), true);
    assert.ok(replies.filter((_, i) => i % 2 === 0).filter(Boolean).length >= 9999);
    assert.equal(await client.bf.exists('many', 'stranger'), false);
  },

  async transaction() {
    await client.set('counter', '1');
    await client.watch('counter');
    const replies = await client.multi().incr('counter').bf.add('inMulti', 'x').pfAdd('hllInMulti', 'x').exec();
    assert.deepEqual(replies, [2, true, 1]);
  },

  async abortedTransaction() {
    const other = await newClient().connect();
    await client.watch('counter');
    await other.set('counter', '10');
    await assert.rejects(client.multi().incr('counter').exec(), WatchError);
    assert.equal(await client.get('counter'), '10');
    await client.set('text', 'abc');
    await assert.rejects(client.multi().incr('text').set('afterwards', '1').exec(), /1 commands failed/);
    assert.equal(await client.get('afterwards'), '1');
    await other.close();
  },

  async publishSubscribe() {
    const subscriber = await newClient().connect();
    const heard = [];
    await subscriber.subscribe('news', (message, channel) => heard.push(`${channel}:${message}`));
    await subscriber.pSubscribe('ne?s*', (message, channel) => heard.push(`pattern ${channel}:${message}`));
    await subscriber.sSubscribe('shard', (message, channel) => heard.push(`shard ${channel}:${message}`));
    assert.equal(await client.publish('news', 'one'), 2);
    assert.equal(await client.publish('newspaper', 'two'), 1);
    assert.equal(await client.sPublish('shard', 'three'), 1);
    await eventually('four messages', () => heard.length === 4);
    assert.deepEqual(heard, ['news:one', 'pattern news:one', 'pattern newspaper:two', 'shard shard:three']);
    if (protocol === 3) {
      assert.equal(await subscriber.get('counter'), '10'); // pushes and replies share the connection
    }
    await subscriber.unsubscribe('news');
    await subscriber.pUnsubscribe();
    assert.equal(await client.publish('news', 'unheard'), 0);
    await subscriber.close();
  },

  async errors() {
    await client.set('text', 'abc');
    await assert.rejects(client.bf.add('text', 'x'), (e) => e instanceof ErrorReply && e.message.startsWith('WRONGTYPE'));
    await assert.rejects(client.pfCount('text'), /not a valid HyperLogLog/);
    await assert.rejects(client.incr('text'), /not an integer/);
    await assert.rejects(client.bf.reserve('source', 0.01, 100), /item exists/);
    await assert.rejects(client.sendCommand(['NOSUCH', 'x']), /unknown command 'NOSUCH'/);
    assert.equal(await client.ping(), 'PONG');
  },

  async bigValues() {
    const big = Buffer.alloc(1 << 20, allBytes);
    await client.set('big', big);
    assert.equal(Buffer.compare(await binary.get('big'), big), 0);
    assert.equal(await client.bf.add('bigItems', big), true);
    assert.equal(await client.bf.exists('bigItems', big), true);
    assert.equal(await client.pfAdd('bigHll', big), 1);
  },

  async binaryKeys() {
    await client.set(allBytes, allBytes);
    assert.deepEqual(await binary.get(allBytes), allBytes);
    assert.equal(await client.bf.add(Buffer.concat([allBytes, allBytes]), allBytes), true);
    assert.equal(await client.bf.exists(Buffer.concat([allBytes, allBytes]), allBytes), true);
    assert.equal(await client.set('Sao Paulo \u00e9 \u{1F6AA}', 'gate'), 'OK');
    assert.equal(await client.get('Sao Paulo \u00e9 \u{1F6AA}'), 'gate');
  },

  async scan() {
    await Promise.all(range(1000).map((i) => client.set(`scan:${i}`, 'v')));
    const seen = new Set();
    for await (const keys of client.scanIterator({ MATCH: 'scan:*', COUNT: 100 })) {
      keys.forEach((key) => seen.add(key));
    }
    assert.equal(seen.size, 1000);
    const filters = [];
    for await (const keys of client.scanIterator({ TYPE: 'MBbloom--' })) {
      filters.push(...keys);
    }
    assert.ok(filters.includes('many') && !filters.includes('text'));
  },

  async restart() {
    const subscriber = await newClient().connect();
    const heard = [];
    await subscriber.subscribe('afterwards', (message) => heard.push(message));
    assert.equal(await client.sendCommand(['SAVE']), 'OK');
    await restartServer();
    await eventually('both are connected again', () => client.isReady && subscriber.isReady);
    assert.equal(await client.bf.exists('many', 'item7777'), true);
    assert.equal(await client.pfCount('both'), 4);
    assert.equal(await client.clientGetName(), 'doorman');
    await eventually('the subscription is restored', async () => (await client.publish('afterwards', 'hello')) === 1);
    await eventually('the message', () => heard.includes('hello'));
    await subscriber.close();
  },
});
