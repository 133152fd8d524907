import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import { isCommonPassword } from '#service/core/rules/common-passwords.ts';
import { ada, startTestService, type TestService } from '#test/support/service/api.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test.each([
  'password',
  'PASSWORD',
  ' Password1',
  'ｐａｓｓｗｏｒｄ',
  '12345678',
  'qwertyuiop',
  'iloveyou1',
])('%j is one of the commonest passwords', (password) => {
  expect(isCommonPassword(password)).toBe(true);
});

test.each(['correct horse', 'my password', 'passwordless', ''])('%j is not', (password) => {
  expect(isCommonPassword(password)).toBe(false);
});

test('none of the commonest passwords can be given to a new account [common-passwords.none-commonest-given]', async () => {
  const account = { email: 'eve@example.com', full_name: 'Eve New', password: 'Iloveyou1' };
  const refusal = await service.refuse(ada, api.users.create, account);
  expect(refusal).toMatchObject({ code: 'REQUEST_VARIABLE_INVALID', var_name: 'password' });
  expect(JSON.stringify(refusal)).not.toContain(account.password);
});

test('none can be chosen with an invitation', async () => {
  await service.ask(ada, api.invitations.invite, { invitee_emails: 'fay@example.com' });
  const { invites } = await service.ask(ada, api.invitations.list);
  const token = invites[0]?.link.split('/').at(-1);
  const person = { full_name: 'Fay New', password: 'sunshine1', token };
  expect(await service.refuse(null, api.invitations.accept, person)).toMatchObject({
    ...{ code: 'REQUEST_VARIABLE_INVALID', var_name: 'password' },
  });
});

test('none can take the place of another password [common-passwords.none-take-place]', async () => {
  const email = 'gil@example.com';
  const account = { email, full_name: 'Gil New', password: 'a long password' };
  await service.ask(ada, api.users.create, account);
  const change = { old_password: account.password, new_password: 'trustno1' };
  expect(await service.refuse(email, api.settings.update, change)).toMatchObject({
    ...{ code: 'REQUEST_VARIABLE_INVALID', var_name: 'new_password' },
  });
});
