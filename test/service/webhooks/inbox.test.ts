/** What was delivered to a bot, for its owner alone (API decisions 15.12), over a real socket and a real database. */
import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import type { WholeDelivery } from '#shared/api/models/delivery.ts';
import { defaultLimits } from '#shared/limits.ts';
import { integrations } from '#service/webhooks/integrations/index.ts';
import { receivedRequestOf, loggedPartOf } from '#service/webhooks/stored-request.ts';
import { shortOrLong } from '#test/support/long.ts';
import {
  ada,
  ben,
  cleo,
  hookBot,
  idOf,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const unlimited = { ...defaultLimits, apiCalls: Number.POSITIVE_INFINITY };

let service: TestService;
beforeEach(async () => {
  service = await startTestService({ limits: unlimited });
});
afterEach(async () => {
  vi.useRealTimers();
  await service.stop();
});

const bot_id = idOf[hookBot] ?? 0;
const greeting = { featured_title: 'Tea', featured_url: 'https://tea.example' };

interface Sent {
  readonly integration?: string;
  readonly payload?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Params;
}

async function deliver({
  integration = 'helloworld',
  payload = greeting,
  headers = {},
  query = {},
}: Sent = {}) {
  const params = {
    integration,
    api_key: await service.keyOf(hookBot),
    stream: 'general',
    ...query,
  };
  return service.answer(null, api.webhooks.receive, params, {
    body: typeof payload === 'string' ? payload : JSON.stringify(payload),
    headers: { 'content-type': 'application/json', ...headers },
  });
}

const list = async () => (await service.ask(ben, api.deliveries.list, { bot_id })).deliveries;
const get = async (delivery_id: number) =>
  (await service.ask(ben, api.deliveries.get, { bot_id, delivery_id })).delivery;
const again = async (delivery_id: number, more: Params = {}) =>
  (await service.ask(ben, api.deliveries.again, { bot_id, delivery_id, ...more })).delivery;
async function newest(): Promise<WholeDelivery> {
  const [first] = await list();
  return get(first?.id ?? 0);
}

const notices = async (): Promise<readonly string[]> => {
  const { messages } = await service.ask(ben, api.messages.page, {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    apply_markdown: false,
    narrow: [['pm-with', hookBot]],
  });
  return messages.map(({ content }) => content);
};

describe('a delivery is kept', () => {
  test('a delivery is kept with its event, its message, and the address and headers that it came with [inbox.delivery-kept-event]', async () => {
    const repository = { full_name: 'a/site', name: 'site', html_url: 'https://git.example/site' };
    const payload = { zen: 'Calm', repository, sender: { login: 'ann' } };
    const headers = { 'x-github-event': 'ping', 'user-agent': 'GitHub-Hookshot/1' };
    await deliver({ integration: 'github', payload, headers, query: { topic: 'pings' } });
    const kept = await newest();
    expect(kept).toMatchObject({
      direction: 'incoming',
      integration: 'github',
      event: 'ping',
      outcome: 'posted',
      status: 200,
      reason: '',
      count: 1,
      again_of: null,
      query: 'stream=general&topic=pings',
      body: JSON.stringify(payload),
      can_send_again: true,
    });
    expect(kept.headers).toContainEqual(['x-github-event', 'ping']);
    expect(kept.headers).toContainEqual(['user-agent', 'GitHub-Hookshot/1']);
    const message = await service.read(ben, kept.message_ids[0] ?? 0);
    expect(message).toMatchObject({ subject: 'pings', sender_email: hookBot });
  });

  test('where it was refused, with the words of the answer', async () => {
    const { body } = await deliver({ payload: { featured_title: 'Tea' } });
    const kept = await newest();
    expect(kept).toMatchObject({ outcome: 'refused', status: 400, message_ids: [] });
    expect(kept.reason).toBe(body['msg']);
    expect(kept.reason).toContain("'featured_url'");
  });

  test('where its arguments cannot be read, which its integration never sees', async () => {
    await deliver({ query: { only_events: '{"a":1}' } });
    expect(await newest()).toMatchObject({ outcome: 'refused', status: 400, event: '' });
    expect((await newest()).reason).toContain('only_events');
  });

  test('where nothing is to be said of it', async () => {
    await deliver({
      integration: 'github',
      payload: {},
      headers: { 'x-github-event': 'check_suite' },
    });
    expect(await newest()).toMatchObject({ outcome: 'silent', event: 'check_suite', status: 200 });
  });

  test('a delivery is kept for its owner alone: whoever else asks is answered as for no bot [inbox.delivery-kept-owner]', async () => {
    await deliver();
    const { id: delivery_id } = await newest();
    const unknown = await service.refuse(ada, api.deliveries.list, { bot_id: 9999 });
    for (const who of [ada, cleo]) {
      for (const endpoint of [api.deliveries.list, api.deliveries.get, api.deliveries.again]) {
        const refusal = await service.refuse(who, endpoint, { bot_id, delivery_id });
        expect(refusal).toEqual(unknown);
      }
    }
    const elsewhere = { bot_id, delivery_id: delivery_id + 1 };
    expect((await service.refuse(ben, api.deliveries.get, elsewhere)).msg).toBe('No such delivery');
  });

  test('deliveries are kept over a restart too, the last hundred of each bot, and no longer than seven days [inbox.deliveries-kept-restart]', async () => {
    for (let number = 1; number <= 103; number += 1) {
      await deliver({ payload: { ...greeting, featured_title: `Tea ${String(number)}` } });
    }
    await service.restart();
    const kept = await list();
    expect(kept).toHaveLength(100);
    expect((await get(kept[0]?.id ?? 0)).body).toContain('Tea 103');
    expect((await get(kept[99]?.id ?? 0)).body).toContain('Tea 4"');
    expect(service.rows('kept_delivery_content')).toHaveLength(100);

    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7 * 86_400_000 + 60_000 });
    await service.restart();
    await expect.poll(() => service.rows('kept_delivery')).toEqual([]);
    expect(service.rows('kept_delivery_content')).toEqual([]);
  });

  test('a delivery is kept with 64 KiB of its body: one that was longer cannot be sent again [inbox.delivery-kept-64]', async () => {
    const long = { ...greeting, more: 'ä'.repeat(40_000) };
    expect((await deliver({ payload: long })).status).toBe(200);
    const kept = await newest();
    expect(kept).toMatchObject({ outcome: 'posted', can_send_again: false });
    expect(Buffer.byteLength(kept.body)).toBeLessThanOrEqual(65_536);
    expect(JSON.stringify(long).startsWith(kept.body)).toBe(true);
    const refusal = await service.refuse(ben, api.deliveries.again, {
      bot_id,
      delivery_id: kept.id,
    });
    expect(refusal.msg).toContain('too long');
  });
});

