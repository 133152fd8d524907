/** What all share is counted by people, their bots included (API decisions 13). */
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  gus,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';
import { upload } from '#test/support/images.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ limits: { queuesPerAccount: 3, personUploadBytes: 5000 } });
});
afterAll(() => service.stop());

let made = 0;
const makeBot = (who: string) => {
  made += 1;
  const names = { full_name: `Bot ${String(made)}`, short_name: `share${String(made)}` };
  return service.ask(who, api.bots.create, names);
};

test('queues of bots count with those of their owner, and cost nobody else one', async () => {
  const other = await service.register(ada);
  const own = await service.register(ben);
  for (let count = 0; count < 3; count += 1) {
    await service.register((await makeBot(ben)).email);
  }
  const gone = await service.refuse(ben, api.events.poll, { queue_id: own.id, dont_block: true });
  expect(gone.code).toBe('BAD_EVENT_QUEUE_ID');
  expect(await other.now()).toEqual(expect.any(Array));
});

test('event types that there are not are dropped, and a list of them alone is none', async () => {
  const junk = Array.from({ length: 4000 }, (_, index) => `${'x'.repeat(200)}${String(index)}`);
  const some = await service.register(ada, { event_types: ['message', 'message', ...junk] });
  const none = await service.register(ada, { event_types: junk });
  await service.say(ada, 'general', 'topic', 'text');
  expect(await some.now()).toMatchObject([{ type: 'message' }]);
  expect(await none.now()).toEqual([]);
  const db = new Database(service.file, { readonly: true });
  const longest = db.prepare('SELECT MAX(LENGTH(options)) FROM queue').pluck().get();
  db.close();
  expect(longest).toBeLessThan(1000);
});

test('a narrow that would be kept with a queue has a size', async () => {
  const narrow = Array.from({ length: 101 }, () => ['topic', 'a']);
  await service.refuse(ada, api.events.register, { narrow });
  await service.refuse(ada, api.events.register, { narrow: [['topic', 'a'.repeat(20_000)]] });
});

test('a person owns at most 60 active bots', async () => {
  // There is the echo bot already.
  for (let count = 0; count < 59; count += 1) await makeBot(ada);
  expect(
    await service.refuse(ada, api.bots.create, { full_name: 'More', short_name: 'more' }),
  ).toMatchObject({ code: 'BAD_REQUEST', msg: 'One person can own at most 60 bots' });
});

test('a request creates at most 100 streams, or none', async () => {
  const named = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ name: `many ${String(index)}` }));
  const { code, msg } = await service.refuse(cleo, api.streams.subscribe, {
    subscriptions: named(101),
  });
  expect([code, msg]).toEqual(['BAD_REQUEST', 'At most 100 streams can be created at once']);
  const { streams } = await service.ask(ada, api.streams.list);
  expect(streams.filter(({ name }) => name.startsWith('many'))).toEqual([]);
  await service.ask(cleo, api.streams.subscribe, { subscriptions: named(100) });
});

test('files of bots count for the quota of their owner, and for nobody else', async () => {
  const send = (who: string) =>
    service.send(who, 'POST /user_uploads', {}, { body: upload(new Uint8Array(3000), 'a.bin') });
  const bot = await makeBot(cleo);
  expect((await send(cleo)).status).toBe(200);
  expect(await send(bot.email)).toMatchObject({
    status: 400,
    body: { code: 'REALM_UPLOAD_QUOTA' },
  });
  expect((await send(gus)).status).toBe(200);
});
