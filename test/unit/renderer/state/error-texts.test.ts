import { expect, test } from 'vitest';
import type { Bridge } from '#preload/bridge.ts';
import { refusal } from '#shared/api/refusal.ts';
import { failure, type Outcome, success } from '#shared/bridge/outcome.ts';
import { withErrorTexts } from '#renderer/state/error-texts.ts';

const ofService = (error: ReturnType<typeof refusal>): Outcome<never> => {
  const { code, message, failureCause: cause } = error;
  return { ok: false, failure: { code, message, ...(cause === undefined ? {} : { cause }) } };
};
const common = ofService(refusal('common_password', { argument: 'password' }));

const ended: string[] = [];
const bridge = withErrorTexts({
  acceptInvitation: async () => common,
  choosePassword: async () => common,
  connect: async () => failure('USER_DEACTIVATED', 'Ask Ada to let you in again.'),
  request: async () => failure('USER_DEACTIVATED', 'Account is deactivated'),
  dropJoinRequest: async () => success(null),
  on: () => () => void ended.push('ended'),
} as unknown as Bridge);

test.each(['acceptInvitation', 'choosePassword'] as const)(
  'a cause has the words of the window in whatever is asked: %s',
  async (name) => {
    expect(await bridge[name]({} as never)).toMatchObject({
      failure: { message: expect.stringMatching(/^This is one of the first passwords/) },
    });
  },
);

test('a code has them where the service was asked for one thing', async () => {
  expect(await bridge.request('1', 'streams.members', { streamId: 1 })).toMatchObject({
    failure: { message: 'This account is deactivated. Ask an administrator.' },
  });
  expect(await bridge.connect({} as never)).toMatchObject({
    failure: { message: 'Ask Ada to let you in again.' },
  });
});

test('what is no failure is as it was', async () => {
  expect(await bridge.dropJoinRequest()).toEqual(success(null));
  bridge.on('stateChanged', () => undefined)();
  expect(ended).toEqual(['ended']);
});
