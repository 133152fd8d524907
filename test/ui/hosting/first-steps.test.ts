import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { failure, success } from '#shared/bridge/outcome.ts';
import { joinLinkIn } from '#shared/join-link.ts';
import {
  account,
  BridgeDouble,
  ownUserId,
  person,
  stream,
} from '#test/support/window/bridge-double.ts';
import { listedStream } from '#test/support/window/office.ts';
import { heading, openWindow } from '../open-window.ts';

let bridge: BridgeDouble;
let copied: string;
let invites: { readonly id: number; readonly email: string }[];

beforeEach(() => {
  copied = '';
  navigator.clipboard.writeText = async (text) => void (copied = text);
  bridge = new BridgeDouble({ accounts: [] });
  bridge.current = {
    ...bridge.current,
    people: [person(ownUserId, 'Ada Admin', { isAdmin: true })],
    streams: [stream(1, 'general')],
    privateConversations: [],
  };
  bridge.reach = { ...bridge.reach, isDecided: false };
  invites = [];
  bridge.answerRequest('invitations.list', () => success({ invites }));
  bridge.answerRequest('invitations.inviteMany', () => {
    invites = [...invites, { id: invites.length + 1, email: '' }];
    return success({ id: invites.length, invite_link: link });
  });
});

const link = `http://127.0.0.1:9981/#join/7-${'aB3'.repeat(10)}xY`;
const fingerprint = 'abcdefghijklmnopqrstuvwxyz234567abcdefghijklmnopqrst';
const step = (name: string) => page.getByRole('listitem', { name: new RegExp(`^${name}`) });
const mark = (name: string, is: 'done' | 'not done yet') =>
  expect
    .element(page.getByRole('heading', { name: new RegExp(`^${name}\\s*, ${is}$`) }))
    .toBeVisible();

async function host(): Promise<void> {
  await openWindow(bridge);
  await page.getByRole('button', { name: /^Host an organization/ }).click();
  await page.getByLabelText('Organization name').fill('Office');
  await page.getByLabelText('Your name').fill('Ada Admin');
  await page.getByLabelText('E-mail address').fill('ada@example.com');
  await page.getByLabelText('Password', { exact: true }).fill('correct horse');
  await userEvent.keyboard('{Enter}');
  await expect.element(heading('First steps')).toBeVisible();
}

async function openTemplates(): Promise<void> {
  await page.getByRole('button', { name: 'Choose streams' }).click();
  await expect.element(page.getByRole('dialog', { name: 'Choose streams' })).toBeVisible();
}

function letsIn(): void {
  bridge.answer('openToNetwork', async () => {
    const identity = { fingerprint, words: 'lamp river stone coat apple moon' };
    const addresses = ['https://192.168.1.20:9981'];
    bridge.changeOffice({ isOpen: true, isDecided: true, addresses, identity });
    return success(bridge.reach);
  });
}

test('whoever has created an organization sees four steps, which nothing keeps them from passing by', async () => {
  await host();
  await expect.element(page.getByRole('status').filter({ hasText: '0 of 4 done' })).toBeVisible();
  await mark('Let others in', 'not done yet');
  await mark('Say who you are', 'not done yet');
  // The page asks it itself.
  expect(page.getByText('Only this computer can reach Office').elements()).toEqual([]);
  await page.getByRole('button', { name: 'Inbox' }).click();
  await expect.element(heading('Inbox')).toBeVisible();
  await expect.element(page.getByText('Only this computer can reach Office')).toBeVisible();
  await page.getByRole('button', { name: /^Account of / }).click();
  await page.getByRole('button', { name: 'First steps' }).click();
  await expect.element(heading('First steps')).toBeVisible();
  await page.getByRole('button', { name: 'Go to the inbox' }).click();
  await expect.element(heading('Inbox')).toBeVisible();
});

test('letting others in and copying an invitation take a click each', async () => {
  letsIn();
  await host();
  expect(page.getByRole('button', { name: 'Copy invitation' }).elements()).toEqual([]);
  await page.getByRole('button', { name: 'Let others join' }).click();
  await mark('Let others in', 'done');
  await expect.element(step('Let others in').getByText(/192\.168\.1\.20:9981/)).toBeVisible();
  await page.getByRole('button', { name: 'Copy invitation' }).click();
  await mark('Invite your colleagues', 'done');
  await expect.element(page.getByText('The invitation is copied.', { exact: false })).toBeVisible();
  expect(joinLinkIn(copied)).toMatchObject({
    addresses: ['https://192.168.1.20:9981'],
    pin: fingerprint,
  });
  await page.getByRole('button', { name: 'Copy invitation' }).click();
  // A second invitation would only be one more to look after.
  await expect.poll(() => bridge.requestsOf('invitations.list').length).toBe(2);
  expect(bridge.requestsOf('invitations.inviteMany')).toEqual([
    { inviteAs: 1, validDays: 7, maxUses: 50 },
  ]);
});

test('where the clipboard is closed the invitation is there to be copied by hand', async () => {
  letsIn();
  navigator.clipboard.writeText = async () => Promise.reject(new Error('closed'));
  await host();
  await page.getByRole('button', { name: 'Let others join' }).click();
  await page.getByRole('button', { name: 'Copy invitation' }).click();
  const field = page.getByRole('textbox', { name: /^The clipboard is closed/ });
  await expect.element(field).toHaveFocus();
  const shown = field.element() as HTMLTextAreaElement;
  expect(joinLinkIn(shown.value)).toMatchObject({ pin: fingerprint });
  expect(shown.selectionEnd).toBe(shown.value.length);
});

