/** Clients that wait for events, each on a queue of its own: by long polls, or on an answer that stays open. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Account } from '../seed.ts';
import { type Connection, openConnection } from './connection.ts';
import { onThisComputer, type Place } from './place.ts';
import { type Asker, get, post } from './requests.ts';
import { openStream, type OpenStream } from './stream.ts';

export const transports = ['poll', 'stream'] as const;
export type Transport = (typeof transports)[number];

/** Called with every piece of an answer that has whole events in it, which is valid until this returns. */
export type OnEvents = (client: number, bytes: Buffer) => void;

export interface Clients {
  readonly count: number;
  /** Whoever listens now; null for nobody. */
  onEvents: OnEvents | null;
  /** Streams that ended and were taken up again. */
  readonly resumed: () => number;
  /** Settles as soon as one of them has failed, with why; never where none does. */
  readonly failed: Promise<Error>;
  /** Ends the waiting; rejects when one of them had failed. */
  readonly stop: () => Promise<void>;
}

/** As often as our own clients. */
const ACKNOWLEDGE_EVERY_MS = 10_000;
const ACKNOWLEDGE_TICK_MS = 100;
/** Clients that register at the same time. */
const REGISTERING = 16;
const MESSAGE_EVENT = ',"type":"message","message":';
const EVENT_ID = '{"id":';
const LINE_END = 10;

interface EventsAnswer {
  readonly events: readonly { readonly id: number }[];
}

const parsedLastId = (body: Buffer): number =>
  Math.max(...(JSON.parse(body.toString()) as EventsAnswer).events.map(({ id }) => id));

/** Read from the end of the answer where it ends with a message; parsed like any other client does elsewhere. */
function lastIdOfAnswer(body: Buffer): number {
  const typeAt = body.lastIndexOf(MESSAGE_EVENT);
  if (typeAt === -1) return parsedLastId(body);
  const idAt = body.lastIndexOf(EVENT_ID, typeAt);
  const id = Number(body.toString('latin1', idAt + EVENT_ID.length, typeAt));
  return Number.isSafeInteger(id) ? id : parsedLastId(body);
}

/** Every line begins with the id of its event. */
function lastIdOfLines(lines: Buffer): number {
  const at = lines.lastIndexOf(LINE_END, lines.length - 2) + 1;
  return Number.parseInt(
    lines.toString('latin1', at + EVENT_ID.length, at + EVENT_ID.length + 16),
    10,
  );
}

interface Queue {
  readonly index: number;
  readonly asker: Asker;
  readonly id: string;
  lastEventId: number;
}

/** What it holds open, to be closed. */
type Held = Set<{ readonly close: () => void }>;

async function register(
  connection: Connection,
  asker: Asker,
  index: number,
  types: readonly string[],
): Promise<Queue> {
  const fields = {
    ...{ event_types: JSON.stringify(types), fetch_event_types: '[]' },
    ...{ apply_markdown: 'true', client_gravatar: 'true' },
  };
  const body = await connection.request(post(asker, '/register', fields));
  const { queue_id: id, last_event_id: last } = JSON.parse(body.toString()) as {
    readonly queue_id: string;
    readonly last_event_id: number;
  };
  return { index, asker, id, lastEventId: last };
}

async function registerAll(
  place: Place,
  accounts: readonly Account[],
  types: readonly string[],
): Promise<readonly Queue[]> {
  const queues: Queue[] = [];
  let next = 0;
  const registerSome = async (): Promise<void> => {
    const connection = await openConnection(place);
    for (let index = next++; index < accounts.length; index = next++) {
      const account = accounts[index];
      if (account === undefined) continue;
      queues[index] = await register(connection, { ...account, place }, index, types);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: REGISTERING }, registerSome));
  return queues;
}

/** As many accounts as there are clients: some have more than one. */
export const accountsOf = (accounts: readonly Account[], clients: number): readonly Account[] =>
  Array.from({ length: clients }, (_, index) => accounts[index % accounts.length] ?? []).flat();

const position = ({ id, lastEventId }: Queue) => ({ queue_id: id, last_event_id: lastEventId });

