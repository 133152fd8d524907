/** Answers of the service that were made before something changed, and arrive after the event of it. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Http, HttpRequest } from '#client/ports.ts';
import type { MessagePage, ShownMessage } from '#shared/bridge/models/client.ts';
import { desktopHttp } from '#desktop/system/http.ts';
import { desktopClock } from '#desktop/system/clock.ts';
import { Computer, type Running } from '#test/support/client/computer.ts';
import { Mate } from '#test/support/window/office-mates.ts';
import { type RunningService, startService } from '#test/support/service/service.ts';

const email = 'ada@example.com';
let service: RunningService;
let ada: Mate;
let ben: Mate;
beforeAll(async () => {
  service = await startService({ dev: true, args: ['--no-rate-limits'] });
  ada = await Mate.of(() => service.origin, 'ada');
  ben = await Mate.of(() => service.origin, 'ben');
});
afterAll(async () => {
  await service.stop();
});

let topic = '';
let count = 0;
beforeEach(() => {
  count += 1;
  topic = `late ${String(count)}`;
});

/** A network on which one answer is held back: the service has made it, and it has not come yet. */
class SlowNetwork {
  #isHeld: (request: HttpRequest) => boolean = () => false;
  #made = Promise.withResolvers<null>();
  #released = Promise.withResolvers<null>();

  readonly http: Http = async (request) => {
    const isHeld = this.#isHeld(request);
    if (isHeld) this.#isHeld = () => false;
    const answer = await desktopHttp(request);
    if (isHeld) {
      this.#made.resolve(null);
      await this.#released.promise;
    }
    return answer;
  };

  /** The next request of this kind. */
  hold(isHeld: (request: HttpRequest) => boolean): void {
    this.#made = Promise.withResolvers();
    this.#released = Promise.withResolvers();
    this.#isHeld = isHeld;
  }

  async held(): Promise<void> {
    await this.#made.promise;
  }

  release(): void {
    this.#released.resolve(null);
  }
}

const isPage = ({ method, url }: HttpRequest): boolean =>
  method === 'GET' && new URL(url).pathname.endsWith('/api/v1/messages');
const isFillPage = (request: HttpRequest): boolean =>
  isPage(request) && new URL(request.url).searchParams.get('num_before') === '500';
const isOfMessage =
  (id: number) =>
  ({ method, url }: HttpRequest): boolean =>
    method === 'GET' && new URL(url).pathname.endsWith(`/api/v1/messages/${String(id)}`);

async function begin(): Promise<{ computer: Computer; network: SlowNetwork; running: Running }> {
  const network = new SlowNetwork();
  const computer = await Computer.buy();
  computer.choices = { ...computer.choices, isFillPaused: true };
  const more = { http: network.http, clock: desktopClock };
  const running = await computer.join({ origin: service.origin, email }, more);
  return { computer, network, running };
}

/** Settles when the client was told of everything that happened before. */
async function told(running: Running): Promise<void> {
  const id = await ben.tell('ada', 'marker');
  await running.until(() => running.arrived().some((message) => message.id === id));
}

const general = { kind: 'stream', streamId: 1, topic: null } as const;
const find = (page: MessagePage, id: number): ShownMessage | undefined =>
  page.messages.find((message) => message.id === id);

interface Case {
  readonly what: string;
  /** Before anybody asks. */
  readonly prepare?: (id: number) => Promise<unknown>;
  readonly change: (id: number) => Promise<unknown>;
  /** What is found then; undefined where nothing is. */
  readonly expected: object | undefined;
}

const cases: readonly Case[] = [
  {
    what: 'its content was edited',
    change: (id) => ben.edit(id, 'as it is'),
    expected: { rendered: '<p>as it is</p>' },
  },
  {
    what: 'it was moved to another topic',
    change: (id) => ada.ask('PATCH', `/messages/${String(id)}`, { topic: 'elsewhere' }),
    expected: { conversation: { kind: 'stream', streamId: 1, topic: 'elsewhere' } },
  },
  {
    what: 'it was moved to another stream',
    change: (id) => ada.ask('PATCH', `/messages/${String(id)}`, { stream_id: 2 }),
    expected: undefined,
  },
  { what: 'it was deleted', change: (id) => ada.delete(id), expected: undefined },
  {
    what: 'it was starred',
    change: (id) => ada.flag('add', 'starred', [id]),
    expected: { isStarred: true },
  },
  {
    what: 'its star was taken away',
    prepare: (id) => ada.flag('add', 'starred', [id]),
    change: (id) => ada.flag('remove', 'starred', [id]),
    expected: { isStarred: false },
  },
  {
    what: 'it was read',
    change: (id) => ada.flag('add', 'read', [id]),
    expected: { isRead: true },
  },
  {
    what: 'everything was read',
    change: () => ada.ask('POST', '/mark_all_as_read'),
    expected: { isRead: true },
  },
  {
    what: 'somebody reacted',
    change: (id) => ben.react(id, 'tada'),
    expected: { reactions: [{ name: 'tada' }] },
  },
  {
    what: 'a reaction was taken away',
    prepare: (id) => ben.react(id, 'tada'),
    change: (id) => ben.ask('DELETE', `/messages/${String(id)}/reactions`, { emoji_name: 'tada' }),
    expected: { reactions: [] },
  },
];

