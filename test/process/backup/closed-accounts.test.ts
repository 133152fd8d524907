/**
 * What was closed after an archive was made stays closed when that is restored without the data folder of before: one
 * office, in which everything is changed, and one restore of it.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findRestoreReport } from '#service/db/sqlite/restored.ts';
import {
  type Answer,
  basicAuth,
  call,
  type Credentials,
  credentials,
  type RunningService,
  startService,
} from '#test/support/service/service.ts';
import { quickService } from '#test/support/client/computer.ts';
import { hearth } from '../hearth-process.ts';
import type { Ended } from '../service-process.ts';
import { note, sendFile } from '../sent-files.ts';

type Fields = Readonly<Record<string, unknown>>;
type Name = 'ada' | 'ben' | 'cleo' | 'gus';

const emailOf = (name: Name): string => `${name}@example.com`;

/** One service with the keys of its people. */
class Office {
  readonly service: RunningService;
  readonly #keys = new Map<Name, Credentials>();

  constructor(service: RunningService) {
    this.service = service;
  }

  async as(name: Name): Promise<Credentials> {
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    const made = await credentials(this.service.origin, emailOf(name));
    this.#keys.set(name, made);
    return made;
  }

  /** The answer of an endpoint. */
  async ask(
    name: Name,
    method: string,
    path: string,
    params: Fields = {},
  ): Promise<Readonly<Record<string, unknown>> & { readonly status: number }> {
    const auth = await this.as(name);
    const { status, body } = await call(this.service.origin, auth, method, path, params);
    return { ...body, status };
  }

  async do(name: Name, method: string, path: string, params: Fields = {}): Promise<Fields> {
    const answer = await this.ask(name, method, path, params);
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  }

  async say(name: Name, stream: string, content: string): Promise<number> {
    const message = { type: 'stream', to: [stream], topic: 'all', content };
    return Number((await this.do(name, 'POST', '/messages', message))['id']);
  }

  /** Everything that somebody reads of a narrow, as it was written. */
  async contents(name: Name, narrow: readonly Fields[] = []): Promise<readonly string[]> {
    const page = { anchor: 'newest', num_before: 1000, num_after: 0, apply_markdown: false };
    const answer = await this.ask(name, 'GET', '/messages', { ...page, narrow });
    const messages = (answer['messages'] ?? []) as readonly { readonly content: string }[];
    return messages.map(({ content }) => content);
  }

  /** By the search of words. */
  search(name: Name, operand: string): Promise<readonly string[]> {
    return this.contents(name, [{ operator: 'search', operand }]);
  }

  async register(name: Name): Promise<Fields> {
    return this.do(name, 'POST', '/register', { all_public_streams: name !== 'gus' });
  }

  /** What a queue has had so far. */
  async events(name: Name, queue: Fields): Promise<readonly Fields[]> {
    const params = { queue_id: queue['queue_id'], last_event_id: -1, dont_block: true };
    return (await this.do(name, 'GET', '/events', params))['events'] as readonly Fields[];
  }

  async download(name: Name, uri: string): Promise<number> {
    const headers = { authorization: basicAuth(await this.as(name)) };
    return (await fetch(new URL(uri, this.service.origin), { headers })).status;
  }

  async streamId(stream: string): Promise<string> {
    const { stream_id: id } = await this.do('ada', 'GET', '/get_stream_id', { stream });
    return String(id);
  }
}

const idOf = { ada: 1, ben: 2, cleo: 3, gus: 4 } as const;
const place = mkdtempSync(join(tmpdir(), 'hearth-closed-'));
const made = {
  left: '',
  told: '',
  edited: '',
  said: 0,
  moved: 0,
  bot: 0,
  ended: 0,
  late: 0,
  group: 0,
};
const botKeys = { given: '', ended: '' };
const keys = { ben: '' };
let office: Office;
let restored: Fields;

async function subscribe(old: Office, stream: string, people: readonly Name[]): Promise<void> {
  const subscriptions = [{ name: stream }];
  const principals = people.map(emailOf);
  const invite_only = stream !== 'square';
  const history_public_to_subscribers = ['square', 'past'].includes(stream);
  const params = { subscriptions, principals, invite_only, history_public_to_subscribers };
  await old.do('ada', 'POST', '/users/me/subscriptions', params);
}

