/** How the service is, as its administrators see it (API decisions 15.17). */
import { rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import manifest from '#package.json' with { type: 'json' };
import { api } from '#shared/api/endpoints/index.ts';
import type { ResultOf } from '#shared/api/endpoint.ts';
import { SECRET_FILE } from '#node/tls/server-identity.ts';
import { png, upload } from '#test/support/images.ts';
import { ada, ben, startTestService, type TestService } from '#test/support/service/api.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.stop());

const health = (): Promise<ResultOf<typeof api.health.show>> =>
  service.ask(ada, api.health.show, {});

test('the disk, the database, uploads, queues and who waits are told as they are now [health.disk-database-uploads]', async () => {
  const before = await health();
  const { bsize, blocks } = statfsSync(service.dataDir);
  expect(before).toMatchObject({ version: manifest.version, queues: 0, connected: 0 });
  expect(before.disk).toMatchObject({ total_bytes: blocks * bsize, takes_uploads: true });
  expect(before.disk.free_bytes).toBeLessThan(blocks * bsize);
  expect(before.database_bytes).toBeGreaterThan(100_000);
  expect(before.memory_bytes).toBeGreaterThan(10_000_000);
  expect(Math.abs(before.started_at - Date.now() / 1000)).toBeLessThan(600);

  await service.ask(ben, api.uploads.upload, {}, { body: upload(png) });
  const { queue_id: queueId, last_event_id: lastEventId } = await service.ask(
    ben,
    api.events.register,
    { event_types: ['message'] },
  );
  const waiting = service.ask(ben, api.events.poll, {
    queue_id: queueId,
    last_event_id: lastEventId,
  });
  await expect.poll(async () => (await health()).connected).toBe(1);
  const after = await health();
  expect(after).toMatchObject({ queues: 1, upload_bytes: before.upload_bytes + png.length });
  expect(after.started_at).toBe(before.started_at);
  const sent = { type: 'stream', to: 'general', topic: 'health', content: 'well' };
  await service.ask(ada, api.messages.send, sent);
  await waiting;
  await expect.poll(async () => (await health()).connected).toBe(0);
});

test('what the service has warned of is told, and what ended before is not [health.service-warned-ended]', async () => {
  const warning = { level: 'warn', message: expect.stringMatching(/^the secret is a new one/) };
  expect((await health()).warnings).not.toContainEqual(expect.objectContaining(warning));
  await service.halt();
  rmSync(join(service.dataDir, SECRET_FILE));
  await service.start();
  service.forgetKey(ada);
  const { warnings } = await health();
  expect(warnings).toContainEqual(expect.objectContaining(warning));
  const told = warnings.find(({ message }) => message.startsWith('the secret is a new one'));
  expect(JSON.parse(told?.details ?? '')).toMatchObject({ accounts: expect.any(Number) as number });
  await service.restart();
  expect((await health()).warnings).not.toContainEqual(expect.objectContaining(warning));
});
