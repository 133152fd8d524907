/** A client while its organization was restored and nobody has opened it yet. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { View } from '#shared/bridge/models/client.ts';
import type { Http } from '#client/ports.ts';
import { api } from '#shared/api/endpoints/index.ts';
import { desktopHttp } from '#desktop/system/http.ts';
import { openRestored } from '#service/db/sqlite/restored.ts';
import { valueOf } from '#test/support/client/client.ts';
import { Computer, type Running } from '#test/support/client/computer.ts';
import { ada, ben, idOf, startTestService, type TestService } from '#test/support/service/api.ts';
import { backUp, closeRestored, restoreTo } from '#test/support/service/restored.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ longpollSeconds: 2, heartbeatSeconds: 1 });
});
afterAll(() => service.stop());

const withAda: View = { kind: 'private', userIds: [idOf[ada] ?? 0] };

async function contents(running: Running): Promise<readonly string[]> {
  return (await running.page(withAda)).messages.map(({ rendered }) => rendered);
}

async function waiting(running: Running): Promise<readonly object[]> {
  return (await running.state()).outbox.map(({ content, state, failure }) => ({
    ...{ content, state, failure },
  }));
}

test('while its organization is closed since a restore, a client keeps its messages and what is to be sent, says why, and sends once it is open', async () => {
  const computer = await Computer.buy();
  const { origin } = service;
  let attempts = 0;
  /** Its port is another one after the restore. */
  const http: Http = (request) => {
    const url = request.url.replace(origin, service.origin);
    if (request.method === 'POST' && url.endsWith('/messages')) attempts += 1;
    return desktopHttp({ ...request, url });
  };
  const first = await computer.join({ origin, email: ben }, { http });
  await service.ask(ada, api.messages.send, {
    ...{ type: 'private', to: [ben], content: 'before the backup' },
  });
  await first.until(() => first.arrived().length === 1);
  await first.filled();
  const backup = await backUp(service);

  closeRestored(service.file, 1_763_800_200);
  await first.send('written meanwhile', [idOf[ada] ?? 0]);
  await first.send('taken back', []);
  await first.offline();
  expect(attempts).toBeGreaterThan(0);
  expect(first.connection).toMatchObject({
    reason: expect.stringContaining('from a backup of 2025-11-22 08:30 UTC'),
  });
  const later = { content: 'written meanwhile', state: 'waiting', failure: '' };
  await expect.poll(() => waiting(first)).toEqual([later, { ...later, content: 'taken back' }]);
  // Nobody wonders whether it was sent.
  const item = (await first.state()).outbox.find(({ content }) => content === 'taken back');
  valueOf(await first.client.withdrawMessage(first.account.id, item?.localId ?? ''));
  await first.client.stop();

  await restoreTo(service, backup);
  closeRestored(service.file, 1_763_800_200);
  const next = await computer.start({ http });
  await next.offline();
  expect(await contents(next)).toEqual(['<p>before the backup</p>']);
  expect(await waiting(next)).toEqual([later]);
  expect(openRestored(service.file, null, Math.floor(Date.now() / 1000))).toBe('opened');
  await next.live();
  await expect.poll(() => waiting(next)).toEqual([]);
  expect(await contents(next)).toEqual(['<p>before the backup</p>', '<p>written meanwhile</p>']);
});