/** What is there when the archive is made. */
async function found(old: Office): Promise<void> {
  await old.do('ada', 'PATCH', `/users/${String(idOf.cleo)}`, { is_admin: false });
  await subscribe(old, 'left', ['ada', 'cleo', 'ben']);
  await subscribe(old, 'back', ['ada', 'cleo']);
  await subscribe(old, 'square', ['ada']);
  await subscribe(old, 'shut', ['ada', 'cleo']);
  await subscribe(old, 'past', ['ada', 'cleo']);
  const file = (name: string): Promise<string> =>
    old.as('ada').then((ada) => sendFile(old.service.origin, ada, '/user_uploads', note(name)));
  made.left = await file('left.txt');
  made.told = await file('square.txt');
  made.edited = await file('edited.txt');
  await old.say('ada', 'left', `leftword [left](${made.left})`);
  await old.say('ada', 'square', `squareword [square](${made.told})`);
  await old.say('ada', 'past', 'pastword');
  made.said = await old.say('ada', 'general', `slipword [edited](${made.edited})`);
  made.moved = await old.say('ada', 'general', 'movedword');
  const group = { name: 'staff', description: 'all of it', members: [idOf.ada, idOf.cleo] };
  await old.do('ada', 'POST', '/user_groups/create', group);
  const { user_groups: groups } = await old.do('ada', 'GET', '/user_groups');
  made.group = (groups as readonly { readonly id: number }[]).at(-1)?.id ?? 0;
  const bot = { full_name: 'given', short_name: 'given', bot_type: 1 };
  const given = await old.do('ben', 'POST', '/bots', bot);
  made.bot = Number(given['user_id']);
  botKeys.given = String(given['api_key']);
  const other = { ...bot, full_name: 'ended', short_name: 'ended' };
  const ended = await old.do('ben', 'POST', '/bots', other);
  made.ended = Number(ended['user_id']);
  botKeys.ended = String(ended['api_key']);
}

/** What is closed after it. */
async function close(old: Office): Promise<void> {
  const leave = (stream: string, name: Name): Promise<Fields> =>
    old.do('ada', 'DELETE', '/users/me/subscriptions', {
      subscriptions: [stream],
      principals: [emailOf(name)],
    });
  await leave('left', 'cleo');
  await leave('back', 'cleo');
  await subscribe(old, 'back', ['cleo']);
  await leave('general', 'gus');
  const stream = async (name: string): Promise<string> => `/streams/${await old.streamId(name)}`;
  await old.do('ada', 'PATCH', await stream('square'), { is_private: true });
  const closed = { is_private: true, history_public_to_subscribers: false };
  await old.do('ada', 'PATCH', await stream('past'), closed);
  await old.do('ada', 'DELETE', await stream('shut'));
  await old.do('ada', 'PATCH', `/messages/${String(made.said)}`, { content: 'nothing to see' });
  made.late = await old.say('ada', 'general', 'lateword');
  await old.do('ada', 'PATCH', `/messages/${String(made.late)}`, { content: 'nothing either' });
  const move = { stream_id: await old.streamId('left'), propagate_mode: 'change_one' };
  await old.do('ada', 'PATCH', `/messages/${String(made.moved)}`, { ...move, topic: 'all' });
  const members = { delete: [idOf.cleo] };
  await old.do('ada', 'POST', `/user_groups/${String(made.group)}/members`, members);
  const policies = { create_stream_policy: 2, bot_creation_policy: 3, allow_edit_history: false };
  await old.do('ada', 'PATCH', '/realm', policies);
  await old.do('ada', 'PATCH', `/bots/${String(made.bot)}`, { bot_owner_id: idOf.ada });
  await old.do('ben', 'POST', `/bots/${String(made.ended)}/api_key/regenerate`);
}

beforeAll(async () => {
  const dataDir = join(place, 'old');
  const args = quickService;
  const old = new Office(await startService({ dev: true, dataDir, args }));
  await found(old);
  const kept = await hearth(['backup', place, '--data-dir', dataDir, '--json']);
  const { file = '', recovery_code: code } = JSON.parse(kept.stdout) as Record<string, string>;
  await close(old);
  // What is not written yet is written at the end.
  keys.ben = (await old.as('ben')).key;
  await old.service.stop();
  rmSync(dataDir, { recursive: true });
  const next = join(place, 'new');
  const into = ['--data-dir', next, '--yes', '--keep-keys', '--json'];
  restored = JSON.parse((await hearth(['restore', file, ...into], code)).stdout) as Fields;
  office = new Office(await startService({ dev: true, dataDir: next, args }));
});
afterAll(async () => {
  await office.service.stop();
  rmSync(place, { recursive: true });
});