/** Which of these headers would be kept. */
function headersKept(names: readonly string[]): readonly string[] {
  const request = receivedRequestOf({
    contentType: '',
    bytes: new Uint8Array(),
    header: () => undefined,
    headers: () => names.map((name) => [name.toLowerCase(), 'v'] as const),
    query: '',
  });
  const { headers } = loggedPartOf(request, { event: '', reason: '' }, []).content;
  return headers.map(([name]) => name);
}

describe('nothing is kept that would let anybody deliver', () => {
  test('no key, wherever it stands, no cookie, no authorization [inbox.no-secret-kept]', async () => {
    const key = await service.keyOf(hookBot);
    const basic = await service.authorization(hookBot);
    const address = `${service.origin}/api/v1/external/helloworld`;
    const form = new URLSearchParams({ payload: JSON.stringify(greeting), api_key: key });
    await fetch(address, { method: 'POST', body: form });
    const headers = { authorization: basic, cookie: 'session=secret', 'x-api-key': 'secret' };
    await fetch(address, { method: 'POST', headers, body: JSON.stringify(greeting) });
    await fetch(`${address}?api_key=${key}&token=secret&topic=a`, {
      method: 'POST',
      body: JSON.stringify(greeting),
    });
    expect((await list()).map(({ outcome }) => outcome)).toEqual(['posted', 'posted', 'posted']);
    expect((await newest()).query).toBe('topic=a');
    const stored = JSON.stringify(service.rows('kept_delivery_content'));
    for (const secret of [key, basic.slice(6), 'secret', 'cookie', 'authorization']) {
      expect(stored).not.toContain(secret);
    }
  });

  test('no signature of any service', async () => {
    for (const { name, signature } of integrations.values()) {
      if (signature === undefined) continue;
      const asked: string[] = [];
      await signature({
        secret: 'x',
        body: new Uint8Array(),
        nowSeconds: 0,
        header(header) {
          asked.push(header);
          // The moment of a signature is none: it is asked for first.
          return header.includes('timestamp') ? '0' : undefined;
        },
      });
      expect(asked, name).not.toEqual([]);
      const kept = headersKept(asked);
      expect(
        kept.filter((header) => !header.includes('timestamp')),
        name,
      ).toEqual([]);
    }
  });

  test('every header that names an event is kept', () => {
    const names = [...integrations.values()].flatMap(({ event }) =>
      event !== undefined && 'headers' in event ? event.headers : [],
    );
    expect(headersKept(names)).toEqual(names.map((name) => name.toLowerCase()));
  });
});

