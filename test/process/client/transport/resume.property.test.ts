import fc from 'fast-check';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ClientState } from '#shared/bridge/models/client-state.ts';
import {
  Computer,
  everything,
  hastyClock,
  quickService,
  type Running,
} from '#test/support/client/computer.ts';
import { FaultyLine, type LineState } from '#test/support/client/faulty-line.ts';
import { ids, Mate } from '#test/support/window/office-mates.ts';
import { type RunningService, startService } from '#test/support/service/service.ts';

const ofOthers = ['message', 'edit', 'delete', 'react', 'flag'] as const;
const ofPerson = ['send', 'read', 'star'] as const;
const disturbances = ['restart', 'kill', 'lose queue', 'wake', 'new service'] as const;
type OfOthers = (typeof ofOthers)[number];
type OfPerson = (typeof ofPerson)[number];
type Disturbance = (typeof disturbances)[number];

type Step =
  | { readonly kind: OfOthers | OfPerson; readonly pick: number }
  | { readonly kind: Disturbance }
  | { readonly kind: 'line'; readonly state: LineState };

const picking = (kinds: readonly (OfOthers | OfPerson)[]): fc.Arbitrary<Step> =>
  fc.record({ kind: fc.constantFrom(...kinds), pick: fc.nat(1000) });

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: picking(['message']) },
  { weight: 6, arbitrary: picking(ofOthers.slice(1)) },
  { weight: 6, arbitrary: picking(ofPerson) },
  {
    weight: 5,
    arbitrary: fc.constantFrom(...disturbances.slice(0, 4)).map((kind): Step => ({ kind })),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'new service' }) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom<LineState[]>('refused', 'cut', 'half-open', 'mute', 'slow', 'open')
      .map((state): Step => ({ kind: 'line', state })),
  },
);

const name = 'ada@example.com';
let dataDir: string;
let service: RunningService;
let ben: Mate;
let ada: Mate;
let line: FaultyLine;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'hearth-service-'));
  service = await startService({ dev: true, dataDir, args: quickService });
  ben = await Mate.of(() => service.origin, 'ben');
  ada = await Mate.of(() => service.origin, 'ada');
  line = new FaultyLine(() => service.origin);
  await line.open();
});
afterAll(async () => {
  await line.close();
  await service.stop();
  await rm(dataDir, { recursive: true });
});

/** One of the person's computers. */
class Desk {
  readonly computer: Computer;
  #running: Running;
  readonly #told: number[] = [];
  /** What was written here, in order. */
  readonly sent: string[] = [];

  private constructor(computer: Computer, running: Running) {
    this.computer = computer;
    this.#running = running;
  }

  static async join(how: { readonly hasStreams: boolean }): Promise<Desk> {
    const computer = await Computer.buy();
    computer.clock = hastyClock;
    computer.hasStreams = how.hasStreams;
    return new Desk(computer, await computer.join({ origin: line.origin, email: name }));
  }

  get running(): Running {
    return this.#running;
  }

  told(): readonly number[] {
    return [...this.#told, ...this.#running.arrived().map(({ id }) => id)];
  }

  async send(content: string): Promise<void> {
    await this.#running.send(content, [ids.ben]);
    this.sent.push(content);
  }

  async disturb(kind: Exclude<Disturbance, 'new service'>): Promise<void> {
    const { client } = this.#running;
    switch (kind) {
      case 'restart':
        await client.stop();
        return this.#again();
      case 'kill':
        await this.computer.kill(this.#running);
        return this.#again();
      case 'wake':
        client.wake();
        return;
      case 'lose queue': {
        const polled = this.computer.requestsTo('/events').at(-1)?.params['queue_id'];
        // It may be lost already.
        await ada.ask('DELETE', '/events', { queue_id: polled }).catch(() => undefined);
      }
    }
  }

  async #again(): Promise<void> {
    this.#told.push(...this.#running.arrived().map(({ id }) => id));
    this.#running = await this.computer.start();
  }
}

class World {
  readonly desks: readonly Desk[];
  /** What the others wrote, in order. */
  readonly written: number[] = [];
  readonly deleted = new Set<number>();
  #sent = 0;

  constructor(desks: readonly Desk[]) {
    this.desks = desks;
  }

  async perform(taken: Step): Promise<void> {
    switch (taken.kind) {
      case 'message':
      case 'edit':
      case 'delete':
      case 'react':
      case 'flag':
        return this.#byOthers(taken.kind, taken.pick);
      case 'send':
      case 'read':
      case 'star':
        return this.#here(taken.kind, taken.pick);
      case 'line':
        return line.become(taken.state);
      case 'new service':
        await service.kill();
        service = await startService({ dev: true, dataDir, args: quickService });
        return;
      default:
        for (const desk of this.desks) await desk.disturb(taken.kind);
    }
  }

