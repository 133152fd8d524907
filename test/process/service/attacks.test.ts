/**
 * Fifty people of one address send and receive while somebody of that address attacks their service: each of their messages
 * arrives at each of them once, and the memory of the service stays.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Clients, openClients } from '#test/bench/load/clients.ts';
import { type Connection, openConnection } from '#test/bench/load/connection.ts';
import { Deliveries } from '#test/bench/load/deliveries.ts';
import { get, post } from '#test/bench/load/requests.ts';
import { residentKiBOf } from '#test/bench/process-figures.ts';
import { type Account, seedMessages, seedOrganization, streamName } from '#test/bench/seed.ts';
import { requestOf, Strangers } from '#test/support/adversarial/strangers.ts';
import { shortOrLong } from '#test/support/long.ts';
import { type RunningService, startService } from '#test/support/service/service.ts';

const MIB = 1024 * 1024;
const MOST_RISE_KIB = 100 * 1024;
const PEOPLE = 50;
/** Of each person in each talk: all talks of a minute stay below the calls that one account may make. */
const MESSAGES = shortOrLong(4, 20);
const LOOK_MS = 50;

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

const longestPage = { anchor: 'newest', num_before: 5000, num_after: 0 };

let dataDir: string;
let service: RunningService;
let port: number;
let people: readonly Account[];
let attacker: Account;
let hookKey: string;
let clients: Clients;
let senders: readonly Connection[];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'hearth-attacks-'));
  const accounts = await seedOrganization(dataDir, PEOPLE + 1);
  people = accounts.slice(0, PEOPLE);
  attacker = accounts[PEOPLE]!;
  seedMessages(dataDir, 25_000);
  service = await startService({ dataDir });
  port = Number(new URL(service.origin).port);
  senders = await Promise.all(people.map(() => openConnection(port)));
  const bot = post(attacker, '/bots', { full_name: 'Hook', short_name: 'hook', bot_type: 2 });
  const made = String(await senders[0]!.request(bot));
  hookKey = (JSON.parse(made) as { readonly api_key: string }).api_key;
  clients = await openClients(port, people, 'stream', ['message']);
  // What everybody loads and compiles once belongs to no attack.
  for (let round = 0; round < 3; round++) await talk();
  for (const sender of senders.slice(0, 5))
    await sender.request(get(people[0]!, '/messages', longestPage));
});
afterAll(async () => {
  await clients.stop();
  for (const sender of senders) sender.close();
  await service.stop();
  await rm(dataDir, { recursive: true });
});

/** By number. What was said in one and arrives in a later one counts. */
const talks: Deliveries[] = [];
const SAID = /"content":"<p>talk(\d+)number(\d+)/g;

/** Everybody sends, one message after the other; settles when all have arrived everywhere. */
async function talk(): Promise<Deliveries> {
  const wanted = PEOPLE * MESSAGES;
  const deliveries = new Deliveries(PEOPLE, wanted);
  const talkNumber = String(talks.push(deliveries) - 1);
  const all = Promise.withResolvers<undefined>();
  clients.onEvents = (client, bytes) => {
    for (const [, which, number] of bytes.toString().matchAll(SAID)) {
      talks[Number(which)]?.note(client, Number(number));
    }
    if (deliveries.arrived === wanted * PEOPLE) all.resolve(undefined);
  };
  const send = async (account: Account, person: number): Promise<void> => {
    for (let message = 0; message < MESSAGES; message++) {
      const content = `talk${talkNumber}number${String(person * MESSAGES + message)}`;
      const fields = { type: 'stream', to: streamName(0), topic: 'talk', content };
      await senders[person]!.request(post(account, '/messages', fields));
    }
  };
  await Promise.all(people.map(send));
  await Promise.race([all.promise, clients.failed]);
  return deliveries;
}