describe('a delivery that is sent again', () => {
  test('a delivery sent again goes through its integration once more, and is an entry of its own [inbox.delivery-sent-again]', async () => {
    await deliver({ query: { stream: 'nowhere' } });
    const refused = await newest();
    expect(refused).toMatchObject({
      outcome: 'refused',
      reason: expect.stringContaining('nowhere') as string,
    });
    const told = await notices();
    expect(await again(refused.id)).toMatchObject({ outcome: 'refused', again_of: refused.id });
    // Whoever looks on need not be told.
    expect(await notices()).toEqual(told);

    const mended = await again(refused.id, { stream: 'general', topic: 'late' });
    expect(mended).toMatchObject({ outcome: 'posted', again_of: refused.id, status: 200 });
    expect(mended.query).toBe('stream=general&topic=late');
    const message = await service.read(ben, mended.message_ids[0] ?? 0);
    expect(message).toMatchObject({ display_recipient: 'general', subject: 'late' });
    expect(await again(mended.id)).toMatchObject({ outcome: 'posted', again_of: mended.id });
    expect(await list()).toHaveLength(4);
  });

  test('a delivery sent again needs no signature: its owner has looked at it [inbox.delivery-sent-again-needs]', async () => {
    await service.ask(ben, api.bots.update, { bot_id, webhook_secret: 'quiet water' });
    const payload = JSON.stringify({
      action: 'started',
      repository: { name: 'site', html_url: 'https://git.example/site' },
      sender: { login: 'ann' },
    });
    const sent = { integration: 'github', payload };
    await deliver({
      ...sent,
      headers: {
        'x-github-event': 'watch',
        'x-hub-signature-256': `sha256=${createHmac('sha256', 'loud').update(payload).digest('hex')}`,
      },
    });
    const refused = await newest();
    expect(refused).toMatchObject({ outcome: 'refused', status: 401, event: 'watch' });
    const mended = await again(refused.id);
    expect(mended.outcome).not.toBe('refused');
    expect(mended.event).toBe('watch');
  });

  test('a delivery sent again is held to the filters of its address, and to where its bot may post now', async () => {
    const repository = { full_name: 'a/site', name: 'site', html_url: 'https://git.example/site' };
    const payload = { action: 'created', repository, sender: { login: 'ann' } };
    const starred = { integration: 'github', payload, headers: { 'x-github-event': 'star' } };
    await deliver(starred);
    expect(await newest()).toMatchObject({ outcome: 'posted' });
    for (const filter of [{ only_events: '["push"]' }, { exclude_events: '["star"]' }]) {
      await deliver({ ...starred, query: filter });
      const filtered = await newest();
      expect(filtered).toMatchObject({ outcome: 'silent', event: 'star' });
      expect(await again(filtered.id)).toMatchObject({ outcome: 'silent', message_ids: [] });
    }
    await deliver({ query: { stream: 'leads' } });
    const posted = await newest();
    expect(posted).toMatchObject({ outcome: 'posted' });
    for (const who of [ben, hookBot]) {
      const leaving = { subscriptions: ['leads'], principals: [who] };
      await service.ask(ada, api.subscriptions.unsubscribe, leaving);
    }
    expect(await again(posted.id)).toMatchObject({ outcome: 'refused', message_ids: [] });
  });

  test('a delivery is not sent again while the bot is deactivated', async () => {
    await deliver();
    const { id: delivery_id } = await newest();
    await service.ask(ben, api.bots.deactivate, { bot_id });
    const refusal = await service.refuse(ben, api.deliveries.again, { bot_id, delivery_id });
    expect(refusal.msg).toContain('deactivated');
    expect(await list()).toHaveLength(1);
  });
});

