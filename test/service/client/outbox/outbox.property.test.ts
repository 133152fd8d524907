/**
 * Everything that may happen to an outbox, in any order: what was written is on the service exactly once, in the order
 * in which it was written in its conversation.
 */
import fc from 'fast-check';
import { rm, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createApi } from '#client/transport/api.ts';
import { createOutbox, type Outbox } from '#client/outbox/outbox.ts';
import { api } from '#shared/api/endpoints/index.ts';
import type { Conversation } from '#shared/bridge/models/client.ts';
import { openSqliteOutbox } from '#desktop/storage/outbox-store.ts';
import { ada, ben, idOf, startTestService, type TestService } from '#test/support/service/api.ts';
import {
  type Fault,
  fastClock,
  FaultyNetwork,
  knownAddress,
} from '#test/support/client/faulty-http.ts';
import { shortOrLong } from '#test/support/long.ts';

const conversations: readonly Conversation[] = [
  { kind: 'private', userIds: [] },
  { kind: 'private', userIds: [idOf[ben] ?? 0] },
  { kind: 'stream', streamId: 1, topic: 'outbox' },
];

type Happening = 'pause' | 'resume' | 'restart-service' | 'restart-client' | 'kill-client';

type Step =
  | { readonly kind: 'write'; readonly to: number; readonly count: number }
  | { readonly kind: 'faults'; readonly faults: readonly Fault[] }
  | { readonly kind: 'usual'; readonly fault: Fault }
  | { readonly kind: Happening }
  | { readonly kind: 'let-run'; readonly ms: number };

const fault = fc.constantFrom<Fault>('none', 'cut', 'lost', 'late', 'hung', 'strange');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      to: fc.nat(conversations.length - 1),
      count: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('faults' as const),
      faults: fc.array(fault, { maxLength: 6 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('usual' as const), fault }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('pause' as const, 'resume' as const) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('restart-client' as const, 'kill-client' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart-service' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('let-run' as const), ms: fc.nat(15) }),
  },
);

/** The application from one start to the next; a session that shows every message as soon as it is accepted. */
class Run {
  readonly outbox: Outbox;
  readonly #store;
  #isDead = false;

  constructor(file: string, network: FaultyNetwork, key: string) {
    const { outbox: store, problem } = openSqliteOutbox(file);
    expect(problem).toBe(null);
    this.#store = store;
    const credentials = { email: ada, key };
    const http = (request: Parameters<typeof network.http>[0]) =>
      this.#isDead ? Promise.reject(new Error('killed')) : network.http(request);
    this.outbox = createOutbox({
      store,
      clock: fastClock,
      api: createApi({ http, clock: fastClock, address: knownAddress, credentials }),
      ownUserId: idOf[ada] ?? 0,
      queueId: () => null,
      changed: () => undefined,
      accepted: (localId, messageId) => {
        if (!this.#isDead) this.outbox.confirm(localId, messageId);
      },
    });
  }

  async end(how: 'stop' | 'kill'): Promise<void> {
    // What is on the wire stays there: nobody waits for it any more.
    this.#isDead = how === 'kill';
    if (how === 'stop') await this.outbox.stop();
    this.#store.close();
    if (how === 'kill') await this.outbox.stop();
  }
}

async function contentsOf(service: TestService): Promise<ReadonlyMap<string, readonly string[]>> {
  const page = { anchor: 'newest', num_before: 5000, num_after: 0, apply_markdown: false };
  const { messages } = await service.ask(ada, api.messages.page, page);
  const found = new Map<string, string[]>();
  for (const { content } of messages.toSorted((a, b) => a.id - b.id)) {
    const [name = '', lane = ''] = content.split(' ');
    const key = `${name} ${lane}`;
    found.set(key, [...(found.get(key) ?? []), content]);
  }
  return found;
}

interface Place {
  readonly service: TestService;
  readonly name: string;
  readonly file: string;
  readonly key: string;
}

class World {
  readonly network: FaultyNetwork;
  /** Contents by conversation, in the order in which they were written. */
  readonly written = new Map<string, string[]>();
  readonly #place: Place;
  #run: Run;

  constructor(place: Place) {
    this.#place = place;
    this.network = new FaultyNetwork(() => place.service.origin);
    this.#run = this.#start();
  }

  async take(step: Step): Promise<void> {
    switch (step.kind) {
      case 'write':
        for (let number = 0; number < step.count; number += 1) this.#write(step.to);
        return;
      case 'faults':
        this.network.faults.push(...step.faults);
        return;
      case 'usual':
        this.network.usual = step.fault;
        return;
      case 'let-run':
        await delay(step.ms);
        return;
      default:
        await this.#happen(step.kind);
    }
  }

  /** The network is whole again, and somebody says yes wherever it has to be decided. */
  async settle(): Promise<void> {
    this.network.usual = 'none';
    this.network.faults.length = 0;
    const { outbox } = this.#run;
    outbox.resume();
    while (outbox.items().length > 0) {
      for (const { localId, state } of outbox.items()) {
        if (state === 'failed') outbox.retry(localId);
      }
      await delay(5);
    }
    await this.network.quiet();
    await this.#run.end('stop');
  }

  #start(): Run {
    return new Run(this.#place.file, this.network, this.#place.key);
  }

  #write(to: number): void {
    const lane = `${this.#place.name} ${String(to)}`;
    const before = this.written.get(lane) ?? [];
    const content = `${lane} ${String(before.length)}`;
    const conversation = conversations[to] ?? { kind: 'private', userIds: [] };
    expect(this.#run.outbox.submit({ conversation, content }, null).ok).toBe(true);
    this.written.set(lane, [...before, content]);
  }

  async #happen(kind: Happening): Promise<void> {
    if (kind === 'pause') this.#run.outbox.pause();
    else if (kind === 'resume') this.#run.outbox.resume();
    else if (kind === 'restart-service') await this.#place.service.restart();
    else {
      await this.#run.end(kind === 'kill-client' ? 'kill' : 'stop');
      this.#run = this.#start();
    }
  }
}

test('every text is sent exactly once and in order, whatever happens to network, service and client', async () => {
  const service = await startTestService();
  const dir = await mkdtemp(join(tmpdir(), 'hearth-outbox-'));
  const key = await service.keyOf(ada);
  let runs = 0;
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        runs += 1;
        const name = `run${String(runs)}`;
        const world = new World({ service, name, file: join(dir, `${name}.db`), key });
        for (const each of steps) await world.take(each);
        await world.settle();
        const found = await contentsOf(service);
        // Where somebody had to decide, what came after was sent meanwhile.
        const isOrdered = !steps.some((each) => each.kind === 'usual' && each.fault === 'strange');
        for (const [lane, contents] of world.written) {
          const sent = found.get(lane) ?? [];
          if (isOrdered) expect(sent).toEqual(contents);
          else expect(sent.toSorted()).toEqual(contents.toSorted());
        }
      }),
      { numRuns: shortOrLong(25, 200) },
    );
  } finally {
    await service.stop();
    await rm(dir, { recursive: true, force: true });
  }
});
