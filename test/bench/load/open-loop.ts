/** Sends at a rate, whatever the answers do, and notes when each message arrives at each client. */
import { setTimeout as delay } from 'node:timers/promises';
import { streamName, topicName, type Account } from '../seed.ts';
import { textSource } from '../texts.ts';
import type { Clients } from './clients.ts';
import { openConnection, type Connection } from './connection.ts';
import { Deliveries } from './deliveries.ts';
import { Histogram } from './histogram.ts';
import { onThisComputer, type Place } from './place.ts';
import { type Asker, encode, postHead } from './requests.ts';

const TEXTS = 500;
const TOPICS = 10;
const ZERO = 48;
/** Every number has as many, so that the length of a request is known before its number. */
const DIGITS = 9;
const TICK_MS = 1;
/** So long after the last arrival nothing more is waited for. */
const GIVE_UP_MS = 10_000;
const LOOK_AGAIN_MS = 20;

/** Calls back with the number behind every mark in an answer. */
function eachMark(body: Buffer, mark: Buffer, found: (sequence: number) => void): void {
  for (let at = body.indexOf(mark); at !== -1; at = body.indexOf(mark, at)) {
    at += mark.length;
    let sequence = 0;
    for (const end = at + DIGITS; at < end; at++) sequence = 10 * sequence + digitAt(body, at);
    found(sequence);
  }
}

const digitAt = (body: Buffer, at: number): number => (body[at] ?? 0) - ZERO;

export interface Measured {
  /** From the first byte of a send to its arrival, for each message and client. */
  readonly times: Histogram;
  readonly sent: number;
  /** How many of the messages sent, summed over the clients. */
  readonly lost: number;
  readonly doubled: number;
  /** From the first send to the last arrival. */
  readonly seconds: number;
}

export interface OpenLoop {
  readonly measure: (ratePerSecond: number, ms: number) => Promise<Measured>;
  readonly close: () => void;
}

interface Parts {
  readonly to: number | Place;
  readonly sender: Account;
  readonly clients: readonly Clients[];
  /** The stream that is sent to: all of the clients have to be in it. */
  readonly stream?: string;
  /** Open from the start; more are opened where all of them wait for an answer. */
  readonly connections?: number;
}

type RequestOf = (sequence: number) => string;

function numberedRequests(asker: Asker, stream: string, mark: string): RequestOf {
  const nextText = textSource(4);
  const parts = Array.from({ length: TEXTS }, (_, index) => {
    const to = { type: 'stream', to: stream, topic: topicName(index % TOPICS) };
    const before = `${encode(to)}&content=${mark}`;
    const after = encodeURIComponent(` ${nextText().content}`);
    const length = before.length + DIGITS + after.length;
    return { before: postHead(asker, '/messages', length) + before, after };
  });
  return (sequence) => {
    const part = parts[sequence % TEXTS];
    return `${part?.before ?? ''}${String(sequence).padStart(DIGITS, '0')}${part?.after ?? ''}`;
  };
}

/** Letters of this process and a number of its own, so that nothing else that is said there counts. */
const ownName = Math.random().toString(36).slice(2, 8);
let runs = 0;

/** Waits until all has arrived, or nothing more does. */
async function settle(deliveries: Deliveries, wanted: number, problem: Problem): Promise<void> {
  let [arrived, since] = [deliveries.arrived, performance.now()];
  const isHopeless = (): boolean =>
    problem.error !== undefined || performance.now() - since > GIVE_UP_MS;
  while (arrived < wanted && !isHopeless()) {
    await delay(LOOK_AGAIN_MS);
    if (deliveries.arrived > arrived) [arrived, since] = [deliveries.arrived, performance.now()];
  }
}

/** Why it is of no use to go on. */
interface Problem {
  error?: Error;
}

/** Calls back with one number after the other at the rate, whatever becomes of them. */
async function atRate(
  ratePerSecond: number,
  count: number,
  problem: Problem,
  send: (sequence: number) => void,
): Promise<void> {
  const startedAt = performance.now();
  for (let next = 0; next < count && problem.error === undefined;) {
    const due = Math.min(count, ((performance.now() - startedAt) * ratePerSecond) / 1000);
    for (; next < due; next++) send(next);
    await delay(TICK_MS);
  }
}

export async function openOpenLoop(parts: Parts): Promise<OpenLoop> {
  const { to, sender, clients, stream = streamName(0), connections = 1 } = parts;
  const place = typeof to === 'number' ? onThisComputer(to) : to;
  const all: Connection[] = [];
  const open = async (): Promise<Connection> => {
    const connection = await openConnection(place);
    all.push(connection);
    return connection;
  };
  const idle = await Promise.all(Array.from({ length: connections }, open));

  /** The one that was idle longest: a service closes a connection that nobody uses, just as somebody would. */
  function takeIdle(): Connection | undefined {
    let connection = idle.shift();
    while (connection?.isOpen() === false) connection = idle.shift();
    return connection;
  }

  async function send(request: string): Promise<void> {
    const connection = takeIdle() ?? (await open());
    await connection.request(request);
    idle.push(connection);
  }

  /** Notes what arrives until it is called off. */
  function listen(mark: Buffer, arrived: (client: number, sequence: number) => void): () => void {
    let first = 0;
    for (const group of clients) {
      const before = first;
      group.onEvents = (client, bytes) => {
        eachMark(bytes, mark, (sequence) => arrived(before + client, sequence));
      };
      first += group.count;
    }
    return () => {
      for (const group of clients) group.onEvents = null;
    };
  }

  async function measure(ratePerSecond: number, ms: number): Promise<Measured> {
    const count = Math.round((ratePerSecond * ms) / 1000);
    const mark = `load${ownName}x${String(runs++)}x`;
    const requestOf = numberedRequests({ ...sender, place }, stream, mark);
    const sentAt = new Float64Array(count);
    const times = new Histogram();
    const total = clients.reduce((sum, group) => sum + group.count, 0);
    const deliveries = new Deliveries(total, count);
    const stopListening = listen(Buffer.from(mark), (client, sequence) => {
      if (!deliveries.note(client, sequence)) return;
      times.add(performance.now() - (sentAt[sequence] ?? Number.NaN));
    });
    const problem: Problem = {};
    const give = (error: unknown): void => {
      problem.error ??= error as Error;
    };
    for (const group of clients) void group.failed.then(give);
    const startedAt = performance.now();
    const answers: Promise<void>[] = [];
    await atRate(ratePerSecond, count, problem, (sequence) => {
      sentAt[sequence] = performance.now();
      answers.push(send(requestOf(sequence)).catch(give));
    });
    await Promise.all(answers);
    await settle(deliveries, count * total, problem);
    stopListening();
    if (problem.error !== undefined) throw problem.error;
    const { arrived, doubled } = deliveries;
    const seconds = (performance.now() - startedAt) / 1000;
    return { times, sent: count, lost: count * total - arrived, doubled, seconds };
  }

  return {
    measure,
    close() {
      for (const connection of all) connection.close();
    },
  };
}

/** What is measured where nothing may go wrong. @throws where something was lost or doubled */
export function whole(measured: Measured): Measured {
  const { lost, doubled } = measured;
  if (lost > 0 || doubled > 0) {
    throw new Error(`${String(lost)} deliveries were lost, ${String(doubled)} doubled`);
  }
  return measured;
}
