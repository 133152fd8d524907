/** Sends at a rate, whatever the answers do, and notes when each message arrives at each queue. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Account } from '../seed.ts';
import { openConnection, type Connection } from './connection.ts';
import type { Pollers } from './pollers.ts';
import { sendRequests } from './senders.ts';

/** Begins the text of a message, followed by its number and a blank. */
const MARK = 'seq-';
const ZERO = 48;
/** Opened in advance; a stall of the service needs more of them. */
const CONNECTIONS = 32;
const TICK_MS = 1;
const GIVE_UP_MS = 10_000;

/** Calls back with the number of every marked message in an answer. */
function eachMark(body: Buffer, found: (sequence: number) => void): void {
  for (let at = body.indexOf(MARK); at !== -1; at = body.indexOf(MARK, at)) {
    at += MARK.length;
    let sequence = 0;
    for (let digit = digitAt(body, at); digit >= 0 && digit <= 9; digit = digitAt(body, ++at)) {
      sequence = 10 * sequence + digit;
    }
    found(sequence);
  }
}

const digitAt = (body: Buffer, at: number): number => (body[at] ?? 0) - ZERO;

export interface OpenLoop {
  /** From the first byte of a send to its arrival in an answer, in milliseconds, for each message and queue. */
  readonly measure: (ratePerSecond: number, ms: number) => Promise<readonly number[]>;
  readonly close: () => void;
}

interface Parts {
  readonly port: number;
  readonly sender: Account;
  readonly pollers: Pollers;
  readonly queues: number;
}

export async function openOpenLoop({ port, sender, pollers, queues }: Parts): Promise<OpenLoop> {
  const all: Connection[] = [];
  const open = async (): Promise<Connection> => {
    const connection = await openConnection(port);
    all.push(connection);
    return connection;
  };
  const idle = await Promise.all(Array.from({ length: CONNECTIONS }, open));

  async function send(request: string): Promise<void> {
    const connection = idle.pop() ?? (await open());
    await connection.request(request);
    idle.push(connection);
  }

  async function measure(ratePerSecond: number, ms: number): Promise<readonly number[]> {
    const count = Math.round((ratePerSecond * ms) / 1000);
    const requests = sendRequests(sender, count, (index) => `${MARK}${String(index)} `);
    const sentAt = new Float64Array(count);
    const latencies: number[] = [];
    const arrived = Promise.withResolvers<undefined>();
    pollers.onEvents = (body) => {
      const now = performance.now();
      eachMark(body, (sequence) => latencies.push(now - (sentAt[sequence] ?? Number.NaN)));
      if (latencies.length >= count * queues) arrived.resolve(undefined);
    };
    const answers: Promise<void>[] = [];
    const startedAt = performance.now();
    for (let next = 0; next < count;) {
      const due = Math.min(count, ((performance.now() - startedAt) * ratePerSecond) / 1000);
      for (; next < due; next++) {
        sentAt[next] = performance.now();
        answers.push(send(requests[next] ?? ''));
      }
      await delay(TICK_MS);
    }
    await Promise.all(answers);
    const isComplete = await Promise.race([arrived.promise.then(() => true), giveUp()]);
    pollers.onEvents = null;
    if (!isComplete || latencies.length !== count * queues) {
      const wanted = String(count * queues);
      throw new Error(`${String(latencies.length)} deliveries where ${wanted} were due`);
    }
    return latencies;
  }

  return {
    measure,
    close() {
      for (const connection of all) connection.close();
    },
  };
}

const giveUp = (): Promise<boolean> => delay(GIVE_UP_MS, false, { ref: false });