test('it is closed to everybody but administrators at its computer until it is opened by its number [closed-since.everybody-administrators-computer]', async () => {
  const { origin } = office.service;
  const signIn = (username: string): Promise<Answer> =>
    call(origin, null, 'POST', '/dev_fetch_api_key', { username });
  const closed = { status: 503, body: { code: 'ORGANIZATION_CLOSED' } };
  expect(await signIn(emailOf('ben'))).toMatchObject(closed);
  const whole = { email: emailOf('ben'), key: keys.ben };
  expect(await call(origin, whole, 'GET', '/users/me')).toMatchObject(closed);
  expect(await call(origin, null, 'GET', '/server_settings')).toMatchObject({ status: 200 });
  const queue = await office.register('ada');
  expect(await office.contents('ada')).not.toEqual([]);
  const open = (number: string): Promise<Ended> =>
    hearth(['open', number, '--data-dir', join(place, 'new'), '--json']);
  const number = String(restored['open_number']);
  expect(number).toMatch(/^\d{6}$/);
  expect(office.service.stderr()).toContain(`open ${number}`);
  expect(await open(number === '000000' ? '000001' : '000000')).toMatchObject({ code: 1 });
  expect(await signIn(emailOf('ben'))).toMatchObject(closed);
  const database = join(place, 'new', 'hearth.db');
  const standingAt = Date.parse(String(restored['standing_at'])) / 1000;
  expect(findRestoreReport(database)).toMatchObject({ standingAt, lostFiles: 0 });
  expect(await open(number)).toMatchObject({ code: 0 });
  expect(findRestoreReport(database)).toBeNull();
  await expect.poll(async () => (await signIn(emailOf('ben'))).status).toBe(200);
  expect(await call(origin, whole, 'GET', '/users/me')).toMatchObject({ status: 200 });
  expect((await open(number)).stdout).toMatch(/"result":"success"/);
  const { entries } = await office.do('ada', 'GET', '/audit_log', {
    types: ['organization_reactivated'],
  });
  expect(entries).toHaveLength(1);
  expect(await office.events('ada', queue)).toEqual([]);
});

