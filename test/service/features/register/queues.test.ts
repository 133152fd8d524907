import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  describeEvent,
  echoBot,
  gus,
  hookBot,
  type Options,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { register, poll, deleteQueue } = api.events;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

async function startFor(options: Options): Promise<TestService> {
  const started = await startTestService(options);
  onTestFinished(() => started.stop());
  return started;
}

const describeAll = (events: readonly Parameters<typeof describeEvent>[0][]): string[] =>
  events.map(describeEvent);

describe('a queue', () => {
  test('a queue has an id of two numbers that nobody can guess [queues.id-two-numbers]', async () => {
    const ids = [await service.register(ada), await service.register(ada)].map(({ id }) => id);
    for (const id of ids) expect(id).toMatch(/^\d+:\d+$/);
    expect(ids[0]).not.toBe(ids[1]);
  });

  test('a queue is one row', async () => {
    expect(await service.rowsAdded(() => service.register(ada))).toEqual({ queue: 1 });
  });

  test('a queue begins after what had happened when it was registered [queues.begins-happened-registered]', async () => {
    await service.say(ada, 'general', 'before');
    const queue = await service.register(ben);
    expect(await queue.heard()).toEqual([]);
    const id = await service.say(ada, 'general', 'after');
    expect(await queue.heard()).toEqual([`message ${id}`]);
  });

  test('a queue can be deleted only once [queues.deleted-once]', async () => {
    const queue = await service.register(ada);
    await service.ask(ada, deleteQueue, { queue_id: queue.id });
    const gone = { code: 'BAD_EVENT_QUEUE_ID', queue_id: queue.id };
    const params = { queue_id: queue.id };
    for (const refusal of [
      await service.refuse(ada, deleteQueue, params),
      await service.refuse(ada, poll, params),
      await service.refuse(ada, poll, { ...params, last_event_id: 0, dont_block: true }),
    ]) {
      expect(refusal).toEqual({ ...gone, msg: `Bad event queue id: ${queue.id}` });
    }
    expect(service.dump()['queue']?.some((row) => row['id'] === queue.id)).toBe(false);
  });

  test.each(['1:2', 'nonsense', '0', '-1', "'; DROP TABLE queue"])(
    'a queue that is unknown (%s) is a bad one [queues.unknown-bad]',
    async (queueId) => {
      const expected = { code: 'BAD_EVENT_QUEUE_ID', queue_id: queueId };
      const params = { queue_id: queueId };
      expect(await service.refuse(ada, poll, params)).toMatchObject(expected);
      expect(await service.refuse(ada, deleteQueue, params)).toMatchObject(expected);
    },
  );

  test('a queue belongs to its account [queues.belongs-account]', async () => {
    const queue = await service.register(ada);
    for (const who of [ben, gus, echoBot]) {
      for (const endpoint of [poll, deleteQueue]) {
        const refusal = await service.refuse(who, endpoint, { queue_id: queue.id });
        expect(refusal).toMatchObject({ code: 'BAD_REQUEST' });
      }
    }
    expect(await queue.heard()).toEqual([]);
  });

  test('a queue may be named in the query or in the body of a DELETE', async () => {
    const queue = await service.register(ada);
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ queue_id: queue.id });
    await service.ask(ada, deleteQueue, {}, { body, headers });
    const other = await service.register(ada);
    await service.ask(ada, deleteQueue, { queue_id: other.id }, { body: '' });
    expect(await service.refuse(ada, poll, { queue_id: other.id })).toMatchObject({
      code: 'BAD_EVENT_QUEUE_ID',
    });
  });

  test('a queue needs to be named to be deleted [queues.needs-named-deleted]', async () => {
    expect(await service.refuse(ada, deleteQueue)).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'queue_id',
    });
  });

  test('a queue is not for incoming webhook bots', async () => {
    for (const endpoint of [register, poll]) {
      const refusal = await service.refuse(hookBot, endpoint);
      expect(refusal).toMatchObject({ code: 'UNAUTHORIZED' });
    }
  });
});

