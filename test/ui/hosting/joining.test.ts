import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { failure, success } from '#shared/bridge/outcome.ts';
import { askedToJoin, BridgeDouble } from '#test/support/window/bridge-double.ts';
import { heading, openWindow } from '../open-window.ts';

const address = 'https://192.168.1.20:9981';
const link = {
  token: `7-${'aB3'.repeat(10)}xY`,
  addresses: [address],
  pin: askedToJoin.pin,
  realmName: 'Lantern Office',
};
const button = (name: string | RegExp) => page.getByRole('button', { name });

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble({ accounts: [] });
});

test('who finds an organization and has no account asks to join it, and goes on when accepted', async () => {
  bridge.nearby = [{ name: 'Lantern Office', address }];
  await openWindow(bridge);
  await button(/^Connect to/).click();
  await button('Ask to join').click();
  await expect.element(page.getByText(/^Enter an address, or choose/)).toBeVisible();
  await button(/^Lantern Office/).click();
  await button('Ask to join').click();
  await expect.element(heading('Ask to join')).toBeVisible();
  await page.getByLabelText('Your name').fill('Nia Newcomer');
  await page.getByLabelText('E-mail address').fill('nia@example.com');
  await page.getByLabelText('Who are you? (optional)').fill('the new bookkeeper');
  bridge.answer('requestToJoin', async () => ({
    ...failure('WORDS_NEEDED', ''),
    failure: { code: 'WORDS_NEEDED', message: '', words: ['quiet water', 'loud stone'] },
  }));
  await button('Send request').click();
  bridge.answer('requestToJoin', async () => success((bridge.asked = askedToJoin)));
  await button('quiet water').click();
  await expect.element(heading('You asked to join Lantern Office')).toBeVisible();
  await expect.element(page.getByText('4821')).toBeVisible();
  await expect
    .element(page.getByText(/An administrator of Lantern Office decides. You may close Hearth/))
    .toBeVisible();
  const request = { address, fullName: 'Nia Newcomer', email: 'nia@example.com' };
  expect(bridge.argsOf('requestToJoin').at(-1)).toEqual([
    { ...request, about: 'the new bookkeeper', words: 'quiet water' },
  ]);
});

test('a later start goes on where it was: accepted leads to the password, with the name that was given', async () => {
  bridge.asked = { ...askedToJoin, state: 'accepted', link };
  await openWindow(bridge);
  await expect.element(heading('Join Lantern Office')).toBeVisible();
  await expect.element(page.getByLabelText('Your name')).toHaveValue('Nia Newcomer');
  await button('Back').click();
  await expect.element(heading('You asked to join Lantern Office')).toBeVisible();
  await button('Choose a password').click();
  await page.getByLabelText('Password', { exact: true }).fill('correct horse');
  await button('Join').click();
  await expect.element(heading('Welcome to Office')).toBeVisible();
  expect(bridge.argsOf('acceptInvitation')).toEqual([
    [{ ...link, fullName: 'Nia Newcomer', password: 'correct horse' }],
  ]);
});

test.each([
  ['declined', /declined your request/],
  ['ended', /Your request has ended/],
] as const)(
  'who was %s reads it, and is asked no more after it was removed',
  async (state, text) => {
    bridge.asked = { ...askedToJoin, state };
    await openWindow(bridge);
    await expect.element(page.getByText(text)).toBeVisible();
    await button('Remove').click();
    await expect.element(heading('Welcome to Hearth')).toBeVisible();
    expect(bridge.argsOf('dropJoinRequest')).toHaveLength(1);
  },
);

test('who waits may sign in elsewhere, finds the way back, and may take it back', async () => {
  bridge.asked = { ...askedToJoin, state: 'unreached' };
  await openWindow(bridge);
  await expect.element(page.getByText(/does not answer at the moment/)).toBeVisible();
  await button('Back').click();
  await button('Your request to join Lantern Office').click();
  await button('Withdraw the request').click();
  await expect.element(heading('Welcome to Hearth')).toBeVisible();
});

const inBrowser = { shell: 'browser', canHost: false, fixedAddress: address } as const;

test('a sign-in page of a service that takes no requests offers none', async () => {
  bridge.startState = { ...bridge.startState, ...inBrowser };
  await openWindow(bridge);
  await expect.element(page.getByLabelText('E-mail address')).toBeVisible();
  expect(button('Ask to join').elements()).toEqual([]);
});

test('in a browser somebody asks on the sign-in page', async () => {
  bridge.startState = { ...bridge.startState, ...inBrowser, takesJoinRequests: true };
  await openWindow(bridge);
  await button('Ask to join').click();
  await page.getByLabelText('Your name').fill('Nia');
  await page.getByLabelText('E-mail address').fill('nia@example.com');
  await button('Send request').click();
  await expect.element(page.getByText(/You may close this page/)).toBeVisible();
});

test('an administrator is told quietly, looks, sees what to be wary of, and accepts', async () => {
  bridge = new BridgeDouble();
  const { organization, people } = bridge.current;
  const own = people.find(({ isAdmin }) => isAdmin);
  bridge.current = { ...bridge.current, ownUserId: own?.userId ?? 0 };
  const request = {
    ...{ id: 7, email: 'nia@example.com', full_name: 'Nia Newcomer', about: 'the new bookkeeper' },
    ...{ address: '192.168.1.33', asked: 1_764_000_000, expires: 1_764_600_000, number: '4821' },
    ...{ times: 2, account: null, looks_like: [own?.userId ?? 0] },
  };
  bridge.answerRequest('joinRequests.list', () => success({ requests: [request] }));
  await openWindow(bridge);
  bridge.changeState({ organization: { ...organization, joinRequests: 1 } });
  await expect.element(page.getByText('Somebody asks to join.')).toBeVisible();
  await button('Look at it').click();
  const row = page.getByRole('list', { name: 'Requests to join' }).getByRole('listitem');
  await expect.element(row.getByText('Number 4821')).toBeVisible();
  const accounts = page.getByRole('list', { name: 'Accounts' }).element();
  expect(row.element().compareDocumentPosition(accounts)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  await expect.element(row.getByText(/looks like that of/)).toBeVisible();
  await expect.element(row.getByText(/2 times, from different places/)).toBeVisible();
  bridge.answerRequest('joinRequests.accept', () => success({}));
  bridge.answerRequest('joinRequests.list', () => success({ requests: [] }));
  await button('Accept the request of Nia Newcomer').click();
  await expect.element(page.getByText('Nobody asks to join.')).toBeVisible();
  expect(bridge.requestsOf('joinRequests.accept')).toEqual([{ requestId: 7 }]);
});
