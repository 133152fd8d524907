import { afterEach, beforeEach, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  everybody,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';
import { signedRestoreGeneration } from '#test/support/service/epochs.ts';

const { meetEpoch } = api.server;
const PASSWORD = 'a long password';
const dora = 'dora@example.com';

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
  for (const who of everybody) await service.keyOf(who);
});
afterEach(() => service.stop());

test('a later epoch closes the organization here for good, and whoever waits is told [epochs.later-closes-organization]', async () => {
  const account = { email: dora, password: PASSWORD, full_name: 'Dora' };
  const { user_id } = await service.ask(ada, api.users.create, account);
  await service.ask(ada, api.userAdmin.update, { user_id, is_admin: true });
  const queue = await service.register(ben);
  const waiting = queue.poll();
  await service.arrived();
  const later = await signedRestoreGeneration(service, 1_800_000_000);
  expect(await service.ask(null, meetEpoch, later)).toEqual({});
  expect(await waiting).toMatchObject([{ type: 'realm', op: 'deactivated' }]);
  await service.restart();
  const refusal = {
    code: 'REALM_DEACTIVATED',
    msg: 'This organization goes on on another computer',
  };
  for (const who of everybody) {
    expect(await service.refuse(who, api.users.me)).toMatchObject(refusal);
    expect(await service.refuse(who, api.events.register)).toMatchObject(refusal);
  }
  const password = { username: dora, password: PASSWORD };
  expect(await service.refuse(null, api.closing.reactivate, password)).toMatchObject({
    msg: 'The organization is not deactivated',
  });
  expect((await service.answer(null, api.users.fetchApiKey, password)).status).not.toBe(200);
  // Whoever asks what it is still hears that, and another one changes nothing.
  expect(await service.ask(null, api.server.settings)).toMatchObject({ realm_name: 'Dev' });
  const before = service.dump();
  await service.ask(null, meetEpoch, await signedRestoreGeneration(service, 1_900_000_000));
  expect(service.dump()).toEqual(before);
});

test('an epoch that this organization has not signed is refused, and changes nothing [epochs.organization-not-signed]', async () => {
  const epoch = await signedRestoreGeneration(service, 1_800_000_000);
  for (const forged of [
    { ...epoch, n: epoch.n + 1 },
    { ...epoch, id: 'cd'.repeat(16) },
    { ...epoch, parent: 'ab'.repeat(16) },
    { ...epoch, signature: '' },
    { ...epoch, signature: epoch.signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')) },
    { ...epoch, signature: 'not base64 at all' },
  ]) {
    expect(await service.refuse(null, meetEpoch, forged)).toMatchObject({ code: 'BAD_REQUEST' });
  }
  expect(await service.refuse(null, meetEpoch, { ...epoch, n: 'soon' })).toMatchObject({
    code: 'REQUEST_VARIABLE_INVALID',
    var_name: 'n',
  });
  await service.ask(ada, api.users.me);
});
