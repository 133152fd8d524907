/** To whom a delivery belongs, and what of it is kept (API decisions 15.12), over a real socket and a real database. */
import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import Database from 'better-sqlite3';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  hookBot,
  idOf,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';
import { HookServer } from '#test/support/service/hook-server.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService({ allowPrivateAddresses: true });
});
afterEach(() => service.stop());

const bot_id = idOf[hookBot] ?? 0;
const handOver = (to: string, id = bot_id, keep_key = true) =>
  service.ask(ada, api.bots.update, { bot_id: id, bot_owner_id: idOf[to], keep_key });
const idsFor = async (who: string, id = bot_id): Promise<readonly number[]> =>
  (await service.ask(who, api.deliveries.list, { bot_id: id })).deliveries.map((each) => each.id);

async function deliver(
  payload: unknown,
  headers: Record<string, string> = {},
  more = '',
): Promise<void> {
  const key = await service.keyOf(hookBot);
  const path = `/api/v1/external/${more === '' ? 'helloworld' : more}?stream=general&api_key=${key}`;
  await fetch(new URL(path, service.origin), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });
}
const greeting = { featured_title: 'Tea', featured_url: 'https://tea.example' };

test('a new owner of a bot sees deliveries from then on, and the one of before sees theirs when it is handed back [delivery-owners.new-bot-sees]', async () => {
  await deliver(greeting);
  const [old = 0] = await idsFor(ben);
  await handOver(ada);
  expect(await idsFor(ada)).toEqual([]);
  for (const endpoint of [api.deliveries.get, api.deliveries.again]) {
    const refusal = await service.refuse(ada, endpoint, { bot_id, delivery_id: old });
    expect(refusal).toMatchObject({ code: 'BAD_REQUEST', msg: 'No such delivery' });
  }
  const [bot] = (await service.ask(ada, api.integrations.bots)).bots;
  expect(bot).toMatchObject({ bot_id, last_delivery: null });
  expect((await service.refuse(ben, api.deliveries.list, { bot_id })).msg).toBe('No such bot');

  await deliver(greeting);
  const [since = 0] = await idsFor(ada);
  expect(since).toBeGreaterThan(old);
  await handOver(ben);
  expect(await idsFor(ben)).toEqual([old]);
  await handOver(cleo);
  expect(await idsFor(cleo)).toEqual([]);
});

test('a new owner of an outgoing webhook bot sees nothing that it was told before, and it is told nothing that waited [delivery-owners.new-outgoing-webhook]', async () => {
  const server = new HookServer();
  await server.start();
  onTestFinished(() => server.stop());
  const { user_id: id, email } = await service.ask(ben, api.bots.create, {
    ...{ full_name: 'Asker', short_name: 'asker', bot_type: 3, payload_url: server.url() },
  });
  await service.tell(ben, [email], 'for ben alone');
  const told = await server.next();
  await service.tell(ben, [email], 'waits behind it');
  await handOver(ada, id, false);
  const { token } = JSON.parse(told.body) as { readonly token: string };
  told.answer({ response_not_required: true, echo: token, password: 'pass phrase' });

  await service.tell(ada, [email], 'for ada');
  const next = await server.next();
  expect(JSON.parse(next.body)).toMatchObject({ data: 'for ada' });
  next.answer({ response_not_required: true });
  await expect.poll(() => idsFor(ada, id)).toHaveLength(1);
  await handOver(ben, id, false);
  const [mine = 0, ...more] = await idsFor(ben, id);
  expect(more).toEqual([]);
  const { delivery } = await service.ask(ben, api.deliveries.get, {
    bot_id: id,
    delivery_id: mine,
  });
  expect(delivery.attempts.map(({ answer }) => JSON.parse(answer) as unknown)).toEqual([
    { response_not_required: true, echo: '[redacted]', password: '[redacted]' },
  ]);
});

test('secrets of a delivery are kept nowhere, and what was delivered is sent again without them [delivery-owners.secrets-kept-nowhere]', async () => {
  const key = await service.keyOf(hookBot);
  const shared = 'quiet water & "stones"';
  await service.ask(ben, api.bots.update, { bot_id, webhook_secret: shared });
  const token = 'tok/en+of=the?sender';
  const payload = JSON.stringify({
    action: 'started',
    repository: {
      name: 'site',
      html_url: `https://git.example/site?token=${encodeURIComponent(token)}`,
    },
    sender: { login: 'ann' },
    hook: {
      config: { secret: shared, list: [{ name: 'Authorization', value: `Bearer ${token}` }] },
    },
    note: Buffer.from(`u:${token}`).toString('base64'),
  });
  const signature = createHmac('sha256', shared).update(payload).digest('hex');
  await deliver(
    payload,
    {
      'x-github-event': 'watch',
      'x-hub-signature-256': `sha256=${signature}`,
      'x-original-url': `/api/v1/external/github?api_key=${key}&token=${encodeURIComponent(token)}`,
      referer: `https://proxy.example/?next=${encodeURIComponent(`/?api_key=${key}`)}`,
      'x-trace': `${signature} ${Buffer.from(key).toString('base64url')}`,
    },
    'github',
  );
  const [id = 0] = await idsFor(ben);
  const found = await service.ask(ben, api.deliveries.get, { bot_id, delivery_id: id });
  const stored = JSON.stringify(service.rows('kept_delivery_content'));
  const written = [key, token, shared, signature].flatMap((secret) => [
    ...[secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)],
    ...[Buffer.from(secret), Buffer.from(`u:${secret}`).subarray(0, -1)].map((bytes) =>
      bytes.toString('base64url').slice(2, -2),
    ),
  ]);
  for (const secret of written) expect(stored).not.toContain(secret);
  expect(found.delivery).toMatchObject({ event: 'watch', can_send_again: true });
  expect(JSON.parse(found.delivery.body)).toMatchObject({
    repository: { name: 'site', html_url: 'https://git.example/site?token=[redacted]' },
    sender: { login: 'ann' },
  });

  // Again asks for no signature, which nothing could be compared with; the owner, the bot and the filters count as before.
  const { delivery } = await service.ask(ben, api.deliveries.again, { bot_id, delivery_id: id });
  expect(delivery).toMatchObject({ outcome: found.delivery.outcome, event: 'watch', status: 200 });
  expect(
    await service.refuse(cleo, api.deliveries.again, { bot_id, delivery_id: id }),
  ).toMatchObject({
    msg: 'No such bot',
  });
});

test('what was kept with secrets before is redacted when the service starts, and belongs to the owner of then', async () => {
  await deliver(greeting);
  const [id = 0] = await idsFor(ben);
  const body = JSON.stringify({ ...greeting, auth: { token: 'left-over-token' } });
  const content = { kind: 'request', query: 'topic=left-over-token', isWhole: true };
  const headers = [['x-original-url', `/?api_key=${await service.keyOf(hookBot)}`]];
  const key = await service.keyOf(hookBot);
  await service.halt();
  const database = new Database(service.file);
  database
    .prepare('UPDATE kept_delivery_content SET content = ?, body = ?, is_redacted = 0')
    .run(JSON.stringify({ ...content, headers }), body);
  database.close();
  await service.start();
  const { delivery } = await service.ask(ben, api.deliveries.get, { bot_id, delivery_id: id });
  expect(delivery).toMatchObject({ query: 'topic=[redacted]', can_send_again: true });
  const stored = JSON.stringify(service.rows('kept_delivery_content'));
  for (const secret of [key, 'left-over-token']) expect(stored).not.toContain(secret);
});
