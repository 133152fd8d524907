import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  gus,
  idOf,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const {
  addAndroidToken,
  addAppleToken,
  listDevelopmentUsers,
  removeAndroidToken,
  removeAppleToken,
  setTutorialStatus,
} = api.compatibility;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('a development server lists its active people to everybody', async () => {
  await service.ask(ada, api.userAdmin.deactivate, { user_id: idOf[cleo] });
  const shape = (email: string) => ({ email, realm_uri: service.origin });
  expect(await service.ask(null, listDevelopmentUsers)).toEqual({
    direct_admins: [shape(ada)],
    direct_users: [ben, gus].map(shape),
  });
});

test('a production server does not', async () => {
  const production = await startTestService({ isDevelopment: false });
  try {
    expect(await production.refuse(null, listDevelopmentUsers)).toMatchObject({
      code: 'BAD_REQUEST',
    });
  } finally {
    await production.stop();
  }
});

test('the status of a tutorial is accepted from people and changes nothing', async () => {
  const queue = await service.register(gus);
  expect(
    await service.rowsAdded(() => service.ask(gus, setTutorialStatus, { status: 'finished' })),
  ).toEqual({});
  expect(await queue.now()).toEqual([]);
  expect(await service.refuse(gus, setTutorialStatus)).toMatchObject({
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'status',
  });
  expect(await service.refuse(echoBot, setTutorialStatus, { status: 'x' })).toMatchObject({
    code: 'BAD_REQUEST',
  });
});

test.each([
  ['of Apple, added', addAppleToken],
  ['of Apple, removed', removeAppleToken],
  ['of Android, added', addAndroidToken],
  ['of Android, removed', removeAndroidToken],
])('the token of a device is accepted from people and kept nowhere: %s', async (_, endpoint) => {
  const added = await service.rowsAdded(() => service.ask(gus, endpoint, { token: 'a1b2' }));
  expect(added).toEqual({});
  expect(await service.refuse(gus, endpoint)).toMatchObject({
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'token',
  });
  expect(await service.refuse(echoBot, endpoint, { token: 'a1b2' })).toMatchObject({
    code: 'BAD_REQUEST',
  });
});