const basic = ({ email, key }: Account): string =>
  `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
const own = (): Readonly<Record<string, string>> => ({ authorization: basic(attacker) });

const multipartType = 'multipart/form-data; boundary=xyz';
const part = (text: string): string =>
  `--xyz\r\nContent-Disposition: form-data; name="a"; filename="b"\r\nContent-Type: a${text}\r\n\r\nv\r\n`;
const multipart = `${part(`${' '.repeat(15_000)}a`).repeat(60)}--xyz--\r\n`;
const manyParts = `${part('').repeat(7000)}--xyz--\r\n`;

const hook = '/api/v1/external/slack_incoming';
const large = Buffer.alloc(5 * MIB, 'a');

/** Settles when it is under way; goes on until the strangers end. */
type Attack = (strangers: Strangers) => Promise<unknown>;

const typed = (type: string, more: Readonly<Record<string, string>> = {}) => ({
  ...more,
  'content-type': type,
});

const attacks: Readonly<Record<string, Attack>> = {
  'multipart bodies of headers, without a key': (strangers) => {
    const request = requestOf('POST /api/v1/fetch_api_key', typed(multipartType), multipart);
    return strangers.repeat(6, () => request);
  },
  'multipart bodies of many parts and long headers, with a key': (strangers) => {
    const requests = [multipart, manyParts].map((body) =>
      requestOf('POST /api/v1/messages', typed(multipartType, own()), body),
    );
    return strangers.repeat(4, (index) => requests[index % 2]!);
  },
  'arguments that are hard to read': (strangers) => {
    const anchor = { anchor: ' '.repeat(MIB - 1000), num_before: 0, num_after: 0 };
    const emails = { invitee_emails: 'a,'.repeat(MIB / 2 - 1000) };
    const headers = typed(JSON_TYPE, own());
    const requests = [
      requestOf('POST /api/v1/messages?method=GET', headers, JSON.stringify(anchor)),
      requestOf('POST /api/v1/invites', headers, JSON.stringify(emails)),
    ];
    return strangers.repeat(4, (index) => requests[index % 2]!);
  },
  'two hundred webhook bodies of 5 MiB, without a key': (strangers) =>
    Promise.all(
      Array.from({ length: 200 }, (_, index) => {
        const headers = typed(index % 2 === 0 ? FORM : JSON_TYPE);
        const head = requestOf(`POST ${hook}`, headers, '', large.length);
        return strangers.written(head, large.subarray(1));
      }),
    ),
  'two hundred bodies that come byte by byte': (strangers) =>
    Promise.all(
      Array.from({ length: 200 }, (_, index) => {
        const target = index % 2 === 0 ? '/api/v1/fetch_api_key' : hook;
        const head = requestOf(`POST ${target}`, typed(FORM), '', MIB);
        return strangers.written(head, large.subarray(0, 60_000), LOOK_MS);
      }),
    ),
  'names and tokens as long as a body, at every sign-in': (strangers) =>
    strangers.repeat(8, (index) => {
      const name = `${randomBytes(16).toString('hex')}${'n'.repeat(MIB - 1000)}`;
      const [target, argument] =
        index % 2 === 0 ? ['fetch_api_key', 'username'] : ['password_links/use', 'token'];
      return requestOf(`POST /api/v1/${target}`, typed(FORM), `${argument}=${name}&password=x`);
    }),
  'requests by the thousand that wait for no answer, without a key': (strangers) => {
    const requests = Buffer.alloc(MIB, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    return strangers.repeat(4, () => requests);
  },
  'fifty who ask for the longest pages and read nothing': (strangers) => {
    const request = Buffer.from(get(attacker, '/messages', longestPage));
    const requests = Buffer.concat([request, request, request]);
    return Promise.all(Array.from({ length: 50 }, () => strangers.stalled(requests)));
  },
  'streams by the hundred, and registrations with all of them': (strangers) => {
    let count = 0;
    return strangers.repeat(2, (index) => {
      if (index === 0) return requestOf('POST /api/v1/register', typed(FORM, own()), 'a=1');
      const names = Array.from({ length: 100 }, () => ({ name: `crowd ${String(count++)}` }));
      const body = `subscriptions=${encodeURIComponent(JSON.stringify(names))}`;
      return requestOf('POST /api/v1/users/me/subscriptions', typed(FORM, own()), body);
    });
  },
  'deliveries of three thousand messages each': (strangers) => {
    const alerts = Array.from({ length: 3000 }, (_, index) => ({
      status: 'firing',
      labels: { alertname: `a${String(index)}`, severity: 'x' },
      annotations: { description: 'd'.repeat(100) },
    }));
    const query = new URLSearchParams({
      ...{ api_key: hookKey, stream: streamName(1), name: 'alertname', desc: 'description' },
    });
    const target = `/api/v1/external/alertmanager?${query.toString()}`;
    const body = JSON.stringify({ alerts, status: 'firing' });
    const request = requestOf(`POST ${target}`, typed(JSON_TYPE), body);
    return strangers.repeat(2, () => request);
  },
};

test.for(Object.entries(attacks))(
  'every message of fifty people arrives once, and the memory of the service stays, beside %s [attacks.message-fifty-people]',
  async ([, attack]) => {
    const { pid = 0 } = service.process;
    const before = residentKiBOf(pid) ?? 0;
    let most = before;
    const look = setInterval(() => (most = Math.max(most, residentKiBOf(pid) ?? 0)), LOOK_MS);
    const strangers = new Strangers(port);
    const heard: Deliveries[] = [];
    try {
      const [first] = await Promise.all([talk(), attack(strangers)]);
      heard.push(first, await talk());
    } finally {
      strangers.end();
      clearInterval(look);
    }
    await talk();
    for (const { arrived, doubled } of heard) {
      expect({ arrived, doubled }).toEqual({ arrived: PEOPLE * PEOPLE * MESSAGES, doubled: 0 });
    }
    // Other systems do not say what a process holds.
    if (process.platform === 'linux') expect(most - before).toBeLessThan(MOST_RISE_KIB);
  },
);