describe('after a restore without the data folder', () => {
  test('the restore says up to when it knows what was closed', () => {
    expect(existsSync(join(place, 'old'))).toBe(false);
    expect(restored).toMatchObject({ result: 'success', standing_at: expect.any(String) });
  });

  test('whoever was removed from a private stream reads, finds and hears nothing of it from then on [closed-since.removed-private-stream]', async () => {
    const queue = await office.register('cleo');
    await office.say('ada', 'left', 'leftword again');
    expect(await office.search('cleo', 'leftword')).toEqual([`leftword [left](${made.left})`]);
    expect(await office.search('ben', 'leftword')).toHaveLength(2);
    expect(await office.contents('cleo')).not.toContain('leftword again');
    const names = (queue['subscriptions'] as readonly Fields[]).map(({ name }) => name);
    expect(names).not.toContain('left');
    expect(JSON.stringify(await office.events('cleo', queue))).not.toContain('leftword');
    const said = { type: 'stream', to: ['left'], topic: 'all', content: 'still here' };
    expect(await office.ask('cleo', 'POST', '/messages', said)).toMatchObject({ status: 400 });
  });

  test('whoever came back to it meanwhile is in it', async () => {
    const { subscriptions } = await office.do('cleo', 'GET', '/users/me/subscriptions');
    expect(subscriptions).toContainEqual(expect.objectContaining({ name: 'back' }));
  });

  test('a guest who was removed from a stream has nothing more of it [closed-since.guest-removed-stream]', async () => {
    const queue = await office.register('gus');
    await office.say('ada', 'general', 'generalword');
    expect(await office.search('gus', 'generalword')).toEqual([]);
    expect(JSON.stringify(await office.events('gus', queue))).not.toContain('generalword');
    const { streams } = await office.do('gus', 'GET', '/streams');
    expect(streams).not.toContainEqual(expect.objectContaining({ name: 'general' }));
  });

  test('a stream that was made private is so again, with its files [closed-since.stream-made-private]', async () => {
    const queue = await office.register('ben');
    await office.say('ada', 'square', 'squareword again');
    const narrow = [{ operator: 'stream', operand: 'square' }];
    expect(await office.contents('ben', narrow)).toEqual([]);
    expect(await office.search('ben', 'squareword')).toEqual([]);
    expect(JSON.stringify(await office.events('ben', queue))).not.toContain('squareword');
    expect(JSON.stringify(queue)).not.toContain('square');
    expect(await office.download('ben', made.told)).toBe(403);
    expect(await office.download('ada', made.told)).toBe(200);
    const joining = { subscriptions: [{ name: 'square' }] };
    const joined = await office.ask('ben', 'POST', '/users/me/subscriptions', joining);
    expect(joined['status']).toBe(400);
  });

  test('history that was closed to newcomers is closed to them [closed-since.history-newcomers]', async () => {
    await subscribe(office, 'past', ['ben']);
    await office.say('ada', 'past', 'presentword');
    const narrow = [{ operator: 'stream', operand: 'past' }];
    expect(await office.contents('ben', narrow)).toEqual(['presentword']);
    expect(await office.contents('cleo', narrow)).toEqual(['pastword', 'presentword']);
  });

  test('a stream that was archived is so', async () => {
    const said = { type: 'stream', to: ['shut'], topic: 'all', content: 'still open' };
    expect(await office.ask('cleo', 'POST', '/messages', said)).toMatchObject({ status: 400 });
    const { streams } = await office.do('ada', 'GET', '/streams', { include_all_active: true });
    expect(streams).not.toContainEqual(expect.objectContaining({ name: 'shut' }));
  });

  test('text that was edited away is in no message, search, history, file or queue [closed-since.text-edited-away]', async () => {
    const queue = await office.register('ben');
    const reads = { apply_markdown: false };
    const one = await office.do('ben', 'GET', `/messages/${String(made.said)}`, reads);
    expect(one['raw_content']).toMatch(/^\*This message was changed after the backup/);
    expect(await office.search('ben', 'slipword')).toEqual([]);
    expect((await office.contents('ben')).join()).not.toMatch(/slipword|lateword/);
    expect(await office.download('ben', made.edited)).toBe(403);
    await office.do('ada', 'PATCH', '/realm', { allow_edit_history: true });
    const history = await office.do('ben', 'GET', `/messages/${String(made.said)}/history`);
    expect(JSON.stringify(history)).not.toContain('slipword');
    await office.do('ada', 'PATCH', '/realm', { allow_edit_history: false });
    const reacted = { emoji_name: 'tada' };
    await office.do('ada', 'POST', `/messages/${String(made.said)}/reactions`, reacted);
    expect(JSON.stringify(await office.events('ben', queue))).not.toContain('slipword');
  });

  test('a message that was moved to a private stream is not read where it was [closed-since.message-moved-private]', async () => {
    expect(await office.search('gus', 'movedword')).toEqual([]);
    expect((await office.contents('ben')).join()).not.toContain('movedword');
  });

  test('groups, policies, the owner of a bot and the keys of bots are what they were [closed-since.groups-policies-owner]', async () => {
    const { user_groups: groups } = await office.do('ada', 'GET', '/user_groups');
    expect(groups).toContainEqual(
      expect.objectContaining({ id: made.group, name: 'staff', members: [idOf.ada] }),
    );
    const queue = await office.register('ben');
    expect(queue).toMatchObject({
      ...{ realm_create_stream_policy: 2, realm_bot_creation_policy: 3 },
      realm_allow_edit_history: false,
    });
    const creating = { subscriptions: [{ name: 'brand new' }] };
    const created = await office.ask('cleo', 'POST', '/users/me/subscriptions', creating);
    expect(created['status']).toBe(400);
    const { bots } = await office.do('ben', 'GET', '/bots');
    expect(bots).not.toContainEqual(expect.objectContaining({ full_name: 'given' }));
    for (const name of ['given', 'ended'] as const) {
      const auth = { email: `${name}-bot@example.com`, key: botKeys[name] };
      const asBot = await call(office.service.origin, auth, 'GET', '/users/me');
      expect([name, asBot.status]).toEqual([name, 401]);
    }
  });
});
