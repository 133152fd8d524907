import { expect, test } from 'vitest';
import { createRealClient, valueOf } from '#test/support/client/client.ts';
import { startServiceForTest } from '#test/support/service/service.ts';

test('streams for new people are there from the start, and follow what administrators choose', async () => {
  const service = await startServiceForTest({ dev: true });
  const join = async (email: string) => {
    const real = createRealClient();
    const request = { address: service.origin, email, password: '' };
    const { id } = valueOf(await real.client.connect(request));
    await real.until(() => real.heard.connectionChanged.at(-1)?.connection.state === 'live');
    const state = async () => valueOf(await real.client.state(id));
    const told = () =>
      real.heard.stateChanged.findLast(({ changes }) => changes.defaultStreamIds !== undefined)
        ?.changes.defaultStreamIds;
    return { ...real, id, state, told };
  };
  const ada = await join('ada@example.com');
  const ben = await join('ben@example.com');
  const { streams, defaultStreamIds: before } = await ada.state();
  const { streamId } = streams.find(({ name }) => name === 'engineering') ?? { streamId: -1 };
  const wasDefault = before.includes(streamId);
  const call = wasDefault ? 'streamAdmin.removeDefault' : 'streamAdmin.addDefault';
  valueOf(await ada.client.request(ada.id, call, { streamId }));
  await ben.until(() => ben.told()?.includes(streamId) === !wasDefault);
  const back = wasDefault ? 'streamAdmin.addDefault' : 'streamAdmin.removeDefault';
  valueOf(await ada.client.request(ada.id, back, { streamId }));
  await ben.until(() => ben.told()?.includes(streamId) === wasDefault);

  valueOf(await ada.client.request(ada.id, 'streamAdmin.addDefault', { streamId }));
  const dora = { email: 'dora@example.com', fullName: 'Dora', password: 'a long password' };
  valueOf(await ada.client.createPerson(ada.id, dora));
  const fresh = await (await join(dora.email)).state();
  expect(fresh.defaultStreamIds).toContain(streamId);
  expect(fresh.streams.map((stream) => stream.streamId)).toContain(streamId);
});