describe('a bot that is paused', () => {
  test('a paused bot keeps what comes, until somebody wants it [inbox.paused-bot-comes]', async () => {
    await service.ask(ben, api.integrations.pause, { bot_id, is_paused: true });
    expect((await deliver()).status).toBe(200);
    const held = await newest();
    expect(held).toMatchObject({ outcome: 'paused', message_ids: [] });
    expect(await again(held.id)).toMatchObject({ outcome: 'posted' });
    await service.ask(ben, api.integrations.pause, { bot_id, is_paused: false });
    await deliver();
    expect(await newest()).toMatchObject({ outcome: 'posted' });
  });
});

describe('a bot that was set up', () => {
  test('a bot that was set up is listed for its owner, with what its address says and what came last [inbox.bot-set-listed]', async () => {
    const setup = { integration: 'github', stream: '1', topic: '', only_events: ['push'] };
    await service.ask(ben, api.integrations.setUp, { bot_id, ...setup });
    const before = await service.ask(ben, api.integrations.bots);
    expect(before.bots).toEqual([
      {
        bot_id,
        full_name: expect.any(String) as string,
        api_key: await service.keyOf(hookBot),
        setup,
        is_paused: false,
        has_secret: false,
        last_delivery: null,
      },
    ]);
    await deliver();
    const { id, time } = await newest();
    const [after] = (await service.ask(ben, api.integrations.bots)).bots;
    expect(after?.last_delivery).toEqual({ id, time, outcome: 'posted' });
    expect((await service.ask(ada, api.integrations.bots)).bots).toEqual([]);
  });

  test('the setup of a bot is for a service that exists, and no memory for just anything [inbox.setup-bot-service]', async () => {
    const wrong: readonly Params[] = [
      { integration: 'nothing' },
      { integration: 'github', topic: 'x'.repeat(201) },
      { integration: 'github', only_events: Array.from({ length: 201 }, () => 'push') },
    ];
    for (const params of wrong) {
      const refusal = await service.refuse(ben, api.integrations.setUp, { bot_id, ...params });
      expect(refusal.code).toBe('BAD_REQUEST');
    }
  });

  test('every service has words on what to do at the other side [inbox.words-for-services]', async () => {
    const { integrations: all } = await service.ask(cleo, api.integrations.list);
    expect(all.map(({ name }) => name)).toEqual([...integrations.keys()]);
    for (const { steps } of all) {
      expect(steps.length).toBeGreaterThan(1);
      for (const step of steps) expect(step).toMatch(/[.]$/);
    }
  });
});

test('a bot that is handed over keeps its key where that is asked for, and its services go on [inbox.bot-handed-key]', async () => {
  const key = await service.keyOf(hookBot);
  const given = { bot_id, bot_owner_id: idOf[cleo], keep_key: true };
  expect((await service.refuse(ben, api.bots.update, given)).code).toBe('BAD_REQUEST');
  await service.ask(ada, api.bots.update, given);
  expect((await deliver()).status).toBe(200);
  const { bots } = await service.ask(cleo, api.integrations.bots);
  expect(bots).toMatchObject([{ bot_id, api_key: key, last_delivery: { outcome: 'posted' } }]);
  await service.ask(ada, api.bots.update, { bot_id, bot_owner_id: idOf[ben] });
  expect((await deliver()).status).toBe(401);
  const other = { bot_id: idOf['echo-bot@example.com'], bot_owner_id: idOf[cleo], keep_key: true };
  expect((await service.refuse(ada, api.bots.update, other)).msg).toContain('incoming webhook');
});

