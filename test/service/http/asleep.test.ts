/** The computer of a service goes to sleep while clients of every kind are connected (API decisions 15.19). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Account, Connection, Draft } from '#shared/bridge/models/client.ts';
import type { Http } from '#client/ports.ts';
import { api } from '#shared/api/endpoints/index.ts';
import { desktopHttp } from '#desktop/system/http.ts';
import { projectDir } from '#scripts/project-dir.ts';
import { createRealClient, type RealClient, valueOf } from '#test/support/client/client.ts';
import {
  ada,
  ben,
  cleo,
  gus,
  idOf,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

interface Member extends RealClient {
  readonly account: Account;
}

async function join(email: string, http: Http): Promise<Member> {
  const real = createRealClient({ http });
  const address = service.origin;
  const account = valueOf(await real.client.connect({ address, email, password: '' }));
  return { ...real, account };
}

const connectionOf = ({ heard }: RealClient): Connection | undefined =>
  heard.connectionChanged.at(-1)?.connection;

const textsOf = ({ heard }: RealClient): readonly string[] =>
  heard.messagesArrived.flatMap(({ messages }) => messages.map(({ rendered }) => rendered));

/** As a service that has no streams answers. */
const withoutStreams: Http = (request) =>
  request.url.includes('/events/stream?')
    ? Promise.resolve({
        status: 404,
        text: '{"result":"error","msg":"Nothing","code":"NOT_FOUND"}',
      })
    : desktopHttp(request);

/** A client of the Zulip API, which prints the texts of messages until `done`. */
async function followAs(email: string) {
  const script = resolve(projectDir, 'test/support/service/python_client.py');
  const args = [script, 'follow', service.origin, email, await service.keyOf(email)];
  const child = spawn('python3', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'close');
  const texts: string[] = [];
  const lines = createInterface({ input: child.stdout });
  const isRegistered = once(lines, 'line');
  lines.on('line', (line) => {
    const event = JSON.parse(line) as { readonly message?: { readonly content: string } };
    if (event.message !== undefined) texts.push(event.message.content);
  });
  await isRegistered;
  return { texts, ended };
}

const waiting = async (): Promise<number> => (await service.ask(ada, api.health.show)).connected;

test('before its computer sleeps a service tells everybody who is connected since when, and afterwards nothing is lost or doubled [asleep.computer-sleeps-service]', async () => {
  const members = [await join(ben, desktopHttp), await join(cleo, withoutStreams)] as const;
  const [streamed, polling] = members;
  const foreign = await followAs(gus);
  const heard = () => [...members.map(textsOf), foreign.texts];
  await service.tell(ada, [ben, cleo, gus], 'before');
  await expect.poll(heard).toEqual([['<p>before</p>'], ['<p>before</p>'], ['before']]);
  const queue = await service.register(ada, { event_types: ['message'] });
  const fetched = service.send(ada, 'GET /events', { queue_id: queue.id, last_event_id: -1 });
  await expect.poll(waiting).toBe(4);

  const beforeSeconds = Math.floor(Date.now() / 1000);
  await service.setAsleep(true);
  const { status, headers, body } = await fetched;
  const asleepSinceSeconds = Number(body['asleep_since']);
  expect([status, body['code'], headers.get('retry-after')]).toEqual([
    503,
    'ORGANIZATION_ASLEEP',
    '15',
  ]);
  expect(asleepSinceSeconds - beforeSeconds).toBeLessThan(60);
  // Everybody was answered before the computer was let go: nobody waits for a limit of time.
  const asleep = { state: 'offline', asleepSinceSeconds };
  await expect.poll(() => members.map(connectionOf)).toMatchObject([asleep, asleep]);

  const others = [ada, cleo, gus].map((email) => idOf[email]!);
  const draft: Draft = { conversation: { kind: 'private', userIds: others }, content: 'written' };
  valueOf(await streamed.client.sendMessage(streamed.account.id, draft, null));
  await service.setAsleep(true);
  const refusal = { code: 'ORGANIZATION_ASLEEP', asleep_since: asleepSinceSeconds };
  const sent = { type: 'private', to: [ben], content: 'refused' };
  expect(await service.refuse(ada, api.messages.send, sent)).toMatchObject(refusal);
  expect(await service.refuse(null, api.server.settings)).toMatchObject(refusal);
  const page = await fetch(service.origin);
  expect([page.status, await page.text()]).toEqual([503, `${String(body['msg'])}.\n`]);
  expect(heard().flat()).toHaveLength(3);

  await service.setAsleep(false);
  for (const { client } of members) client.wake();
  await expect
    .poll(() => members.map(connectionOf))
    .toEqual([{ state: 'live' }, { state: 'live' }]);
  const before = '<p>before</p>';
  await expect.poll(() => textsOf(polling)).toEqual([before, '<p>written</p>']);
  await service.tell(polling.account.email, [ben, gus], 'done');
  await foreign.ended;
  await expect.poll(() => textsOf(streamed)).toEqual([before, '<p>written</p>', '<p>done</p>']);
  expect(foreign.texts).toEqual(['before', 'written', 'done']);
  expect(await queue.heard()).toHaveLength(1);
});