class Waiters implements Clients {
  onEvents: OnEvents | null = null;
  readonly #place: Place;
  readonly #queues: readonly Queue[];
  readonly #held: Held = new Set();
  readonly #ends: readonly Promise<void>[];
  readonly #failure = Promise.withResolvers<Error>();
  #hasFailed = false;
  #isStopped = false;
  #resumed = 0;
  /** Streams that have not said yet that they are there, and polls that have not asked yet. */
  #silent: number;
  readonly #ready = Promise.withResolvers<undefined>();

  constructor(place: Place, queues: readonly Queue[], transport: Transport) {
    this.#place = place;
    this.#queues = queues;
    this.#silent = queues.length;
    if (this.#silent === 0) this.#ready.resolve(undefined);
    const wait = transport === 'poll' ? this.#poll : this.#listen;
    const ends = queues.map((queue) => wait(queue));
    if (transport === 'stream') ends.push(this.#acknowledge());
    this.#ends = ends.map((end) =>
      end.catch((error: unknown) => {
        if (!this.#isStopped) this.#fail(error as Error);
      }),
    );
  }

  get count(): number {
    return this.#queues.length;
  }

  get failed(): Promise<Error> {
    return this.#failure.promise;
  }

  /** Settles when all of them are told what comes. */
  async ready(): Promise<void> {
    const failed = this.failed.then((error) => {
      throw error;
    });
    await Promise.race([this.#ready.promise, failed]);
  }

  readonly resumed = (): number => this.#resumed;

  readonly stop = async (): Promise<void> => {
    this.#isStopped = true;
    for (const each of this.#held) each.close();
    await Promise.all(this.#ends);
    if (this.#hasFailed) throw await this.#failure.promise;
  };

  #isThere(): void {
    this.#silent -= 1;
    if (this.#silent === 0) this.#ready.resolve(undefined);
  }

  #goesOn(): boolean {
    return !this.#isStopped;
  }

  #fail(error: Error): void {
    this.#hasFailed = true;
    this.#failure.resolve(error);
  }

  readonly #poll = async (queue: Queue): Promise<void> => {
    const connection = await openConnection(this.#place);
    this.#held.add(connection);
    // Stopped before it was there.
    if (!this.#goesOn()) connection.close();
    for (let isNew = true; this.#goesOn(); isNew = false) {
      const answer = connection.request(get(queue.asker, '/events', position(queue)));
      if (isNew) this.#isThere();
      const body = await answer;
      queue.lastEventId = lastIdOfAnswer(body);
      this.onEvents?.(queue.index, body);
    }
  };

  readonly #listen = async (queue: Queue): Promise<void> => {
    const heard = { isNew: true };
    while (this.#goesOn()) {
      const stream = await this.#open(queue, () => {
        if (heard.isNew) this.#isThere();
        heard.isNew = false;
      });
      this.#held.add(stream);
      await stream.over;
      this.#held.delete(stream);
      if (this.#goesOn()) this.#resumed += 1;
    }
  };

  #open(queue: Queue, onHeard: () => void): Promise<OpenStream> {
    const request = get(queue.asker, '/events/stream', position(queue));
    return openStream(this.#place, request, (lines) => {
      onHeard();
      queue.lastEventId = lastIdOfLines(lines);
      this.onEvents?.(queue.index, lines);
    });
  }

  /** For all of them in turn, so that each has its own within the time. */
  async #acknowledge(): Promise<void> {
    const connection = await openConnection(this.#place);
    this.#held.add(connection);
    const step = Math.ceil((this.#queues.length * ACKNOWLEDGE_TICK_MS) / ACKNOWLEDGE_EVERY_MS);
    for (let from = 0; this.#goesOn(); from = (from + step) % this.#queues.length) {
      await delay(ACKNOWLEDGE_TICK_MS);
      for (const queue of this.#queues.slice(from, from + step)) {
        if (!this.#goesOn()) return;
        await connection.request(post(queue.asker, '/events/acknowledge', position(queue)));
      }
    }
  }
}

/**
 * Settles when every queue is registered; from then on each is waited on, and streams are open.
 * @param types  what they are told of
 */
export async function openClients(
  to: number | Place,
  accounts: readonly Account[],
  transport: Transport = 'poll',
  types: readonly string[] = ['message'],
): Promise<Clients> {
  const place = typeof to === 'number' ? onThisComputer(to) : to;
  const waiters = new Waiters(place, await registerAll(place, accounts, types), transport);
  await waiters.ready();
  return waiters;
}