describe('acknowledging', () => {
  test('events stay until a later fetch acknowledges them [queues.events-stay-later]', async () => {
    const queue = await service.register(ben);
    const start = queue.lastEventId;
    const ids = [
      await service.say(ada, 'general', 'ack'),
      await service.say(ada, 'general', 'ack'),
      await service.say(ada, 'general', 'ack'),
    ];
    const all = ids.map((id) => `message ${id}`);
    const fetchFrom = async (lastEventId: number | undefined) =>
      service.ask(ben, poll, {
        queue_id: queue.id,
        last_event_id: lastEventId,
        dont_block: true,
      });
    const first = await fetchFrom(start);
    expect(first.queue_id).toBe(queue.id);
    expect(first).not.toHaveProperty('last_event_id');
    expect(describeAll(first.events)).toEqual(all);
    for (const lastEventId of [undefined, -1, start, 0]) {
      expect(describeAll((await fetchFrom(lastEventId)).events)).toEqual(all);
    }
    const second = first.events[1]?.id ?? 0;
    expect(describeAll((await fetchFrom(second)).events)).toEqual(all.slice(2));
    // What was acknowledged is gone, whatever a later fetch says.
    for (const lastEventId of [undefined, -1, start]) {
      expect(describeAll((await fetchFrom(lastEventId)).events)).toEqual(all.slice(2));
    }
    expect((await fetchFrom(Number.MAX_SAFE_INTEGER)).events).toEqual([]);
    expect((await fetchFrom(-1)).events).toEqual([]);
  });

  test('an id that is too large acknowledges no more than there is', async () => {
    const queue = await service.register(ben);
    await service.say(ada, 'general', 'too large');
    expect(await queue.now({ last_event_id: 9_000_000_000_000_000 })).toEqual([]);
    const id = await service.say(ada, 'general', 'too large');
    expect(await queue.heard()).toEqual([`message ${id}`]);
  });

  test.each(['abc', '1.5', '[]', '99999999999999999999'])(
    'the last event id %s is refused [queues.last-event-id]',
    async (lastEventId) => {
      const queue = await service.register(ben);
      const params = { queue_id: queue.id, last_event_id: lastEventId, dont_block: true };
      expect(await service.refuse(ben, poll, params)).toMatchObject({
        code: 'REQUEST_VARIABLE_INVALID',
        var_name: 'last_event_id',
      });
    },
  );
});

