/** A small office that has worked with Hearth for a week, on a real service, the same every time. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, setClock, startService } from '../service/service.ts';
import type { Credentials, RunningService } from '../service/service.ts';
import { DESK, fillOffice, LONG_TOPIC, type People } from './crowd.ts';
import type { Pictures } from './pictures.ts';
import { everybody, others, remaining, streams } from './plan.ts';
import type { FileName, Line, Name } from './talk.ts';
import { names, NOW, read, unread } from './talk.ts';

/** Whose window is looked at. */
export const reader = { email: 'mara@larchandloom.example', password: 'a long walk home' } as const;

export interface Office {
  readonly service: RunningService;
  readonly origin: string;
  readonly nowMs: number;
  /** How many people it has where it was filled; undefined as it was founded. */
  readonly people: People | undefined;
  /** Messages that screens ask for, by the keys of the talk. */
  readonly ids: ReadonlyMap<string, number>;
}

const momentOf = (at: Line['at'] | typeof NOW): number => {
  const [day = '', time = ''] = at.split(' ');
  return Date.parse(`2026-03-${day.padStart(2, '0')}T${time}:00Z`);
};

const emailOf = (name: string): string => `${name}@larchandloom.example`;

const files: Readonly<Record<FileName, readonly [name: string, label: string]>> = {
  shelf: ['hallway-shelf.png', 'hallway-shelf.png'],
  plan: ['floor-plan.png', 'floor-plan.png'],
  chart: ['visits.png', 'visits.png'],
  list: ['price-list-spring.csv', 'price-list-spring.csv'],
  notes: ['price-list-notes.txt', 'price-list-notes.txt'],
  tobias: ['tobias.png', 'tobias'],
  ines: ['ines.png', 'ines'],
  samir: ['samir.png', 'samir'],
  loom: ['loom.png', 'loom'],
};

/** Everything that the office does goes through the API, as the people of it. */
class Founder {
  readonly ids = new Map<string, number>();
  #service: RunningService;
  readonly #pictures: Pictures;
  readonly #keys = new Map<string, Credentials>();
  readonly #userIds = new Map<string, number>();
  #atMs = 0;

  constructor(service: RunningService, pictures: Pictures) {
    this.#service = service;
    this.#pictures = pictures;
  }

