/**
 * One person who changes things without pause and keeps book of what was acknowledged. What was under way when the
 * service died may have happened or not; everything else has to be as it was last acknowledged.
 */
import { expect } from 'vitest';
import type { Random } from '../random.ts';
import { call, type Credentials } from '../service/service.ts';
import { isConnectionLost } from './listener.ts';

export interface MessageState {
  readonly id: number;
  readonly sender_email: string;
  readonly content: string;
  readonly flags: readonly string[];
  readonly reactions: readonly { readonly emoji_name: string; readonly user_id: number }[];
}

/** What the service says now, as one value a key. */
type Actual = ReadonlyMap<string, unknown>;

interface Attempt {
  readonly key: string;
  readonly value: unknown;
  readonly method: string;
  readonly path: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const EMOJI = 'tada';

export class Worker {
  readonly who: Credentials;
  readonly #random: Random;
  readonly #streams: readonly string[];
  /** Acknowledged values by key. */
  readonly #known = new Map<string, unknown>();
  /** How often a key's value changed. */
  readonly #changes = new Map<string, number>();
  readonly #sent = new Map<number, string>();
  readonly edits: string[] = [];
  #underWay: Attempt | undefined;
  #sending: string | undefined;
  #counter = 0;

  /** @param streams  streams that only this person joins and leaves */
  constructor(who: Credentials, random: Random, streams: readonly string[]) {
    this.who = who;
    this.#random = random;
    this.#streams = streams;
  }

  get sentIds(): readonly number[] {
    return [...this.#sent.keys()];
  }

  changesOf(prefix: string): number {
    let count = 0;
    for (const [key, changes] of this.#changes) if (key.startsWith(prefix)) count += changes;
    return count;
  }

  /** Works until the service is gone; `onDone` is told of every acknowledged change. */
  async work(origin: string, onDone: () => void): Promise<void> {
    try {
      for (;;) {
        await (this.#sent.size === 0 || this.#random.chance(0.4)
          ? this.#send(origin)
          : this.#change(origin, this.#nextAttempt()));
        onDone();
      }
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
    }
  }

  async #ask(origin: string, method: string, path: string, params: object): Promise<number> {
    const { status, body } = await call(origin, this.who, method, path, { ...params });
    expect(status, `${method} ${path} ${JSON.stringify(params)} ${JSON.stringify(body)}`).toBe(200);
    return Number(body['id']);
  }

  async #send(origin: string): Promise<void> {
    const content = `${this.who.email} says ${String(++this.#counter)}`;
    this.#sending = content;
    const place = this.#random.pick([
      { type: 'stream', to: 'general', topic: `topic ${String(this.#random.below(3))}` },
      { type: 'private', to: JSON.stringify(['ada@example.com']) },
    ]);
    this.#sent.set(await this.#ask(origin, 'POST', '/messages', { ...place, content }), content);
    this.#sending = undefined;
  }