  #pick(pick: number): number | undefined {
    const left = this.written.filter((id) => !this.deleted.has(id));
    return left[pick % left.length];
  }

  async #byOthers(kind: OfOthers, pick: number): Promise<void> {
    if (kind === 'message') {
      const topic = `topic ${String(pick % 3)}`;
      const id =
        pick % 2 === 0
          ? await ben.tell('ada', `message ${String(pick)}`)
          : await ben.say('general', topic, `said ${String(pick)}`);
      this.written.push(id);
      return;
    }
    const id = this.#pick(pick);
    if (id === undefined) return;
    if (kind === 'edit') await ben.edit(id, `edited ${String(pick)}`);
    if (kind === 'flag') await ada.flag(pick % 2 === 0 ? 'add' : 'remove', 'starred', [id]);
    // Somebody may have given it already.
    if (kind === 'react')
      await ben.react(id, pick % 2 === 0 ? 'tada' : '+1').catch(() => undefined);
    if (kind !== 'delete') return;
    await ada.delete(id);
    this.deleted.add(id);
  }

  /** The person sits at one desk, then at the other. */
  async #here(kind: OfPerson, pick: number): Promise<void> {
    const desk = this.desks[pick % this.desks.length]!;
    const { client, account } = desk.running;
    if (kind === 'send') return desk.send(`own ${String(this.#sent++)} ${crypto.randomUUID()}`);
    const id = this.#pick(pick);
    if (kind === 'read') await client.markRead(account.id, { kind: 'everything' });
    else if (id !== undefined) await client.star(account.id, id, pick % 3 !== 0);
  }
}

/** Without what belongs to one computer, and what no event tells: who is there, after a new start, and of first messages. */
function shared(state: ClientState): object {
  const {
    drafts: _drafts,
    outbox: _outbox,
    storageProblem: _problem,
    lost: _lost,
    // Told by events, or found missing in a new snapshot.
    goneStreams: _gone,
    // When this client heard of files last.
    fileChange: _change,
    ...rest
  } = state;
  const plainly = (streams: readonly object[]): readonly object[] =>
    streams.map((stream) => ({ ...stream, firstMessageId: null, weeklyTraffic: null }));
  return {
    ...rest,
    presences: {},
    typing: {},
    memberChanges: {},
    streams: plainly(rest.streams),
    otherStreams: plainly(rest.otherStreams),
  };
}

const plain = async (running: Running): Promise<unknown> =>
  (await running.page(everything, 5000)).messages.map((message) => ({ ...message, localId: null }));

/** What it all comes to: everything here is as a client has it that was never disturbed. */
async function expectRight(world: World): Promise<void> {
  const { desks } = world;
  for (const { running } of desks) {
    await expect.poll(async () => (await running.state()).outbox.length).toBe(0);
  }
  const fresh = await (await Computer.buy()).join({ origin: service.origin, email: name });
  await Promise.all([fresh, ...desks.map(({ running }) => running)].map((each) => each.filled()));
  for (const desk of desks) {
    await expectSame(desk.running, fresh);
    const own = (await ada.contents()).filter((text) => desk.sent.includes(text));
    expect(own).toEqual(desk.sent);
    const told = desk.told();
    expect(new Set(told).size).toBe(told.length);
    const missing = world.written.filter((id) => !world.deleted.has(id) && !told.includes(id));
    expect(missing).toEqual([]);
  }
  await fresh.client.stop();
}

async function expectSame(running: Running, fresh: Running): Promise<void> {
  await expect
    .poll(async () => {
      expect(shared(await running.state())).toEqual(shared(await fresh.state()));
      return true;
    })
    .toBe(true);
  await expect
    .poll(async () => {
      expect(await plain(running)).toEqual(await plain(fresh));
      return true;
    })
    .toBe(true);
}

test('whatever happens to clients with and without streams, line, service and queues, it ends as if nothing had', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 24 }), async (steps) => {
      await line.become('open');
      const desks = [await Desk.join({ hasStreams: true }), await Desk.join({ hasStreams: false })];
      const world = new World(desks);
      for (const taken of steps) await world.perform(taken);
      await line.become('open');
      for (const { running } of desks) await running.live();
      await expectRight(world);
      for (const { computer, running } of desks) {
        expect(computer.requestsTo('/events/stream').length > 0).toBe(computer.hasStreams);
        await running.client.stop();
      }
    }),
    { numRuns: 10, endOnFailure: true },
  );
});
