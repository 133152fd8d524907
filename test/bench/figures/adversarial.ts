/** How long text that is made to be hard on the service keeps all others waiting, at the full length that each place takes. */
import { attacksIn, type Attack, shown, textOf } from '#test/support/adversarial/attacks.ts';
import { openConnection, type Connection } from '../load/connection.ts';
import { get, post, postHead } from '../load/requests.ts';
import { makeDataDir, removeDataDir, startService } from '../processes.ts';
import { limited, type Row } from '../report.ts';
import { type Account, seedOrganization, streamName } from '../seed.ts';
import { held, send } from './held.ts';

const LIMIT_MS = 50;
const MIB = 1024 * 1024;
/** What stands around the text in a body. */
const AROUND = 2000;
const MESSAGE_BYTES = 10_000;

interface Place {
  readonly name: string;
  readonly length: number;
  readonly request: (text: string) => string;
}

const isAscii = ({ prefix, unit }: Attack): boolean => /^[\0-\x7f]*$/.test(prefix + unit);

function typed(account: Account, path: string, type: string, body: string): string {
  const head = postHead(account, path, body.length);
  return head.replace('application/x-www-form-urlencoded', type) + body;
}

/** As much of the text as a body takes: JSON may write each character as several. */
const argument = (
  name: string,
  account: Account,
  path: string,
  fields: (text: string) => object,
): Place => ({
  name,
  length: MIB - AROUND,
  request: (text) => {
    let body = JSON.stringify(fields(text));
    for (let length = text.length; body.length > MIB;) {
      length = Math.floor(length / 2);
      body = JSON.stringify(fields(text.slice(0, length)));
    }
    return typed(account, path, 'application/json', body);
  },
});

const disposition = 'Content-Disposition: form-data; name="a"';

function multipart(account: Account, parts: readonly string[]): string {
  const body = `${parts.map((part) => `--xyz\r\n${part}\r\n\r\nv\r\n`).join('')}--xyz--\r\n`;
  return typed(account, '/messages', 'multipart/form-data; boundary=xyz', body);
}

const chunks = (text: string, size: number): readonly string[] =>
  (text.match(new RegExp(`[^]{1,${String(size)}}`, 'g')) ?? []).map((each) =>
    each.replaceAll(/[\r\n]/g, ' '),
  );

const page = { num_before: '1', num_after: '1' };

/** @param key  of a bot that posts what other services deliver */
const placesOf = (account: Account, key: string): readonly Place[] => [
  argument('anchor', account, '/messages?method=GET', (text) => ({ ...page, anchor: text })),
  argument('invitee_emails', account, '/invites', (text) => ({ invitee_emails: text })),
  argument('subscriptions', account, '/users/me/subscriptions', (text) => ({
    subscriptions: JSON.stringify([{ name: text }]),
  })),
  argument('a search', account, '/messages?method=GET', (text) => ({
    ...{ ...page, anchor: 'newest' },
    narrow: JSON.stringify([{ operator: 'search', operand: text }]),
  })),
  {
    name: 'a message',
    length: MESSAGE_BYTES,
    request: (text) => post(account, '/messages/render', { content: text }),
  },
  {
    name: 'headers of parts',
    length: MIB - 3 * AROUND,
    request: (text) =>
      multipart(
        account,
        chunks(text, 15_000)
          .map((part) => `${disposition}; ${part}\r\nContent-Type: ${part}`.slice(0, 16_000))
          .slice(0, 32),
      ),
  },
  {
    name: 'many parts',
    length: MIB / 4,
    request: (text) =>
      multipart(
        account,
        chunks(text, 32).map((part) => `${disposition}; ${part}`),
      ),
  },
  argument(
    'a delivery',
    account,
    `/external/slack_incoming?api_key=${key}&stream=${encodeURIComponent(streamName(0))}`,
    (text) => ({
      text,
    }),
  ),
];

async function botOf(connection: Connection, account: Account): Promise<string> {
  const made = post(account, '/bots', { full_name: 'Hook', short_name: 'hook', bot_type: 2 });
  return (JSON.parse(String(await connection.request(made))) as { readonly api_key: string })
    .api_key;
}

export interface AdversarialPlan {
  readonly rounds: number;
}

/** @param tell  what is going on */
export async function measureAdversarial(
  { rounds }: AdversarialPlan,
  tell: (line: string) => void,
): Promise<readonly Row[]> {
  const dataDir = await makeDataDir();
  const [account] = await seedOrganization(dataDir, 3);
  if (account === undefined) throw new Error('no accounts');
  const service = await startService(dataDir);
  const [requests, probes] = [
    await openConnection(service.port),
    await openConnection(service.port),
  ];
  const probe = get(account, '/users/me', {});
  const attacks = attacksIn('src-main').filter((each) => each.isGeneral && isAscii(each));
  const rows: Row[] = [];
  for (const place of placesOf(account, await botOf(requests, account))) {
    let longest = { ms: 0, attack: '' };
    for (const attack of attacks) {
      const request = place.request(textOf(attack, place.length, 1));
      // What the machine does in a moment only makes it longer.
      const figures: number[] = [];
      for (let round = 0; round < rounds; round++) {
        figures.push(await held(probes, probe, () => send(requests, request)));
      }
      const ms = Math.min(...figures);
      if (ms >= longest.ms) longest = { ms, attack: shown(attack) };
    }
    tell(`${place.name}: ${longest.ms.toFixed(0)} ms with ${longest.attack}`);
    rows.push(limited({ name: `longest turn, ${place.name}`, unit: 'ms' }, [longest.ms], LIMIT_MS));
  }
  requests.close();
  probes.close();
  await service.stop();
  await removeDataDir(dataDir);
  return rows;
}