  async at(atMs: number): Promise<void> {
    if (atMs === this.#atMs) return;
    this.#atMs = atMs;
    await setClock(this.#service, atMs);
  }

  async ask(
    who: string | null,
    request: string,
    params: Readonly<Record<string, unknown>> = {},
  ): Promise<Record<string, unknown>> {
    const [method = '', path = ''] = request.split(' ');
    const auth = who === null ? null : (this.#keys.get(who) ?? null);
    const { status, body } = await call(this.#service.origin, auth, method, path, params);
    if (status !== 200) throw new Error(`${who ?? 'nobody'}: ${request}: ${JSON.stringify(body)}`);
    return body;
  }

  /** @param path  below the API; answers what the service said */
  async #upload(who: string, request: string, file: FileName): Promise<Record<string, unknown>> {
    const [method = '', path = ''] = request.split(' ');
    const { email, key } = this.#credentials(who);
    const form = new FormData();
    form.append('file', new Blob([this.#bytesOf(file)]), files[file][0]);
    const response = await fetch(`${this.#service.origin}/api/v1${path}`, {
      method,
      headers: { authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}` },
      body: form,
    });
    if (!response.ok) throw new Error(`${request}: ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  }

  #bytesOf(file: FileName): Uint8Array<ArrayBuffer> {
    if (file === 'list')
      return new TextEncoder().encode('piece,wood,price\nHallway shelf,oak,340\n');
    if (file === 'notes') return new TextEncoder().encode('Page two: are the prices with tax?\n');
    return this.#pictures[file];
  }

  #credentials(who: string): Credentials {
    const found = this.#keys.get(who);
    if (found === undefined) throw new Error(`nobody is called ${who}`);
    return found;
  }

  async people(): Promise<void> {
    const { email, password } = reader;
    const founder = { realm_name: 'Larch & Loom', full_name: names.mara, email, password };
    const { api_key: key } = await this.ask(null, 'POST /organization', founder);
    this.#keys.set('mara', { email, key: String(key) });
    this.#userIds.set('mara', Number((await this.ask('mara', 'GET /users/me'))['user_id']));
    for (const name of others) await this.#hire(name);
    await Promise.all(
      others.map(async (name) => {
        const params = { username: emailOf(name), password: `${name} at work` };
        const { api_key: own } = await this.ask(null, 'POST /fetch_api_key', params);
        this.#keys.set(name, { email: emailOf(name), key: String(own) });
      }),
    );
    for (const name of ['tobias', 'ines', 'samir'] as const) {
      await this.#upload(name, 'PUT /users/me/avatar', name);
    }
    await this.#upload('mara', 'POST /realm/emoji/loom', 'loom');
    await this.ask('mara', 'PATCH /realm', { mandatory_topics: true });
  }

  async #hire(name: Name): Promise<void> {
    const params = { email: emailOf(name), password: `${name} at work`, full_name: names[name] };
    const { user_id: id } = await this.ask('mara', 'POST /users', params);
    this.#userIds.set(name, Number(id));
  }

  async streams(): Promise<void> {
    for (const { name, description, members, settings, isPinned, isMuted, color } of streams) {
      await this.ask(members[0] ?? 'mara', 'POST /users/me/subscriptions', {
        subscriptions: [{ name, description }],
        principals: members.map((member) => this.#userIds.get(member)),
        ...settings,
      });
      const { stream_id: id } = await this.ask('mara', 'GET /get_stream_id', { stream: name });
      if (name === 'general')
        await this.ask('mara', `PATCH /streams/${String(id)}`, { description });
      if (!members.includes('mara')) continue;
      const wanted = {
        color,
        ...(isPinned ? { pin_to_top: true } : {}),
        ...(isMuted ? { is_muted: true } : {}),
      };
      await this.ask('mara', 'POST /users/me/subscriptions/properties', {
        subscription_data: Object.entries(wanted).map(([property, value]) => ({
          stream_id: id,
          property,
          value,
        })),
      });
    }
  }

  /** Somebody signs in on a computer, and looks at something there. */
  async #signIn(who: string, password: string, name: string): Promise<void> {
    const { email } = this.#credentials(who);
    const params = { username: email, password, name, client: 'Hearth' };
    const { api_key: key } = await this.ask(null, 'POST /devices', params);
    await call(this.#service.origin, { email, key: String(key) }, 'GET', '/users/me');
  }

  async rest(): Promise<void> {
    await this.#signIn('mara', reader.password, 'mara-workshop');
    await this.#signIn('petra', 'petra at work', 'petra-desk');
    await this.#signIn('petra', 'petra at work', 'petra-laptop');
    const bot = { full_name: 'Orders', short_name: 'orders', bot_type: 1 };
    const made = await this.ask('petra', 'POST /bots', bot);
    const { members } = (await this.ask('petra', 'GET /users')) as {
      readonly members: readonly { readonly email: string; readonly is_bot: boolean }[];
    };
    const email = members.find((each) => each.is_bot)?.email ?? '';
    this.#keys.set('orders-bot', { email, key: String(made['api_key']) });
    await this.ask('petra', 'POST /users/me/subscriptions', {
      subscriptions: [{ name: 'orders' }],
      principals: [email],
    });
    await this.ask('mara', 'POST /bots', {
      full_name: 'Door bell',
      short_name: 'door',
      bot_type: 1,
    });
    const shelf = ['ines', 'samir', 'tobias'].map((name) => this.#userIds.get(name));
    const group = { name: 'shelf', description: 'Who builds the hallway shelf', members: shelf };
    await this.ask('mara', 'POST /user_groups/create', group);
    await this.ask('mara', 'PATCH /settings/display', {
      twenty_four_hour_time: true,
      starred_message_counts: true,
    });
    await this.ask('mara', 'POST /users/me/alert_words', { alert_words: ['walnut'] });
  }

  async say(line: Line): Promise<void> {
    await this.at(momentOf(line.at));
    const { id } = await this.ask(line.who, 'POST /messages', {
      ...this.#target(line.to),
      content: await this.#fill(line),
    });
    if (line.key !== undefined) this.ids.set(line.key, Number(id));
    for (const [emoji, people] of Object.entries(line.reactions ?? {})) {
      for (const who of people) {
        await this.ask(who, `POST /messages/${String(id)}/reactions`, { emoji_name: emoji });
      }
    }
    for (const content of line.edits ?? []) {
      await this.at(this.#atMs + 120_000);
      await this.ask(line.who, `PATCH /messages/${String(id)}`, { content });
    }
    if (line.isStarred) {
      await this.ask('mara', 'POST /messages/flags', {
        messages: [id],
        op: 'add',
        flag: 'starred',
      });
    }
  }

  #target(to: string): Readonly<Record<string, unknown>> {
    if (to.startsWith('@')) {
      return {
        type: 'private',
        to: to
          .slice(1)
          .split(',')
          .map((name) => this.#userIds.get(name)),
      };
    }
    const [stream, topic] = to.split(' > ');
    return { type: 'stream', to: stream, topic };
  }

  async #fill({ who, text }: Line): Promise<string> {
    const file = /\{(\w+)\}/.exec(text)?.[1] as FileName | undefined;
    if (file === undefined) return text;
    const { uri } = await this.#upload(who, 'POST /user_uploads', file);
    return text.replace(`{${file}}`, `[${files[file][1]}](${String(uri)})`);
  }

  /** More people and streams are written while nothing runs: `restart` starts the service again. */
  async backfill(people: People, restart: () => Promise<RunningService>): Promise<void> {
    const { streams: all } = (await this.ask('mara', 'GET /streams')) as {
      readonly streams: readonly { readonly name: string; readonly stream_id: number }[];
    };
    const common = streams.filter(({ members }) => members === everybody).map(({ name }) => name);
    const { dataDir } = this.#service;
    await this.#service.stop();
    await fillOffice(dataDir, {
      people,
      readerId: this.#userIds.get('mara') ?? 0,
      userIds: [...this.#userIds.values()],
      commonStreamIds: all
        .filter(({ name }) => common.includes(name))
        .map((each) => each.stream_id),
      startsAt: momentOf('2 07:00') / 1000,
    });
    this.#service = await restart();
    await setClock(this.#service, this.#atMs);
  }

  /** What the streams of a crowd have that nobody has read yet. */
  async askAround(): Promise<void> {
    const { subscriptions } = (await this.ask('petra', 'GET /users/me/subscriptions')) as {
      readonly subscriptions: readonly { readonly name: string }[];
    };
    for (const { name } of subscriptions) {
      if (streams.some((stream) => stream.name === name)) continue;
      const topic = name === DESK ? LONG_TOPIC : 'Dates for the second quarter';
      const target = { type: 'stream', to: name, topic };
      await this.ask('petra', 'POST /messages', { ...target, content: 'Who has an hour today?' });
    }
  }

  /** Only those stay whom the screens ask for. */
  async shrink(): Promise<void> {
    for (const name of others.filter((each) => !remaining.includes(each))) {
      await this.ask('mara', `DELETE /users/${String(this.#userIds.get(name))}`);
    }
  }

  /** Who is here and what they are doing, at the moment that is looked at. */
  async day(): Promise<void> {
    await this.at(momentOf(NOW) - 40 * 60_000);
    await this.ask('leonie', 'POST /users/me/presence', { status: 'active' });
    await this.ask('oskar', 'POST /users/me/status', {
      away: true,
      status_text: 'At the sawmill until two',
    });
    await this.ask('ines', 'POST /users/me/status', { status_text: 'Photos by the window' });
    await this.at(momentOf(NOW));
    for (const name of ['ines', 'samir', 'petra', 'yuki']) {
      await this.ask(name, 'POST /users/me/presence', { status: 'active' });
    }
    await this.ask('tobias', 'POST /users/me/presence', { status: 'idle' });
  }

  async talk(): Promise<void> {
    for (const line of read) await this.say(line);
    await this.ask('mara', 'POST /mark_all_as_read');
    for (const line of unread) await this.say(line);
  }
}

export interface OfficeOptions {
  /** Which addresses then show; 0 takes a free one. */
  readonly port?: number;
  /** Default: the people it was founded by. */
  readonly people?: People;
}

/** Ends with the service: `office.service.stop()`. */
export async function foundOffice(
  pictures: Pictures,
  { port = 0, people }: OfficeOptions = {},
): Promise<Office> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hearth-office-'));
  const args = ['--no-rate-limits', '--port', String(port)];
  const start = (): Promise<RunningService> => startService({ hasOwnClock: true, dataDir, args });
  let service = await start();
  const stop = async (): Promise<number> => {
    const code = await service.stop();
    await rm(dataDir, { recursive: true, force: true });
    return code;
  };
  try {
    const founder = new Founder(service, pictures);
    await founder.at(momentOf('9 07:00'));
    await founder.people();
    await founder.streams();
    if (people !== undefined) await founder.backfill(people, async () => (service = await start()));
    await founder.rest();
    await founder.talk();
    if (people !== undefined) await founder.askAround();
    await founder.day();
    if (people === 3) await founder.shrink();
    const { origin } = service;
    return {
      service: { ...service, stop },
      origin,
      nowMs: momentOf(NOW),
      people,
      ids: founder.ids,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
