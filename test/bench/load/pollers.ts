/** Clients that wait for events, each on a queue of its own. */
import type { Account } from '../seed.ts';
import { openConnection, type Connection } from './connection.ts';
import { get, post } from './requests.ts';

/** Called with every answer of a long poll, as it arrives. */
export type OnEvents = (body: Buffer) => void;

export interface Pollers {
  /** Whoever listens now; null for nobody. */
  onEvents: OnEvents | null;
  /** Ends the polling; rejects when a poll had failed. */
  readonly stop: () => Promise<void>;
}

const MESSAGE_EVENT = ',"type":"message","message":';
const EVENT_ID = '{"id":';

interface EventsAnswer {
  readonly events: readonly { readonly id: number }[];
}

const parsedLastId = (body: Buffer): number =>
  Math.max(...(JSON.parse(body.toString()) as EventsAnswer).events.map(({ id }) => id));

/** Read from the end of the answer where it ends with a message; parsed like any other client does elsewhere. */
function lastEventId(body: Buffer): number {
  const typeAt = body.lastIndexOf(MESSAGE_EVENT);
  if (typeAt === -1) return parsedLastId(body);
  const idAt = body.lastIndexOf(EVENT_ID, typeAt);
  const id = Number(body.toString('latin1', idAt + EVENT_ID.length, typeAt));
  return Number.isSafeInteger(id) ? id : parsedLastId(body);
}

interface Queue {
  readonly connection: Connection;
  readonly account: Account;
  readonly id: string;
  lastEventId: number;
}

async function register(port: number, account: Account): Promise<Queue> {
  const connection = await openConnection(port);
  const fields = { event_types: '["message"]', apply_markdown: 'true', client_gravatar: 'true' };
  const body = await connection.request(post(account, '/register', fields));
  const { queue_id: id, last_event_id: last } = JSON.parse(body.toString()) as {
    readonly queue_id: string;
    readonly last_event_id: number;
  };
  return { connection, account, id, lastEventId: last };
}

/** As many accounts as there are queues: some have more than one. */
export const accountsOf = (accounts: readonly Account[], queues: number): readonly Account[] =>
  Array.from({ length: queues }, (_, index) => accounts[index % accounts.length] ?? []).flat();

/** Settles when every queue is registered; from then on each has a poll under way. */
export async function startPollers(port: number, accounts: readonly Account[]): Promise<Pollers> {
  const queues: Queue[] = [];
  for (const account of accounts) queues.push(await register(port, account));
  let isStopped = false;

  async function poll(queue: Queue): Promise<void> {
    while (!isStopped) {
      const fields = { queue_id: queue.id, last_event_id: queue.lastEventId };
      const body = await queue.connection.request(get(queue.account, '/events', fields));
      queue.lastEventId = lastEventId(body);
      pollers.onEvents?.(body);
    }
  }

  const pollers: Pollers = {
    onEvents: null,
    async stop() {
      isStopped = true;
      for (const { connection } of queues) connection.close();
      const failed = await failure;
      if (failed !== null) throw failed;
    },
  };
  const ends = queues.map((queue) =>
    poll(queue).then(
      () => null,
      (error: unknown) => (isStopped ? null : (error as Error)),
    ),
  );
  const failure = Promise.all(ends).then(
    (errors) => errors.find((error) => error !== null) ?? null,
  );
  return pollers;
}