const LIMITED = 'More was delivered';

test('above the limit one entry counts, the owner of the bot is told once, and both begin anew when the flood has ended [inbox.above-limit-entry]', async () => {
  await service.stop();
  service = await startTestService({ limits: { ...unlimited, webhookCalls: 3 } });
  const start = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  const query = new URLSearchParams({ api_key: await service.keyOf(hookBot), stream: 'general' });
  const address = `${service.origin}/api/v1/external/helloworld?${query.toString()}`;
  const statuses = (count: number): Promise<readonly number[]> =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const answer = await fetch(address, { method: 'POST', body: JSON.stringify(greeting) });
        return answer.status;
      }),
    );
  expect((await statuses(10)).filter((status) => status === 429)).toHaveLength(7);
  expect(await list()).toHaveLength(4);
  const counting = async () => (await list()).filter(({ outcome }) => outcome === 'limited');
  expect(await counting()).toMatchObject([{ status: 429, count: 7, message_ids: [] }]);
  const [first] = await counting();
  const refusal = await service.refuse(ben, api.deliveries.again, {
    bot_id,
    delivery_id: first?.id,
  });
  expect(refusal.msg).toContain('counted');

  // Some go through again, and some do not: it is the same flood.
  vi.setSystemTime(start + 59_000);
  expect((await statuses(2)).filter((status) => status === 429)).toHaveLength(2);
  vi.setSystemTime(start + 61_000);
  expect((await statuses(4)).filter((status) => status === 429)).toHaveLength(1);
  expect(await counting()).toMatchObject([{ id: first?.id, count: 10 }]);
  expect((await notices()).filter((content) => content.startsWith(LIMITED))).toHaveLength(1);

  vi.setSystemTime(start + 200_000);
  expect((await statuses(4)).filter((status) => status === 429)).toHaveLength(1);
  expect(await counting()).toMatchObject([{ count: 1 }, { id: first?.id, count: 10 }]);
  expect((await notices()).filter((content) => content.startsWith(LIMITED))).toHaveLength(2);
});

test('twenty bots at once are posted to the last delivery, while people go on writing', async () => {
  const each = shortOrLong(20, 300);
  const keys: string[] = [];
  for (let number = 0; number < 20; number += 1) {
    const name = `busy${String(number)}`;
    const bot = await service.ask(ben, api.bots.create, {
      full_name: name,
      short_name: name,
      bot_type: 2,
    });
    keys.push(bot.api_key);
  }
  const send = (key: string, number: number) => {
    const query = new URLSearchParams({ api_key: key, stream: 'general' });
    return fetch(`${service.origin}/api/v1/external/ifttt?${query.toString()}`, {
      method: 'POST',
      body: JSON.stringify({ topic: 'busy', content: `number ${String(number)}` }),
    });
  };
  const sending = keys.map(async (key) => {
    const statuses = new Set<number>();
    for (let number = 0; number < each; number += 1) statuses.add((await send(key, number)).status);
    return [...statuses];
  });
  for (let number = 0; number < 10; number += 1) {
    await service.say(ada, 'general', 'tea', `cup ${String(number)}`);
  }
  expect(new Set((await Promise.all(sending)).flat())).toEqual(new Set([200]));
  const topics = (service.dump()['message'] ?? []).filter(({ content }) =>
    String(content).startsWith('number '),
  );
  expect(topics).toHaveLength(20 * each);
  const { bots } = await service.ask(ben, api.integrations.bots);
  for (const { bot_id: id } of bots.filter(({ full_name }) => full_name.startsWith('busy'))) {
    const { deliveries } = await service.ask(ben, api.deliveries.list, { bot_id: id });
    expect(deliveries).toHaveLength(Math.min(each, 100));
  }
});
