import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRealClient, valueOf } from '#test/support/client/client.ts';
import { startService, type RunningService } from '#test/support/service/service.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startService({ dev: true });
});
afterAll(async () => {
  expect(await service.stop()).toBe(0);
});

const first = 'a long password';
const second = 'another long password';
const email = 'dora@example.com';

test('a link that an administrator made sets a password and signs in, once', async () => {
  const { client: admin } = createRealClient();
  const address = service.origin;
  const ada = valueOf(await admin.connect({ address, email: 'ada@example.com', password: '' }));
  const person = { email, fullName: 'Dora', password: first };
  const userId = valueOf(await admin.createPerson(ada.id, person));
  const { link } = valueOf(await admin.request(ada.id, 'passwordLinks.make', { userId }));
  const token = link.split('#password/')[1] ?? '';

  const { client: dora } = createRealClient();
  const short = await dora.choosePassword({ address, token, password: 'short' });
  expect(short).toMatchObject({ failure: { argument: 'password' } });
  for (const refused of ['password1', 'long '.repeat(21)]) {
    const outcome = await dora.choosePassword({ address, token, password: refused });
    expect(outcome).toMatchObject({ failure: { argument: 'password' } });
  }
  const wrong = await dora.choosePassword({ address, token: `${token}x`, password: second });
  expect(wrong).toMatchObject({ failure: { message: expect.stringMatching(/used already/) } });
  // As it is typed in front of a link: without a scheme.
  const typed = address.replace('http://', '');
  const joined = valueOf(await dora.choosePassword({ address: typed, token, password: second }));
  expect(joined).toMatchObject({ email, userId, address });
  const { devices } = valueOf(await dora.request(joined.id, 'devices.list', {}));
  expect(devices).toMatchObject([{ is_current: true }]);

  const again = await dora.choosePassword({ address, token, password: first });
  expect(again).toMatchObject({ ok: false, failure: { code: 'LINK_NOT_VALID' } });
  expect(await dora.connect({ address, email, password: first })).toMatchObject({ ok: false });
  expect(await dora.connect({ address, email, password: second })).toMatchObject({ ok: true });
});