describe('a page that is opened while', () => {
  test.each(cases)('$what shows that', async ({ prepare, change, expected }) => {
    const id = await ben.say('general', topic, 'as it was');
    await prepare?.(id);
    const { network, running } = await begin();
    network.hold(isPage);
    const opened = running.page(general);
    await network.held();
    await change(id);
    await told(running);
    network.release();
    const shown = find(await opened, id);
    if (expected === undefined) expect(shown).toBeUndefined();
    else expect(shown).toMatchObject(expected);
  });

  test('a message is moved into its topic has it', async () => {
    const id = await ben.say('general', `${topic} before`, 'comes');
    await ben.say('general', topic, 'there');
    const { network, running } = await begin();
    network.hold(isPage);
    const opened = running.page({ ...general, topic });
    await network.held();
    await ada.ask('PATCH', `/messages/${String(id)}`, { topic });
    await told(running);
    network.release();
    expect(find(await opened, id)).toBeDefined();
  });

  test('the stream is lost shows nothing that was never received of it', async () => {
    const name = `closing ${String(count)}`;
    const early = await joinSecret(name);
    const { network, running } = await begin();
    const { streamId } = (await running.state()).streams.find((each) => each.name === name)!;
    network.hold(isPage);
    const opened = running.page({ kind: 'stream', streamId, topic: null });
    await network.held();
    await ada.ask('DELETE', '/users/me/subscriptions', { subscriptions: [name] });
    await told(running);
    network.release();
    expect(find(await opened, early)).toBeUndefined();
  });
});

async function joinSecret(name: string): Promise<number> {
  const subscriptions = [{ name }];
  const closed = { invite_only: true, history_public_to_subscribers: true };
  await ben.ask('POST', '/users/me/subscriptions', { subscriptions, ...closed });
  const early = await ben.say(name, 'plans', 'before ada was there');
  await ben.ask('POST', '/users/me/subscriptions', { subscriptions, principals: [email] });
  return early;
}

describe('a page of the background that is fetched while', () => {
  test.each(cases)('$what keeps that', async ({ prepare, change, expected }) => {
    const id = await ben.say('general', topic, 'as it was');
    await prepare?.(id);
    const { computer, network, running } = await begin();
    network.hold(isFillPage);
    computer.choices = { ...computer.choices, isFillPaused: false };
    running.client.reconsider();
    await network.held();
    await change(id);
    await told(running);
    network.release();
    await running.filled();
    const page = await running.page(general);
    expect(page.isComplete).toBe(true);
    if (expected === undefined) expect(find(page, id)).toBeUndefined();
    else expect(find(page, id)).toMatchObject(expected);
  });

  test('a stream is lost keeps nothing that was never received of it', async () => {
    const name = `closing ${String(count)}`;
    const early = await joinSecret(name);
    const { computer, network, running } = await begin();
    const { streamId } = (await running.state()).streams.find((each) => each.name === name)!;
    network.hold(isFillPage);
    computer.choices = { ...computer.choices, isFillPaused: false };
    running.client.reconsider();
    await network.held();
    await ada.ask('DELETE', '/users/me/subscriptions', { subscriptions: [name] });
    await told(running);
    network.release();
    await running.filled();
    const page = await running.page();
    expect(page.isComplete).toBe(true);
    expect(find(page, early)).toBeUndefined();
    const left = await running.page({ kind: 'stream', streamId, topic: null });
    expect(find(left, early)).toBeUndefined();
  });
});

describe('a single message that is fetched anew while', () => {
  test.each(cases)('$what stays like that', async ({ prepare, change, expected }) => {
    const id = await ben.say('general', topic, 'as it was');
    await ben.say('general', topic, 'beside it');
    await prepare?.(id);
    const { computer, network, running } = await begin();
    computer.choices = { ...computer.choices, isFillPaused: false };
    await running.filled();
    network.hold(isOfMessage(id));
    const move = { topic: `${topic} moved`, propagate_mode: 'change_all' };
    await ada.ask('PATCH', `/messages/${String(id)}`, move);
    await told(running);
    running.client.reconsider();
    await network.held();
    await change(id);
    await told(running);
    network.release();
    await running.filled();
    const page = await running.page(general);
    expect(page.isComplete).toBe(true);
    if (expected === undefined) expect(find(page, id)).toBeUndefined();
    else expect(find(page, id)).toMatchObject(expected);
  });
});