describe('waiting', () => {
  test('a fetch waits for the first event [queues.fetch-waits-first]', async () => {
    const queue = await service.register(ben);
    const waiting = queue.poll();
    await service.arrived();
    const id = await service.tell(ada, [ben]);
    expect(describeAll(await waiting)).toEqual([`message ${id}`]);
  });

  test('a fetch that finds something does not wait', async () => {
    const queue = await service.register(ben);
    const ids = [await service.tell(ada, [ben]), await service.tell(ada, [ben])];
    expect(describeAll(await queue.poll())).toEqual(ids.map((id) => `message ${id}`));
  });

  test('a fetch that must not block answers at once [queues.fetch-must-not]', async () => {
    const queue = await service.register(ben);
    for (const flag of ['true', 'True', '1']) {
      expect(await queue.poll({ dont_block: flag })).toEqual([]);
    }
  });

  test('the newer of two fetches on one queue goes on waiting', async () => {
    const queue = await service.register(ben);
    const older = queue.poll();
    await service.arrived();
    const newer = queue.poll();
    expect(await older).toEqual([]);
    const id = await service.tell(ada, [ben]);
    expect(describeAll(await newer)).toEqual([`message ${id}`]);
  });

  test('a fetch that must not block takes over too', async () => {
    const queue = await service.register(ben);
    const older = queue.poll();
    await service.arrived();
    expect(await queue.now()).toEqual([]);
    expect(await older).toEqual([]);
  });

  test('all but one of many fetches on one queue answer at once', async () => {
    const queue = await service.register(ben);
    const params = { queue_id: queue.id, last_event_id: queue.lastEventId };
    let answered = 0;
    const fetches = Array.from({ length: 5 }, async () => {
      const { events } = await service.ask(ben, poll, params);
      answered += 1;
      return describeAll(events);
    });
    await expect.poll(() => answered).toBe(4);
    const id = await service.tell(ada, [ben]);
    const answers = await Promise.all(fetches);
    expect(answers.flat()).toEqual([`message ${id}`]);
  });

  test('deleting a queue answers the fetch that waits on it with nothing', async () => {
    const queue = await service.register(ben);
    const waiting = queue.poll();
    await service.arrived();
    await service.ask(ben, deleteQueue, { queue_id: queue.id });
    expect(await waiting).toEqual([]);
    expect(await service.refuse(ben, poll, { queue_id: queue.id })).toMatchObject({
      code: 'BAD_EVENT_QUEUE_ID',
    });
  });

  test('a client that goes away while it waits loses nothing', async () => {
    const queue = await service.register(ben);
    const client = new AbortController();
    const waiting = queue.poll({}, { signal: client.signal });
    await service.arrived();
    client.abort();
    await expect(waiting).rejects.toThrow();
    const first = await service.tell(ada, [ben]);
    const second = await service.tell(ada, [ben]);
    expect(await queue.heard()).toEqual([`message ${first}`, `message ${second}`]);
  });

  test('every queue of an account hears what concerns it, and those of others do not', async () => {
    const queues = await Promise.all([ben, ben, cleo].map((who) => service.register(who)));
    const [first, second, other] = queues.map((queue) => queue.poll());
    await service.arrived();
    const id = await service.tell(ada, [ben]);
    expect(describeAll((await first) ?? [])).toEqual([`message ${id}`]);
    expect(describeAll((await second) ?? [])).toEqual([`message ${id}`]);
    const next = await service.tell(ada, [cleo]);
    expect(describeAll((await other) ?? [])).toEqual([`message ${next}`]);
  });

  test('events come in the order of their commits, each once, however many send at once', async () => {
    const queue = await service.register(ben, { event_types: ['message'] });
    const heard: number[] = [];
    const listening = (async () => {
      while (heard.length < 60) {
        for (const event of await queue.poll()) {
          if (event.type === 'message') heard.push(event.message.id);
        }
      }
    })();
    const sent = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        service.say([ada, cleo, gus, echoBot][index % 4] ?? ada, 'general', 'order'),
      ),
    );
    await listening;
    expect(heard).toEqual([...sent].sort((a, b) => a - b));
  });
});

describe('heartbeats', () => {
  test('a heartbeat ends a fetch that has nothing to say, in every queue, with an id that is used once [queues.heartbeat-ends-fetch]', async () => {
    const quick = await startFor({ heartbeatSeconds: 0.05 });
    const queue = await quick.register(ben);
    const deaf = await quick.register(ben, { event_types: [] });
    const events = [...(await queue.poll()), ...(await deaf.poll()), ...(await queue.poll())];
    for (const event of events) expect(event).toEqual({ id: event.id, type: 'heartbeat' });
    const ids = events.map((event) => event.id);
    expect(new Set(ids).size).toBe(3);
    // A later event has a larger id, or a client that acknowledged the heartbeat would miss it.
    const id = await quick.tell(ada, [ben]);
    expect(await queue.heard()).toEqual([`message ${id}`]);
    expect(await deaf.heard()).toEqual([]);
  });

  test('a fetch that does not wait never gets a heartbeat', async () => {
    const quick = await startFor({ heartbeatSeconds: 0.05 });
    const queue = await quick.register(ben);
    await queue.poll();
    expect(await queue.heard()).toEqual([]);
  });

  test('a heartbeat comes at the latest when a fetch has lasted as long as it may [queues.heartbeat-comes-latest]', async () => {
    const quick = await startFor({ heartbeatSeconds: 50, longpollSeconds: 0.05 });
    const queue = await quick.register(ben);
    expect(describeAll(await queue.poll())).toEqual(['heartbeat']);
  });

  test('heartbeats use up ids across the blocks in which they are reserved', async () => {
    const quick = await startFor({ heartbeatSeconds: 0.001 });
    const queue = await quick.register(ben, { event_types: ['message'] });
    const start = queue.lastEventId;
    while (queue.lastEventId < start + 1100) await queue.poll();
    const id = await quick.tell(ada, [ben]);
    const heard = await queue.heard();
    expect(heard).toEqual([`message ${id}`]);
  });
});

