/**
 * Pages keep messages in memory that were read before. Whatever is done to messages, people and places between two pages, each
 * message of a page is what it is alone, where nothing is kept.
 */
import { expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import { type Random, randomFrom } from '#test/support/random.ts';
import {
  ada,
  ben,
  cleo,
  gus,
  idOf,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const STEPS = 100;
const everyone = [ada, ben, cleo, gus] as const;
const topics = ['a', 'b 12'] as const;

/** What somebody does to an organization; what is refused changes nothing, and that is right too. */
class Doings {
  readonly #service: TestService;
  readonly #random: Random;
  readonly #streams: number[];
  readonly #messages: number[] = [];
  #count = 0;

  constructor(service: TestService, random: Random, streams: readonly number[]) {
    this.#service = service;
    this.#random = random;
    this.#streams = [...streams];
  }

  async step(): Promise<void> {
    const some: readonly (() => Promise<unknown>)[] = [
      () => this.#say(),
      () => this.#say(),
      () => this.#say(),
      () => this.#tell(),
      () => this.#edit({ content: this.#text() }),
      () => this.#edit({ topic: this.#random.pick(topics), propagate_mode: 'change_one' }),
      () => this.#edit({ topic: this.#newName(), propagate_mode: 'change_all' }),
      () => this.#edit({ stream_id: this.#stream(), propagate_mode: 'change_later' }),
      () => this.#onMessage(ada, api.lifecycle.delete, {}),
      () => this.#onMessage(this.#someone(), api.reactions.add, { emoji_name: 'octopus' }),
      () => this.#onMessage(this.#someone(), api.reactions.remove, { emoji_name: 'octopus' }),
      () => this.#flag('starred'),
      () => this.#flag('read'),
      () => this.#service.answer(this.#someone(), api.readState.markAllAsRead, {}),
      () => this.#changeUser({ full_name: this.#newName() }),
      () => this.#changeUser({ role: this.#random.pick([400, 600]) }),
      () => this.#changeStream({ new_name: this.#newName() }),
      () => this.#changeStream({ is_private: this.#random.chance(0.5) }),
      () => this.#changeStream({ is_archived: false }),
      () => this.#answer(ada, api.streamAdmin.archive, { stream_id: this.#stream() }),
      () => this.#member(api.streams.subscribe),
      () => this.#member(api.streams.subscribe),
      () => this.#member(api.subscriptions.unsubscribe),
      () => this.#linkify(),
    ];
    await this.#random.pick(some)();
  }

  #answer: TestService['answer'] = (...asked) => this.#service.answer(...asked);
  #someone = (): string => this.#random.pick(everyone);
  #stream = (): number => this.#random.pick(this.#streams);
  #newName = (): string => `name ${String((this.#count += 1))}`;
  #text = (): string => `**text** ${String((this.#count += 1))} https://example.com/a.png @**all**`;

  async #nameOf(id: number): Promise<string> {
    const { streams } = await this.#service.ask(ada, api.streams.list, {
      include_all_active: true,
    });
    return streams.find(({ stream_id: each }) => each === id)?.name ?? 'none';
  }

  async #say(): Promise<void> {
    const { body } = await this.#answer(this.#someone(), api.messages.send, {
      type: 'stream',
      to: await this.#nameOf(this.#stream()),
      topic: this.#random.pick(topics),
      content: this.#text(),
    });
    if (body['id'] !== undefined) this.#messages.push(Number(body['id']));
  }

  async #tell(): Promise<void> {
    this.#messages.push(await this.#service.tell(ada, [ben, cleo], this.#text()));
  }

  async #onMessage(
    who: string,
    endpoint: Parameters<TestService['answer']>[1],
    params: object,
  ): Promise<void> {
    if (this.#messages.length === 0) return;
    await this.#answer(who, endpoint, {
      message_id: this.#random.pick(this.#messages.slice(-12)),
      ...params,
    });
  }

  #edit = (change: object): Promise<void> => this.#onMessage(ada, api.lifecycle.edit, change);

  async #flag(flag: string): Promise<void> {
    if (this.#messages.length === 0) return;
    await this.#answer(this.#someone(), api.readState.changeFlags, {
      messages: [this.#random.pick(this.#messages)],
      flag,
      op: this.#random.pick(['add', 'add', 'remove']),
    });
  }

  #changeUser = (change: object): Promise<unknown> =>
    this.#answer(ada, api.userAdmin.update, {
      user_id: idOf[this.#random.pick([ben, cleo, gus])],
      ...change,
    });

  #changeStream = (change: object): Promise<unknown> =>
    this.#answer(ada, api.streamAdmin.update, { stream_id: this.#stream(), ...change });

  async #member(endpoint: Parameters<TestService['answer']>[1]): Promise<void> {
    const name = await this.#nameOf(this.#stream());
    await this.#answer(ada, endpoint, {
      subscriptions: endpoint === api.streams.subscribe ? [{ name }] : [name],
      principals: [this.#random.pick([ben, cleo, gus])],
    });
  }

  #linkify = (): Promise<unknown> =>
    this.#answer(ada, api.linkifiers.add, {
      pattern: String((this.#count += 1) % 20),
      url_format_string: `https://example.com/${String(this.#count)}`,
    });
}

/** A page of everything or of a search, held against each of its messages alone. */
async function checkPage(service: TestService, random: Random): Promise<number> {
  const who = random.pick(everyone);
  const rendering = {
    apply_markdown: random.chance(0.7),
    with_source: random.chance(0.5),
  };
  const page = await service.ask(who, api.messages.page, {
    ...{ anchor: 'newest', num_before: 15, num_after: 0, client_gravatar: false },
    reach: random.pick(['held', 'readable']),
    narrow: random.chance(0.3) ? [['search', 'text']] : [],
    ...rendering,
  });
  for (const { match_content: _content, match_subject: _subject, ...message } of page.messages) {
    const alone = await service.ask(who, api.lifecycle.get, {
      message_id: message.id,
      ...rendering,
    });
    expect(message).toEqual(alone.message);
  }
  return page.messages.length;
}

test.each([1, 2, 3])(
  'each message of a page is what it is alone, after whatever was done (%i)',
  async (seed) => {
    const service = await startTestService();
    try {
      const random = randomFrom(seed);
      const ids: number[] = [];
      for (const name of ['one', 'two', 'three']) {
        await service.ask(ada, api.streams.subscribe, {
          subscriptions: [{ name }],
          principals: [ada, ben, cleo],
        });
        const { stream_id: id } = await service.ask(ada, api.streams.findId, { stream: name });
        ids.push(id);
      }
      const doings = new Doings(service, random, ids);
      let checked = 0;
      for (let count = 0; count < STEPS; count += 1) {
        await doings.step();
        checked += await checkPage(service, random);
      }
      expect(checked).toBeGreaterThan(STEPS);
    } finally {
      await service.stop();
    }
  },
);
