/** Clients that send: as fast as they are answered, or at a given rate. */
import { streamName, topicName, type Account } from '../seed.ts';
import { textSource } from '../texts.ts';
import { openConnection, type Connection } from './connection.ts';
import { post } from './requests.ts';

const TEXTS = 500;
const TOPICS = 10;

/** Built before anything is measured. @param mark  what the text begins with */
export function sendRequests(account: Account, count: number, mark = (_: number) => ''): string[] {
  const nextText = textSource(4);
  return Array.from({ length: count }, (_, index) =>
    post(account, '/messages', {
      type: 'stream',
      to: streamName(0),
      topic: topicName(index % TOPICS),
      content: mark(index) + nextText().content,
    }),
  );
}

interface Sender {
  readonly connection: Connection;
  readonly requests: readonly string[];
}

export interface Sent {
  /** Acknowledged messages. */
  readonly messages: number;
  readonly seconds: number;
}

export interface Senders {
  readonly sendFor: (senders: number, ms: number) => Promise<Sent>;
  readonly sendMany: (senders: number, count: number) => Promise<void>;
  readonly close: () => void;
}

/** A closed loop: each sender waits for its answer and sends the next message. */
export async function openSenders(port: number, accounts: readonly Account[]): Promise<Senders> {
  const all: Sender[] = [];
  for (const account of accounts) {
    const requests = sendRequests(account, Math.ceil(TEXTS / accounts.length));
    all.push({ connection: await openConnection(port), requests });
  }

  /** @param isMore  asked before each send */
  async function run(senders: number, isMore: () => boolean): Promise<void> {
    const loop = async ({ connection, requests }: Sender): Promise<void> => {
      for (let i = 0; isMore(); i = (i + 1) % requests.length) {
        await connection.request(requests[i] ?? '');
      }
    };
    await Promise.all(all.slice(0, senders).map(loop));
  }

  return {
    async sendFor(senders, ms) {
      const startedAt = performance.now();
      let sent = 0;
      await run(senders, () => {
        const isMore = performance.now() - startedAt < ms;
        if (isMore) sent++;
        return isMore;
      });
      return { messages: sent, seconds: (performance.now() - startedAt) / 1000 };
    },
    async sendMany(senders, count) {
      let left = count;
      await run(senders, () => left-- > 0);
    },
    close() {
      for (const { connection } of all) connection.close();
    },
  };
}