  async #change(origin: string, attempt: Attempt): Promise<void> {
    this.#underWay = attempt;
    await this.#ask(origin, attempt.method, attempt.path, attempt.params);
    this.#underWay = undefined;
    this.#learn(attempt.key, attempt.value);
  }

  #learn(key: string, value: unknown): void {
    this.#known.set(key, value);
    this.#changes.set(key, (this.#changes.get(key) ?? 0) + 1);
    if (key.startsWith('content')) this.edits.push(String(value));
  }

  #toggle(
    key: string,
    call: (isOn: boolean) => Pick<Attempt, 'method' | 'path' | 'params'>,
  ): Attempt {
    const isOn = this.#known.get(key) !== true;
    return { key, value: isOn, ...call(isOn) };
  }

  #nextAttempt(): Attempt {
    const id = this.#random.pick(this.sentIds.slice(-20));
    const path = `/messages/${String(id)}`;
    return this.#random.pick<() => Attempt>([
      () => this.#edit(id, path),
      () =>
        this.#toggle(`starred ${String(id)}`, (isOn) => ({
          method: 'POST',
          path: '/messages/flags',
          params: { messages: [id], flag: 'starred', op: isOn ? 'add' : 'remove' },
        })),
      () =>
        this.#toggle(`reaction ${String(id)}`, (isOn) => ({
          method: isOn ? 'POST' : 'DELETE',
          path: `${path}/reactions`,
          params: { emoji_name: EMOJI },
        })),
      () => {
        const name = this.#random.pick(this.#streams);
        return this.#toggle(`stream ${name}`, (isOn) => ({
          method: isOn ? 'POST' : 'DELETE',
          path: '/users/me/subscriptions',
          params: { subscriptions: isOn ? [{ name }] : [name] },
        }));
      },
      () => {
        const topic = `topic ${String(this.#random.below(3))}`;
        return this.#toggle(`muted ${topic}`, (isOn) => ({
          method: 'PATCH',
          path: '/users/me/subscriptions/muted_topics',
          params: { stream: 'general', topic, op: isOn ? 'add' : 'remove' },
        }));
      },
      () =>
        this.#toggle('word', (isOn) => ({
          method: isOn ? 'POST' : 'DELETE',
          path: '/users/me/alert_words',
          params: { alert_words: [`word of ${this.who.email}`] },
        })),
    ])();
  }

  #edit(id: number, path: string): Attempt {
    const content = `${this.who.email} corrects ${String(++this.#counter)}`;
    return {
      key: `content ${String(id)}`,
      value: content,
      method: 'PATCH',
      path,
      params: { content },
    };
  }

  /** Everything that this person changed, as it is now. */
  async #look(origin: string, userId: number): Promise<{ actual: Actual; own: MessageState[] }> {
    const ask = async (path: string, params: object = {}): Promise<Record<string, unknown>> => {
      const { status, body } = await call(origin, this.who, 'GET', path, { ...params });
      expect(status, JSON.stringify(body)).toBe(200);
      return body;
    };
    const page = { anchor: 'newest', num_before: 5000, num_after: 0, apply_markdown: false };
    const { messages } = (await ask('/messages', page)) as { messages: MessageState[] };
    const own = messages.filter((message) => message.sender_email === this.who.email);
    const { subscriptions } = await ask('/users/me/subscriptions');
    const joined = (subscriptions as { name: string }[]).map(({ name }) => name);
    const { alert_words: words } = await ask('/users/me/alert_words');
    const { body: state } = await call(origin, this.who, 'POST', '/register', {
      fetch_event_types: ['muted_topics'],
      event_types: [],
    });
    const muted = (state['muted_topics'] as [string, string][]).map(([, topic]) => topic);
    const actual = new Map<string, unknown>([['word', (words as unknown[]).length > 0]]);
    for (const { id, content, flags, reactions } of own) {
      actual.set(`content ${String(id)}`, content);
      actual.set(`starred ${String(id)}`, flags.includes('starred'));
      const hasReacted = reactions.some((each) => each.user_id === userId);
      actual.set(`reaction ${String(id)}`, hasReacted);
    }
    for (const name of this.#streams) actual.set(`stream ${name}`, joined.includes(name));
    for (const topic of muted) actual.set(`muted ${topic}`, true);
    return { actual, own };
  }

  /** After a restart: compares, and takes over what turned out to have happened. */
  async verify(origin: string, userId: number): Promise<void> {
    const { actual, own } = await this.#look(origin, userId);
    const valueOf = (key: string): unknown => actual.get(key) ?? false;
    const attempt = this.#underWay;
    this.#underWay = undefined;
    if (attempt !== undefined && valueOf(attempt.key) === attempt.value) {
      this.#learn(attempt.key, attempt.value);
    }
    for (const [key, value] of this.#known) expect([key, valueOf(key)]).toEqual([key, value]);
    for (const { id, content } of own) {
      if (this.#sent.has(id)) continue;
      expect(content, 'a message that nobody sent, or one twice').toBe(this.#sending);
      this.#sent.set(id, content);
      this.#sending = undefined;
    }
    this.#sending = undefined;
    const found = new Set(own.map(({ id }) => id));
    for (const [id, content] of this.#sent) {
      expect(found.has(id), `message ${String(id)} is there`).toBe(true);
      if (!this.#known.has(`content ${String(id)}`)) {
        expect(actual.get(`content ${String(id)}`)).toBe(content);
      }
    }
  }
}
