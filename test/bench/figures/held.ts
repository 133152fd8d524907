/**
 * How long one request keeps all others waiting: the dearest that each endpoint takes, sent while another connection asks
 * for next to nothing over and over. What that waits beyond its usual time is how long the service's thread was held.
 */
import { accountsOf, type Clients, openClients } from '../load/clients.ts';
import { openConnection, type Connection } from '../load/connection.ts';
import { get, post } from '../load/requests.ts';
import { limited, type Row } from '../report.ts';
import { streamName, type Account } from '../seed.ts';
import { type Seeded, withMessages } from '../seeded.ts';
import { median } from '../statistics.ts';

export interface HeldPlan {
  readonly messages: number;
  readonly rounds: number;
}

const ACCOUNTS = 1000;
/** Searching, rendering and decoding hold the thread for at most so long. */
const LIMIT_MS = 50;
const PROBES = 40;

interface Dear {
  readonly name: string;
  /** What it may take instead of the limit, where its answer or its change is as large as it may be. */
  readonly boundMs?: number;
  readonly request: (account: Account, round: number) => string;
}

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
const words = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `${letters[index % 36] ?? ''}${'e'.repeat(index % 3)}`,
  ).join(' ');
const search =
  (operand: string, more: Readonly<Record<string, string>> = {}): Dear['request'] =>
  (account) =>
    post(account, '/messages?method=GET', {
      ...{ anchor: 'newest', num_before: 100, num_after: 0, reach: 'readable', ...more },
      narrow: JSON.stringify([{ operator: 'search', operand }]),
    });
const rendered =
  (text: string): Dear['request'] =>
  (account) =>
    post(account, '/messages/render', { content: text.repeat(10_000 / text.length) });
const codeBlock = '```js\nlet a = 1;\n```\n';
const idsUpTo = (count: number): string =>
  JSON.stringify(Array.from({ length: count }, (_, index) => index + 1));

const dear: readonly Dear[] = [
  {
    name: 'GET /messages, 5,000 of them',
    request: (account) =>
      get(account, '/messages', { anchor: 'newest', num_before: 5000, num_after: 0 }),
  },
  { name: 'a search for 32 prefixes', request: search(words(32)) },
  {
    name: 'a search for 32 prefixes, the best first',
    request: search(words(32), { order: 'relevance' }),
  },
  { name: 'a search for a phrase of 64 words', request: search(`"${'the '.repeat(64)}"`) },
  { name: 'a search for 100,000 words, refused', request: search(words(100_000).slice(0, 60_000)) },
  {
    name: 'a search without 31 words',
    request: (account) =>
      get(account, '/messages', {
        ...{ anchor: 'newest', num_before: 100, num_after: 0, reach: 'readable' },
        narrow: JSON.stringify(
          words(31)
            .split(' ')
            .map((operand) => ({ operator: 'search', operand, negated: true })),
        ),
      }),
  },
  {
    name: 'GET /messages/matches_narrow of 5,000',
    request: (account) =>
      post(account, '/messages/matches_narrow?method=GET', {
        msg_ids: idsUpTo(5000),
        narrow: JSON.stringify([{ operator: 'search', operand: 'e' }]),
      }),
  },
  // What they load is compiled once in the life of a process, and most never need it.
  { name: 'the first formula, with all that it loads', boundMs: 250, request: rendered('$$x$$ ') },
  { name: 'the first code, with all that it loads', boundMs: 250, request: rendered(codeBlock) },
  { name: 'rendering 10,000 asterisks', request: rendered('*') },
  { name: 'rendering nested quotes', request: rendered('> ') },
  { name: 'rendering brackets', request: rendered('[](') },
  { name: 'rendering mentions', request: rendered('@**User 7** ') },
  { name: 'rendering formulas', request: rendered('$$\\frac{a}{b}$$ ') },
  { name: 'rendering a table', request: rendered('| a | b |\n| - | - |\n') },
  { name: 'rendering code', request: rendered(codeBlock) },
  {
    // Grammars of C and its kin look far ahead at every word; with less allowed, real code would lose its colours.
    name: 'rendering code that is hard to read',
    boundMs: 250,
    request: (account) =>
      post(account, '/messages/render', {
        content: `\`\`\`csharp\n${`${'async '.repeat(65)}\n`.repeat(14)}`,
      }),
  },
  {
    name: 'POST /register, everything',
    boundMs: 150,
    request: (account) => post(account, '/register', {}),
  },
  { name: 'GET /users of 1,000', request: (account) => get(account, '/users', {}) },
  {
    name: 'POST /messages/flags of 5,000',
    boundMs: 150,
    request: (account, round) =>
      post(account, '/messages/flags', {
        messages: idsUpTo(5000),
        ...{ op: round % 2 === 0 ? 'add' : 'remove', flag: 'starred' },
      }),
  },
  {
    name: 'moving a topic of thousands',
    boundMs: 400,
    request: (account, round) =>
      post(account, '/messages/1?method=PATCH', {
        ...{ topic: `moved ${String(round)}`, propagate_mode: 'change_all' },
      }),
  },
  {
    name: 'POST /users/me/subscriptions, 100 new streams',
    boundMs: 150,
    request: (account, round) =>
      post(account, '/users/me/subscriptions', {
        subscriptions: JSON.stringify(
          Array.from({ length: 100 }, (_, index) => ({
            name: `new ${String(round)} ${String(index)}`,
          })),
        ),
      }),
  },
  { name: 'POST /mark_all_as_read', request: (account) => post(account, '/mark_all_as_read', {}) },
  {
    name: 'GET topics of a stream',
    request: (account) => get(account, '/users/me/1/topics', {}),
  },
  {
    name: 'a text of 400 kB, refused',
    request: (account) => post(account, '/messages/render', { content: 'x '.repeat(200_000) }),
  },
];