describe('registering by fetching', () => {
  test('a fetch without a queue registers one and answers at once [queues.fetch-without-registers]', async () => {
    for (const more of [{}, { dont_block: true }, { queue_id: 'null' }, { queue_id: '' }]) {
      const answer = await service.ask(ben, poll, more);
      expect(answer).toEqual({
        queue_id: expect.stringMatching(/^\d+:\d+$/),
        last_event_id: expect.any(Number),
        events: [],
      });
      const id = await service.tell(ada, [ben]);
      const params = { queue_id: answer.queue_id, last_event_id: answer.last_event_id };
      expect(describeAll((await service.ask(ben, poll, params)).events)).toEqual([`message ${id}`]);
    }
  });

  test('a fetch that registers takes the arguments of registering [queues.fetch-registers-arguments]', async () => {
    const answer = await service.ask(ben, poll, {
      event_types: ['message'],
      narrow: [['is', 'private']],
      apply_markdown: true,
    });
    await service.say(ada, 'general', 't');
    const id = await service.tell(ada, [ben], '**b**');
    const { events } = await service.ask(ben, poll, { queue_id: answer.queue_id });
    expect(describeAll(events)).toEqual([`message ${id}`]);
    expect(events[0]).toMatchObject({ message: { content: '<p><strong>b</strong></p>' } });
  });

  test('a fetch that registers refuses what registering refuses', async () => {
    const refusal = await service.refuse(gus, poll, { all_public_streams: true });
    expect(refusal).toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('an idle queue', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Only the time of day: whatever waits, waits as long as ever. */
  function forward(seconds: number): void {
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(now + seconds * 1000);
  }

  test('an idle queue expires ten minutes after its last fetch, for fetching and for deleting [queues.idle-expires-ten]', async () => {
    const queue = await service.register(ben);
    forward(590);
    expect(await queue.heard()).toEqual([]);
    forward(590);
    expect(await queue.heard()).toEqual([]);
    forward(601);
    for (const endpoint of [poll, deleteQueue]) {
      const { code, msg } = await service.refuse(ben, endpoint, { queue_id: queue.id });
      expect({ code, msg }).toEqual({
        code: 'BAD_EVENT_QUEUE_ID',
        msg: `Bad event queue id: ${queue.id}`,
      });
    }
  });

  test.each<[string, Params, number, number]>([
    ['an hour', { queue_lifespan_secs: 3600 }, 3590, 3601],
    ['less than the default', { queue_lifespan_secs: 5 }, 590, 601],
    ['more than a day', { queue_lifespan_secs: 1_000_000 }, 86_300, 86_401],
  ])('an idle queue lives as long as it asked for: %s', async (_, params, alive, dead) => {
    const queue = await service.register(ben, params);
    forward(alive);
    expect(await queue.heard()).toEqual([]);
    forward(dead);
    const { code } = await service.refuse(ben, poll, { queue_id: queue.id });
    expect(code).toBe('BAD_EVENT_QUEUE_ID');
  });

  test('a queue does not expire while a fetch waits on it', async () => {
    const queue = await service.register(ben);
    const waiting = queue.poll();
    await service.arrived();
    forward(3000);
    const id = await service.tell(ada, [ben]);
    expect(describeAll(await waiting)).toEqual([`message ${id}`]);
    expect(await queue.heard()).toEqual([]);
  });

  test('an idle queue is swept away in the background, and then the events that only it still needed', async () => {
    const brief = await startFor({ queueIdleSeconds: 1 });
    const queue = await brief.register(ben);
    await brief.tell(ada, [ben]);
    await expect.poll(() => brief.dump()).toMatchObject({ queue: [], event: [] });
    expect(await brief.refuse(ben, poll, { queue_id: queue.id })).toMatchObject({
      code: 'BAD_EVENT_QUEUE_ID',
    });
  });
});

describe('a restart', () => {
  test('a restart keeps queues: they go on where they were and hear of it [queues.restart-go-hear]', async () => {
    const restarted = await startFor({});
    const all = await restarted.register(ben);
    const messages = await restarted.register(ben, { event_types: ['message'] });
    const acknowledged = await restarted.register(ben, { event_types: ['message'] });
    const before = await restarted.tell(ada, [ben]);
    expect(await acknowledged.heard()).toEqual([`message ${before}`]);
    expect(await acknowledged.heard()).toEqual([]);
    await restarted.restart();
    const after = await restarted.tell(ada, [ben]);
    expect(await all.heard()).toEqual([`message ${before}`, 'restart', `message ${after}`]);
    expect(await messages.heard()).toEqual([`message ${before}`, `message ${after}`]);
    expect(await acknowledged.heard()).toEqual([`message ${after}`]);
    expect(await all.heard()).toEqual([]);
  });

  test('a restart repeats nothing that was acknowledged, even to a client that has forgotten what it knew', async () => {
    const restarted = await startFor({});
    const queue = await restarted.register(ben, { event_types: ['message'] });
    const first = await restarted.tell(ada, [ben]);
    const second = await restarted.tell(ada, [ben]);
    const fetchFrom = async (lastEventId?: number) => {
      const params = { queue_id: queue.id, last_event_id: lastEventId, dont_block: true };
      return (await restarted.ask(ben, poll, params)).events;
    };
    const events = await fetchFrom();
    expect(describeAll(events)).toEqual([`message ${first}`, `message ${second}`]);
    await fetchFrom(events[0]?.id);
    await restarted.restart();
    expect(describeAll(await fetchFrom())).toEqual([`message ${second}`]);
  });

  test('a restart answers the fetches that wait, and their queues lose nothing', async () => {
    const restarted = await startFor({});
    const queue = await restarted.register(ben, { event_types: ['message'] });
    const waiting = queue.poll();
    await restarted.arrived();
    await restarted.restart();
    expect(await waiting).toEqual([]);
    const id = await restarted.tell(ada, [ben]);
    expect(await queue.heard()).toEqual([`message ${id}`]);
  });

  test('several restarts while messages arrive leave no gap and no repetition', async () => {
    const restarted = await startFor({});
    const queue = await restarted.register(ben, { event_types: ['message'] });
    const sent: number[] = [];
    const heard: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      sent.push(...(await Promise.all([1, 2, 3].map(() => restarted.tell(ada, [ben])))));
      if (round % 2 === 0) heard.push(...(await queue.heard()));
      await restarted.restart();
      sent.push(await restarted.tell(ada, [ben]));
      heard.push(...(await queue.heard()));
    }
    expect(heard).toEqual(sent.sort((a, b) => a - b).map((id) => `message ${id}`));
  });

  test('a deleted queue does not come back with a restart', async () => {
    const restarted = await startFor({});
    const queue = await restarted.register(ben);
    await restarted.ask(ben, deleteQueue, { queue_id: queue.id });
    await restarted.restart();
    expect(await restarted.refuse(ben, poll, { queue_id: queue.id })).toMatchObject({
      code: 'BAD_EVENT_QUEUE_ID',
    });
  });

  test('the idle age of a queue counts on through a restart', async () => {
    const restarted = await startFor({});
    const queue = await restarted.register(ben);
    await restarted.halt();
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 602_000);
    try {
      await restarted.start();
      expect(await restarted.refuse(ben, poll, { queue_id: queue.id })).toMatchObject({
        code: 'BAD_EVENT_QUEUE_ID',
      });
    } finally {
      vi.useRealTimers();
    }
  });
});
