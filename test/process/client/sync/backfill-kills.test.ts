import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CacheStatus } from '#shared/bridge/models/client.ts';
import {
  Computer,
  quickService,
  type Request,
  type Running,
} from '#test/support/client/computer.ts';
import { Mate } from '#test/support/window/office-mates.ts';
import { type RunningService, startService } from '#test/support/service/service.ts';

let service: RunningService;
let ben: Mate;
const MESSAGES = 1300;

beforeAll(async () => {
  service = await startService({ dev: true, args: quickService });
  ben = await Mate.of(() => service.origin, 'ben');
  for (let count = 0; count < MESSAGES; count += 100) {
    const some = Array.from({ length: 100 }, (_, index) => {
      const number = count + index;
      return number % 2 === 0
        ? ben.tell('ada', `private ${String(number)}`)
        : ben.say('general', 'history', `public ${String(number)} ${'text '.repeat(20)}`);
    });
    await Promise.all(some);
  }
});
afterAll(async () => {
  await service.stop();
});

const signIn = (): { readonly origin: string; readonly email: string } => ({
  origin: service.origin,
  email: 'ada@example.com',
});

/** The pages of history that were asked for. */
const pages = (computer: Computer): readonly Request[] =>
  computer.requestsTo('/messages').filter(({ params }) => params['num_before'] === '500');

const statuses = (running: Running): readonly CacheStatus['backfill'][] =>
  running.heard.cacheChanged.map(({ status }) => status.backfill);

describe('the background fill', () => {
  test('fetches everything, the newest first, page after page, and then is done', async () => {
    const computer = await Computer.buy();
    const running = await computer.join(signIn());
    await running.filled();
    const held = pages(computer).filter(
      ({ params }) => params['narrow'] === undefined || params['narrow'] === '[]',
    );
    const anchors = held.slice(1).map(({ params }) => Number(params['anchor']));
    expect(anchors).toEqual(anchors.toSorted((a, b) => b - a));
    expect(held.length).toBeGreaterThanOrEqual(3);
    // Three pages of everything, and of each stream what it has.
    expect(pages(computer).length).toBeLessThan(14);
    expect(statuses(running).at(-1)).toBe('complete');
    const count = pages(computer).length;
    running.client.reconsider();
    await running.filled();
    expect(pages(computer)).toHaveLength(count);
    const page = await running.page(undefined, 5000);
    expect(page.isComplete).toBe(true);
    expect(page.messages.length).toBeGreaterThanOrEqual(MESSAGES);
    expect(await running.status()).toMatchObject({
      isEnabled: true,
      messages: page.messages.length,
    });
  });

  test('the background fill rests while the person wants that, and goes on afterwards', async () => {
    const computer = await Computer.buy();
    computer.choices = { ...computer.choices, isFillPaused: true };
    const running = await computer.join(signIn());
    await running.until(() => statuses(running).includes('paused'));
    expect(pages(computer)).toEqual([]);
    computer.choices = { ...computer.choices, isFillPaused: false };
    running.client.reconsider();
    await running.filled();
    expect(pages(computer).length).toBeGreaterThan(0);
  });

  test('the background fill goes on after a restart where it stopped', async () => {
    const computer = await Computer.buy();
    const first = await computer.join(signIn());
    await expect.poll(() => pages(computer).length).toBeGreaterThanOrEqual(2);
    await computer.kill(first);
    const before = pages(computer);
    const second = await computer.start();
    await second.filled();
    const after = pages(computer).slice(before.length);
    const asked = (request: Request): string => JSON.stringify(request.params);
    // One that had no answer yet is asked for once more.
    const twice = after.filter((request) => before.some((each) => asked(each) === asked(request)));
    expect(twice.length).toBeLessThanOrEqual(1);
    expect((await second.page(undefined, 5000)).messages.length).toBeGreaterThanOrEqual(MESSAGES);
  });

  test('the background fill stops at the limit, drops the oldest, and says so', async () => {
    const computer = await Computer.buy();
    const running = await computer.join(signIn());
    await running.filled();
    const { bytes, messages } = await running.status();
    computer.choices = { ...computer.choices, cacheLimitMiB: bytes / 2 / 1024 / 1024 };
    await expect
      .poll(async () => {
        running.client.reconsider();
        return (await running.status()).bytes;
      })
      .toBeLessThanOrEqual(bytes / 2);
    await running.until(() => statuses(running).includes('full'));
    const now = await running.status();
    expect(now.messages).toBeLessThan(messages);
    expect(now.completeSinceSeconds).not.toBeNull();
    // What is gone from here is fetched where somebody looks at it.
    const page = await running.page(undefined, 5000);
    expect(page).toMatchObject({ isComplete: true, hasOldest: true });
    expect(page.messages.length).toBeGreaterThanOrEqual(MESSAGES);
  });

  test('the background fill removes a private stream that may no longer be read, with what was never received', async () => {
    const subscriptions = [{ name: 'vault' }];
    const how = { subscriptions, invite_only: true, history_public_to_subscribers: true };
    await ben.ask('POST', '/users/me/subscriptions', how);
    const early = await ben.say('vault', 'plans', 'before ada');
    const computer = await Computer.buy();
    const running = await computer.join(signIn());
    const principals = ['ada@example.com'];
    await ben.ask('POST', '/users/me/subscriptions', { subscriptions, principals });
    await expect
      .poll(async () => (await running.state()).streams.some(({ name }) => name === 'vault'))
      .toBe(true);
    const received = await ben.say('vault', 'plans', 'with ada');
    await running.filled();
    const { streamId } = (await running.state()).streams.find(({ name }) => name === 'vault')!;
    const view = { kind: 'stream', streamId, topic: null } as const;
    const ids = async (): Promise<readonly number[]> =>
      (await running.page(view)).messages.map(({ id }) => id);
    expect(await ids()).toEqual([early, received]);
    await ben
      .ask('DELETE', '/users/me/subscriptions', { subscriptions: ['vault'], principals })
      .catch(async () => {
        const ada = await Mate.of(() => service.origin, 'ada');
        await ada.ask('DELETE', '/users/me/subscriptions', { subscriptions: ['vault'] });
      });
    await running.until(() =>
      running.heard.messagesRemoved.some((removed) => removed.ids.includes(early)),
    );
    expect(running.heard.messagesRemoved.flatMap((removed) => removed.ids)).toEqual([early]);
  });
});
