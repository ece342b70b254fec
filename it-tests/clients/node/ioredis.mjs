// ioredis, which has no typed interface for Bloom filters: its generic call.
import assert from 'node:assert/strict';
import { Redis } from 'ioredis';
import { eventually, password, port, protocol, range, restartServer, run } from './subjects.mjs';

function newClient(overrides = {}) {
  const created = new Redis({
    host: '127.0.0.1',
    port,
    password,
    protocol,
    connectionName: 'doorman',
    maxRetriesPerRequest: null,
    retryStrategy: () => 20,
    ...(protocol === 3 ? { replyMapping: 'resp3' } : {}),
    ...overrides,
  });
  created.on('error', () => {}); // expected while the server is down; commands fail by themselves
  return created;
}

const client = newClient();
await client.flushall();
const allBytes = Buffer.from(range(256));

/** 1 and 0 of RESP2, true and false of RESP3: what the client makes of an answer yes or no. */
const yes = protocol === 3 ? true : 1;
const no = protocol === 3 ? false : 0;

async function bloomInfo(key) {
  const reply = await client.call('BF.INFO', key);
  return protocol === 3
    ? reply
    : Object.fromEntries(range(reply.length / 2).map((i) => [reply[2 * i], reply[2 * i + 1]]));
}

await run({
  async handshake() {
    assert.equal(await client.ping(), 'PONG');
    assert.equal(await client.client('GETNAME'), 'doorman');
    const info = await client.client('INFO');
    assert.match(info, / name=doorman /);
    assert.match(info, new RegExp(` resp=${protocol}`));
    assert.match(info, / lib-name=ioredis /);
    assert.match(await client.info('server'), /redis_version:/);
    const stranger = newClient({ password: 'wrong', retryStrategy: null });
    await assert.rejects(stranger.get('k'), /WRONGPASS|closed/);
    stranger.disconnect();
    const nobody = newClient({ password: undefined, protocol: 2, replyMapping: undefined, enableReadyCheck: false });
    await assert.rejects(nobody.get('k'), /NOAUTH/);
    nobody.disconnect();
  },

  async bloom() {
    assert.equal(await client.call('BF.RESERVE', 'gate', '0.001', '1000', 'EXPANSION', '4'), 'OK');
    assert.equal(await client.call('BF.ADD', 'gate', 'alice'), yes);
    assert.equal(await client.call('BF.ADD', 'gate', 'alice'), no);
    assert.deepEqual(await client.call('BF.MADD', 'gate', 'alice', 'bob'), [no, yes]);
    assert.equal(await client.call('BF.EXISTS', 'gate', 'bob'), yes);
    assert.deepEqual(await client.call('BF.MEXISTS', 'gate', 'alice', 'carol'), [yes, no]);
    assert.equal(await client.call('BF.CARD', 'gate'), 2);
    const info = await bloomInfo('gate');
    assert.equal(info['Capacity'], 1000);
    assert.equal(info['Number of filters'], 1);
    assert.equal(info['Number of items inserted'], 2);
    assert.equal(info['Expansion rate'], 4);
    assert.ok(info['Size'] > 1000);
    const inserted = await client.call('BF.INSERT', 'fixed', 'CAPACITY', 2, 'ERROR', 0.01, 'NONSCALING', 'ITEMS', 'x', 'y');
    assert.deepEqual(inserted, [yes, yes]);
    await assert.rejects(client.call('BF.ADD', 'fixed', 'z'), /non scaling filter is full/);
    assert.equal((await bloomInfo('fixed'))['Expansion rate'], null);
    await assert.rejects(client.call('BF.INSERT', 'none', 'NOCREATE', 'ITEMS', 'x'), /not found/);
  },

  async chunks() {
    await client.call('BF.RESERVE', 'source', '0.01', '100');
    await client.call('BF.MADD', 'source', ...range(1000).map((i) => `item${i}`));
    let [iterator, chunk] = await client.callBuffer('BF.SCANDUMP', 'source', 0);
    while (iterator !== 0) {
      assert.equal(await client.call('BF.LOADCHUNK', 'target', iterator, chunk), 'OK');
      [iterator, chunk] = await client.callBuffer('BF.SCANDUMP', 'source', iterator);
    }
    assert.deepEqual(await client.dumpBuffer('target'), await client.dumpBuffer('source'));
  },

  async hyperloglog() {
    assert.equal(await client.pfadd('h1', 'a', 'b', 'c'), 1);
    assert.equal(await client.pfadd('h1', 'a'), 0);
    await client.pfadd('h2', 'c', 'd');
    assert.equal(await client.pfcount('h1'), 3);
    assert.equal(await client.pfcount('h1', 'h2'), 4);
    assert.equal(await client.pfmerge('both', 'h1', 'h2'), 'OK');
    assert.equal(await client.pfcount('both'), 4);
  },

  async strings() {
    assert.equal(await client.set('k', 'v', 'EX', 100), 'OK');
    assert.equal(await client.set('k', 'w', 'NX'), null);
    assert.equal(await client.set('k', 'w', 'KEEPTTL', 'GET'), 'v');
    const ttl = await client.ttl('k');
    assert.ok(ttl > 90 && ttl <= 100, `ttl ${ttl}`);
    assert.equal(await client.getex('k', 'PX', 30), 'w');
    await eventually('the key expires', async () => (await client.get('k')) === null);
    await client.mset({ a: '1', b: '2' });
    assert.deepEqual(await client.mget('a', 'none', 'b'), ['1', null, '2']);
    assert.equal(await client.incrby('a', 41), 42);
    assert.equal(Number(await client.incrbyfloat('b', 0.5)), 2.5);
    assert.equal(await client.getdel('b'), '2.5');
    assert.equal(await client.type('a'), 'string');
  },

  async pipeline() {
    const replies = await client.pipeline().call('BF.ADD', 'piped', 'x').pfadd('pipedHll', 'x')
      .set('pipedKey', 'v').incr('pipedKey').get('pipedKey').exec();
    assert.deepEqual(replies.filter((_, i) => i !== 3), [[null, yes], [null, 1], [null, 'OK'], [null, 'v']]);
    assert.match(replies[3][0].message, /not an integer/);
  },

  async manyPipelined() {
    await client.call('BF.RESERVE', 'many', '0.000001', '10000');
    const pipeline = client.pipeline();
    for (const i of range(10000)) {
      pipeline.call('BF.ADD', 'many', `item${i}`).call('BF.EXISTS', 'many', `item${i}`);
    }
    const replies = (await pipeline.exec()).map(([error, reply]) => error ?? reply);
    assert.equal(replies.length, 20000);
    assert.ok(replies.filter((_, i) => i % 2 === 1).every((reply) => reply === yes));
    assert.ok(replies.filter((reply, i) => i % 2 === 0 && reply === yes).length >= 9999);
    assert.equal(await client.call('BF.EXISTS', 'many', 'stranger'), no);
  },

  async transaction() {
    await client.set('counter', '1');
    await client.watch('counter');
    const replies = await client.multi().incr('counter').call('BF.ADD', 'inMulti', 'x').pfadd('hllInMulti', 'x').exec();
    assert.deepEqual(replies, [[null, 2], [null, yes], [null, 1]]);
  },

  async abortedTransaction() {
    const other = newClient();
    await client.watch('counter');
    await other.set('counter', '10');
    assert.equal(await client.multi().incr('counter').exec(), null);
    assert.equal(await client.get('counter'), '10');
    await client.set('text', 'abc');
    const replies = await client.multi().incr('text').set('afterwards', '1').exec();
    assert.match(replies[0][0].message, /not an integer/);
    assert.deepEqual(replies[1], [null, 'OK']);
    await assert.rejects(client.multi().set('text', 'lost').call('BF.ADD', 'x').exec(), /EXECABORT/);
    assert.equal(await client.get('text'), 'abc');
    other.disconnect();
  },

  async publishSubscribe() {
    const subscriber = newClient();
    const heard = [];
    subscriber.on('message', (channel, message) => heard.push(`${channel}:${message}`));
    subscriber.on('pmessage', (pattern, channel, message) => heard.push(`${pattern} ${channel}:${message}`));
    subscriber.on('smessage', (channel, message) => heard.push(`shard ${channel}:${message}`));
    assert.equal(await subscriber.subscribe('news', 'weather'), 2);
    assert.equal(await subscriber.psubscribe('ne?s*'), 3);
    assert.equal(await subscriber.ssubscribe('shard'), 1);
    assert.equal(await client.publish('news', 'one'), 2);
    assert.equal(await client.publish('newspaper', 'two'), 1);
    assert.equal(await client.spublish('shard', 'three'), 1);
    await eventually('four messages', () => heard.length === 4);
    assert.deepEqual(heard, ['news:one', 'ne?s* news:one', 'ne?s* newspaper:two', 'shard shard:three']);
    await subscriber.unsubscribe('news');
    await subscriber.punsubscribe('ne?s*');
    assert.equal(await client.publish('news', 'unheard'), 0);
    subscriber.disconnect();
  },

  async errors() {
    await client.set('text', 'abc');
    await assert.rejects(client.call('BF.ADD', 'text', 'x'), { name: 'ReplyError', message: /^WRONGTYPE/ });
    await assert.rejects(client.pfcount('text'), /not a valid HyperLogLog/);
    await assert.rejects(client.incr('text'), /not an integer/);
    await assert.rejects(client.call('BF.RESERVE', 'gate', '0.01', '100'), /item exists/);
    await assert.rejects(client.call('NOSUCH', 'x'), /unknown command 'NOSUCH'/);
    assert.equal(await client.ping(), 'PONG');
  },

  async bigValues() {
    const big = Buffer.alloc(1 << 20, allBytes);
    await client.set('big', big);
    assert.equal(Buffer.compare(await client.getBuffer('big'), big), 0);
    assert.equal(await client.call('BF.ADD', 'bigItems', big), yes);
    assert.equal(await client.call('BF.EXISTS', 'bigItems', big), yes);
    assert.equal(await client.pfadd('bigHll', big), 1);
  },

  async binaryKeys() {
    await client.set(allBytes, allBytes);
    assert.deepEqual(await client.getBuffer(allBytes), allBytes);
    const filter = Buffer.concat([allBytes, allBytes]);
    assert.equal(await client.call('BF.ADD', filter, allBytes), yes);
    assert.equal(await client.call('BF.EXISTS', filter, allBytes), yes);
    assert.equal(await client.set('Sao Paulo \u00e9 \u{1F6AA}', 'gate'), 'OK');
    assert.equal(await client.get('Sao Paulo \u00e9 \u{1F6AA}'), 'gate');
  },

  async scan() {
    await Promise.all(range(1000).map((i) => client.set(`scan:${i}`, 'v')));
    const seen = new Set();
    for await (const keys of client.scanStream({ match: 'scan:*', count: 100 })) {
      keys.forEach((key) => seen.add(key));
    }
    assert.equal(seen.size, 1000);
    const filters = [];
    for await (const keys of client.scanStream({ type: 'MBbloom--' })) {
      filters.push(...keys);
    }
    assert.ok(filters.includes('many') && !filters.includes('text'));
  },

  async restart() {
    const subscriber = newClient();
    const heard = [];
    subscriber.on('message', (channel, message) => heard.push(message));
    await subscriber.subscribe('afterwards');
    assert.equal(await client.save(), 'OK');
    await restartServer();
    assert.equal(await client.call('BF.EXISTS', 'many', 'item7777'), yes); // queued until connected
    assert.equal(await client.pfcount('both'), 4);
    assert.equal(await client.client('GETNAME'), 'doorman');
    await eventually('the subscription is restored', async () => (await client.publish('afterwards', 'hello')) === 1);
    await eventually('the message', () => heard.includes('hello'));
    subscriber.disconnect();
  },
});
