/** What a service says of the addresses at which others reach it (API decisions 15.13). */
import { expect, test } from 'vitest';
import { compose, type RunningService } from '#hosting/compose-service.ts';
import { api } from '#shared/api/endpoints/index.ts';
import { ada, cleo, startTestService, type Options } from '#test/support/service/api.ts';

type Compose = NonNullable<Options['compose']>;

/** The service that a test asks, and what it runs on. */
async function started(more: Partial<Parameters<Compose>[0]> = {}) {
  let running: RunningService | undefined;
  const service = await startTestService({
    compose: async (options) => (running = await compose({ ...options, ...more })),
  });
  const addresses = async (email = ada): Promise<readonly string[]> =>
    (await service.ask(email, api.server.addresses, {})).addresses;
  return { service, addresses, listenOn: running!.listenOn };
}

test('a service that nobody else reaches has no addresses [addresses.service-nobody-else]', async () => {
  const { service, addresses } = await started();
  expect(await addresses()).toEqual([]);
  await service.stop();
});

test('the addresses are those at which it listens now, whoever of the organization asks [addresses.listens-now-organization]', async () => {
  const { service, addresses, listenOn } = await started();
  const { port } = new URL(service.origin);
  expect(await listenOn(['127.0.0.2', '192.0.2.77'])).toMatchObject([{ address: '192.0.2.77' }]);
  const [first, ...names] = await addresses(cleo);
  expect(first).toBe(`https://127.0.0.2:${port}`);
  for (const name of names)
    expect(name).toMatch(new RegExp(`^https://[a-z0-9-]+\\.local:${port}$`));
  await listenOn([]);
  expect(await addresses()).toEqual([]);
  await service.stop();
});

test('a public address comes first [addresses.public-address-comes]', async () => {
  const { service, addresses } = await started({ publicUrl: 'https://chat.example.com' });
  expect(await addresses()).toEqual(['https://chat.example.com']);
  await service.stop();
});