/** What is refused was decided, too. */
export async function send(connection: Connection, request: string): Promise<void> {
  try {
    await connection.request(request);
  } catch (error) {
    if (!String(error).includes('answered 4')) throw error;
  }
}

async function timeProbe(connection: Connection, probe: string): Promise<number> {
  const startedAt = performance.now();
  await connection.request(probe);
  return performance.now() - startedAt;
}

/** The longest that a probe waited while the request was answered, without what it always takes. */
export async function held(
  probes: Connection,
  probe: string,
  work: () => Promise<void>,
): Promise<number> {
  const idle: number[] = [];
  for (let i = 0; i < PROBES; i += 1) idle.push(await timeProbe(probes, probe));
  const progress = { isDone: false };
  const done = work().finally(() => (progress.isDone = true));
  let longest = 0;
  while (!progress.isDone) longest = Math.max(longest, await timeProbe(probes, probe));
  await done;
  return Math.max(0, longest - median(idle));
}

/** Settles when all of them have been told of it. @param type  of the event */
async function toldOf(clients: Clients, type: string, work: () => Promise<void>): Promise<void> {
  const waiting = new Set(Array.from({ length: clients.count }, (_, client) => client));
  const all = Promise.withResolvers<undefined>();
  clients.onEvents = (client, bytes) => {
    if (bytes.includes(`"type":"${type}"`)) waiting.delete(client);
    if (waiting.size === 0) all.resolve(undefined);
  };
  await work();
  await Promise.race([all.promise, clients.failed]);
  clients.onEvents = null;
}

interface Told extends Dear {
  readonly type: string;
}

/** @param id  of a message of the account's own */
const told = (id: number): readonly Told[] => [
  {
    name: 'an edit',
    type: 'update_message',
    request: (account, round) =>
      post(account, `/messages/${String(id)}?method=PATCH`, { content: `edited ${String(round)}` }),
  },
  {
    name: 'a new name',
    type: 'realm_user',
    request: (account, round) =>
      post(account, '/settings?method=PATCH', { full_name: `Name ${String(round)}` }),
  },
];

/** Until the last of a thousand clients knows. */
async function toldRows(
  { account, others, service, connection }: Seeded,
  rounds: number,
  time: (work: () => Promise<void>) => Promise<number>,
): Promise<readonly Row[]> {
  const types = ['message', 'update_message', 'realm_user'];
  const clients = await openClients(service.port, accountsOf(others, ACCOUNTS), 'stream', types);
  const own = { type: 'stream', to: streamName(0), topic: 'told', content: 'as it was' };
  const { id } = JSON.parse(String(await connection.request(post(account, '/messages', own)))) as {
    readonly id: number;
  };
  const rows: Row[] = [];
  for (const { name, type, request } of told(id)) {
    const figures: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const work = (): Promise<void> => send(connection, request(account, round));
      figures.push(await time(() => toldOf(clients, type, work)));
    }
    const what = `held by ${name}, told to 1,000 streams`;
    rows.push(limited({ name: what, unit: 'ms' }, figures, LIMIT_MS));
  }
  await clients.stop();
  return rows;
}

/** @param tell  what is going on */
export async function measureHeld(
  plan: HeldPlan,
  tell: (line: string) => void,
): Promise<readonly Row[]> {
  const size = { accounts: ACCOUNTS, messages: plan.messages };
  return withMessages(size, tell, async (seeded) => {
    const { account, service, connection: requests } = seeded;
    const probes = await openConnection(service.port);
    const probe = get(account, '/get_stream_id', { stream: streamName(0) });
    await send(requests, get(account, '/messages', { anchor: 1, num_before: 0, num_after: 1 }));
    const rows: Row[] = [];
    for (const { name, boundMs, request } of dear) {
      const figures: number[] = [];
      for (let round = 0; round < plan.rounds; round += 1) {
        figures.push(await held(probes, probe, () => send(requests, request(account, round))));
      }
      const bound = boundMs ?? LIMIT_MS;
      rows.push(limited({ name: `held by ${name}`, unit: 'ms' }, figures, bound));
      tell(`${name}: ${figures.map((ms) => ms.toFixed(0)).join(', ')} ms of ${String(bound)}`);
    }
    rows.push(...(await toldRows(seeded, plan.rounds, (work) => held(probes, probe, work))));
    probes.close();
    return rows;
  });
}
