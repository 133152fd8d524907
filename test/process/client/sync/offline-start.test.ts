import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { StoredDraft } from '#shared/bridge/models/client.ts';
import { desktopHttp } from '#desktop/system/http.ts';
import { Computer, quickService, readOnly, type Running } from '#test/support/client/computer.ts';
import { ids, Mate } from '#test/support/window/office-mates.ts';
import { type RunningService, startService } from '#test/support/service/service.ts';
import { valueOf } from '#test/support/client/client.ts';

describe('with the service stopped', () => {
  let service: RunningService;
  let port: string;
  let ben: Mate;
  let ada: Mate;
  const args = (): readonly string[] => [...quickService, '--port', port];
  beforeAll(async () => {
    service = await startService({ dev: true, args: quickService });
    ({ port } = new URL(service.origin));
    ben = await Mate.of(() => service.origin, 'ben');
    ada = await Mate.of(() => service.origin, 'ada');
  });
  afterAll(async () => {
    await service.stop();
    await rm(service.dataDir, { recursive: true, force: true });
  });

  let computer: Computer;
  let offline: Running;
  let lunch: number;
  let aside: number;
  let liveUntil: number;
  beforeEach(async () => {
    lunch = await ben.say('general', 'lunch', '**soup** today');
    aside = await ben.tell('ada', 'psst');
    computer = await Computer.buy();
    const first = await computer.join({ origin: service.origin, email: 'ada@example.com' });
    await first.filled();
    await first.client.stop();
    liveUntil = Math.floor(Date.now() / 1000);
    offline = await computer.start({ http: () => Promise.reject(new Error('no network')) });
    await offline.offline();
  });

  test('everything is there as it was, and says as of when', async () => {
    const { client, account } = offline;
    const state = await offline.state();
    expect(state.streams.map(({ name }) => name)).toContain('general');
    expect(Object.values(state.unread).some(({ newestId }) => newestId === lunch)).toBe(true);
    const { streamId } = state.streams.find(({ name }) => name === 'general')!;
    const topic = await offline.page({ kind: 'stream', streamId, topic: 'lunch' });
    expect(topic).toMatchObject({ isComplete: true, hasOldest: true, hasNewest: true });
    expect(topic.messages.at(-1)?.id).toBe(lunch);
    const found = await offline.page({
      kind: 'search',
      terms: [{ operator: 'search', operand: 'soup', negated: false }],
    });
    expect(found.messages.at(-1)?.match?.rendered).toContain('highlight');
    expect(valueOf(await client.source(account.id, lunch))).toBe('**soup** today');
    expect(valueOf(await client.topics(account.id, streamId))).toContain('lunch');
    const recent = valueOf(await client.recent(account.id));
    expect(recent[0]).toMatchObject({ newestMessageId: aside, excerpt: 'psst' });
    expect(offline.connection).toMatchObject({ state: 'offline' });
    const { connection } = offline;
    const shown = connection?.state === 'offline' ? connection.liveUntilSeconds : null;
    expect(Math.abs((shown ?? 0) - liveUntil)).toBeLessThanOrEqual(2);
    expect((await offline.status()).backfill).toBe('waiting');
  });

  test('what is missing says so, and is told again once it can be fetched', async () => {
    const elsewhere = await ada.ask('GET', '/streams', { include_all_active: true });
    const all = elsewhere['streams'] as readonly { name: string; stream_id: number }[];
    const subscribed = (await offline.state()).streams.map(({ streamId }) => streamId);
    const unknown = all.find((each) => !subscribed.includes(each.stream_id));
    const streamId = unknown?.stream_id ?? 999;
    const page = await offline.client.messages(offline.account.id, {
      view: { kind: 'stream', streamId, topic: null },
      anchor: 'newest',
      before: 10,
      after: 0,
    });
    if (page.ok) expect(page.value.isComplete).toBe(false);
    else {
      expect(page.failure.code).toBe('UNREACHABLE');
      expect(page.failure.message).toMatch(/\.$/);
    }
  });

  test('what is done there reaches the service when it answers, once and in order', async () => {
    const { client, account } = offline;
    const draft: StoredDraft = {
      key: 'private:3',
      view: { kind: 'private', userIds: [ids.cleo] },
      topic: null,
      content: 'half a thought',
      changedAtSeconds: liveUntil,
    };
    valueOf(await client.saveDraft(account.id, draft));
    valueOf(await client.markRead(account.id, readOnly(lunch)));
    valueOf(await client.star(account.id, aside, true));
    const own = [`one of ${String(aside)}`, `two of ${String(aside)}`];
    for (const text of own) await offline.send(text);
    const before = await offline.state();
    expect(before.outbox.map(({ content, state }) => [content, state])).toEqual(
      own.map((content) => [content, 'waiting']),
    );
    expect(before.starredCount).toBeGreaterThan(0);
    await client.stop();

    // And once more without it: nothing is forgotten.
    const again = await computer.start({ http: () => Promise.reject(new Error('no network')) });
    await again.offline();
    const kept = await again.state();
    expect(kept.drafts.map(({ content }) => content)).toEqual(['half a thought']);
    expect(kept.outbox).toHaveLength(2);
    expect(kept.unread).toEqual(before.unread);
    expect(kept.starredCount).toBe(before.starredCount);
    expect(again.connection).toMatchObject({ state: 'offline' });
    await again.client.stop();

    const online = await computer.start();
    await online.live();
    const sent = async (): Promise<readonly string[]> =>
      (await ada.contents()).filter((text) => own.includes(text));
    await expect.poll(sent).toEqual(own);
    await expect.poll(async () => (await online.state()).outbox).toEqual([]);
    await expect.poll(() => ada.flagsOf(lunch)).toContain('read');
    await expect.poll(() => ada.flagsOf(aside)).toContain('starred');
    expect((await online.state()).drafts).toHaveLength(1);
    expect(await sent()).toEqual(own);
  });

  test('a page that lacked something is told to be fetched anew when the service is back', async () => {
    await offline.client.stop();
    let isDown = true;
    const returning = await computer.start({
      http: (request) => (isDown ? Promise.reject(new Error('no network')) : desktopHttp(request)),
    });
    await returning.offline();
    valueOf(await returning.client.clearCache(returning.account.id));
    const page = await returning.client.messages(returning.account.id, {
      view: { kind: 'private', userIds: [ids.ben] },
      anchor: 'newest',
      before: 10,
      after: 0,
    });
    expect(page).toMatchObject({ ok: true, value: { isComplete: false } });
    const resets = returning.heard.messagesReset.length;
    isDown = false;
    await returning.live();
    await returning.until(() => returning.heard.messagesReset.length > resets);
    const full = await returning.page({ kind: 'private', userIds: [ids.ben] });
    expect(full.messages.at(-1)?.id).toBe(aside);
  });

  test('without its key everything kept is read, nothing is sent, and a sign-in goes on with it', async () => {
    await offline.client.stop();
    computer.loseKeys();
    const asked = computer.requests.length;
    const closed = await computer.start();
    const { client, account } = closed;
    expect(valueOf(await client.connection(account.id))).toEqual({
      state: 'signed-out',
      reason: 'The key of this account is no longer in the keychain. Sign in again.',
    });
    const found = await closed.page({
      kind: 'search',
      terms: [{ operator: 'search', operand: 'soup', negated: false }],
    });
    expect(found.messages.at(-1)?.id).toBe(lunch);
    const text = `without a key ${String(aside)}`;
    await closed.send(text);
    expect((await closed.state()).outbox.map(({ content }) => content)).toEqual([text]);
    expect(computer.requests.slice(asked)).toEqual([]);

    const { address, email } = account;
    valueOf(await client.connect({ address, email, password: '' }));
    await closed.live();
    await expect.poll(async () => (await ada.contents()).includes(text)).toBe(true);
    await expect.poll(async () => (await closed.state()).outbox).toEqual([]);
    await client.stop();
  });

  test('a service that is back at its address is found by itself', async () => {
    await offline.client.stop();
    const waiting = await computer.start();
    await waiting.live();
    await service.kill();
    await waiting.offline();
    service = await startService({ dev: true, dataDir: service.dataDir, args: args() });
    const id = await ben.tell('ada', 'back again');
    await waiting.until(() => waiting.arrived().some((message) => message.id === id));
    await waiting.live();
  });
});