test('what keeps others out, or an invitation from being made, is said at its step', async () => {
  bridge.fail('openToNetwork', 'The choice could not be kept.');
  await host();
  await page.getByRole('button', { name: 'Let others join' }).click();
  await expect.element(step('Let others in').getByRole('alert')).toBeVisible();
  letsIn();
  await page.getByRole('button', { name: 'Let others join' }).click();
  await mark('Let others in', 'done');
  bridge.answerRequest('invitations.inviteMany', () => failure('BAD_REQUEST', 'Not now.'));
  await page.getByRole('button', { name: 'Copy invitation' }).click();
  await expect.element(step('Invite your colleagues').getByText('Not now.')).toBeVisible();
  await mark('Invite your colleagues', 'not done yet');
});

test('the marks follow what the organization is, however it came about', async () => {
  await host();
  bridge.changeState({ organization: bridge.organizationWith({ description: 'Boats' }) });
  await mark('Say who you are', 'done');
  bridge.changeState({ streams: [...bridge.current.streams, stream(2, 'orders')] });
  await mark('Make streams for your subjects', 'done');
  const [ada] = bridge.current.people;
  bridge.changeState({ people: [ada!, person(9, 'Hook Bot', { isBot: true })] });
  await mark('Invite your colleagues', 'not done yet');
  bridge.changeState({ people: [ada!, person(10, 'Ben Member')] });
  await mark('Invite your colleagues', 'done');
  await expect.element(page.getByRole('status').filter({ hasText: '3 of 4 done' })).toBeVisible();
});

test('where the service runs elsewhere nobody is let in from here', async () => {
  bridge.answer('hostOrganization', async () => success({ ...account, isHosted: false }));
  await host();
  await expect.element(page.getByText('0 of 3 done')).toBeVisible();
  expect(step('Let others in').elements()).toEqual([]);
  await expect.element(page.getByRole('button', { name: 'Copy invitation' })).toBeVisible();
});

test('whoever is no administrator any more is told whose page it is', async () => {
  await host();
  bridge.changeState({ people: [person(ownUserId, 'Ada Admin')] });
  await expect.element(page.getByText('This page is for administrators')).toBeVisible();
  await page.getByRole('button', { name: /^Account of / }).click();
  await expect.element(page.getByRole('button', { name: 'Keyboard shortcuts' })).toBeVisible();
  expect(page.getByRole('button', { name: 'First steps' }).elements()).toEqual([]);
});

test('streams of a template are changed, left out and created, for those who join too', async () => {
  await host();
  await openTemplates();
  await page.getByRole('button', { name: 'Agency' }).click();
  await page.getByRole('textbox', { name: 'Name of stream 1' }).fill('customers');
  await page.getByRole('textbox', { name: 'Description of stream 1' }).fill('One topic each');
  await page.getByRole('checkbox', { name: 'Create design' }).click();
  await page.getByRole('button', { name: 'Create 3 streams' }).click();
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await mark('Make streams for your subjects', 'done');
  const made = bridge.argsOf('createStream').map(([, args]) => args);
  expect(made).toEqual([
    { name: 'customers', description: 'One topic each', isPrivate: false, userIds: [] },
    expect.objectContaining({ name: 'new business' }),
    expect.objectContaining({ name: 'schedule' }),
  ]);
  expect(bridge.requestsOf('streamAdmin.addDefault')).toEqual([
    { streamName: 'customers' },
    { streamName: 'new business' },
    { streamName: 'schedule' },
  ]);
});

test('a stream that is there already is said, and not created again', async () => {
  bridge.current = {
    ...bridge.current,
    otherStreams: [listedStream(7, 'Materials')],
  };
  await host();
  await openTemplates();
  await expect.element(page.getByText('There is a stream with this name already.')).toBeVisible();
  await expect.element(page.getByRole('checkbox', { name: 'Create materials' })).toBeDisabled();
  await page.getByRole('textbox', { name: 'Name of stream 3' }).fill('Orders');
  await page.getByRole('button', { name: 'Create 3 streams' }).click();
  await expect.element(page.getByText('This name is in the list twice.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Name of stream 3' }).fill('');
  await page.getByRole('button', { name: 'Create 3 streams' }).click();
  await expect.element(page.getByText('A stream name cannot be empty.')).toBeVisible();
  expect(bridge.argsOf('createStream')).toEqual([]);
  await page.getByRole('textbox', { name: 'Name of stream 3' }).fill('tools');
  await page.getByRole('checkbox', { name: /^Whoever joins/ }).click();
  await page.getByRole('button', { name: 'Create 3 streams' }).click();
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  const names = bridge.argsOf('createStream').map(([, args]) => (args as { name: string }).name);
  expect(names).toEqual(['orders', 'tools', 'shifts']);
  expect(bridge.requestsOf('streamAdmin.addDefault')).toEqual([]);
});

test('streams that could not be created are named, and only those are tried again', async () => {
  await host();
  await openTemplates();
  const made: string[] = [];
  let isBroken = true;
  bridge.answer('createStream', async (_, { name }) => {
    if (name === 'machines' && isBroken) return failure('BAD_REQUEST', 'No room for it.');
    made.push(name);
    bridge.changeState({
      streams: [...bridge.current.streams, stream(20 + made.length, name)],
    });
    return success(name);
  });
  bridge.answerRequest('streamAdmin.addDefault', ({ streamName }: { streamName: string }) =>
    streamName === 'shifts' && isBroken ? failure('BAD_REQUEST', 'Not this one.') : success({}),
  );
  await page.getByRole('button', { name: 'Create 4 streams' }).click();
  await expect.element(page.getByText('No room for it.')).toBeVisible();
  await expect
    .element(page.getByText(/people who join are not in it .* Not this one\./))
    .toBeVisible();
  await expect.element(page.getByText(/look at machines, shifts\./)).toBeVisible();
  isBroken = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  expect(made).toEqual(['orders', 'materials', 'shifts', 'machines']);
});
