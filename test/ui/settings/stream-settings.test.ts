import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { failure, success } from '#shared/bridge/outcome.ts';
import { BridgeDouble, ownUserId, person, stream } from '#test/support/window/bridge-double.ts';
import { confirm, openStreamSettings, press, setting } from './open-settings.ts';
import { heading } from '../open-window.ts';

const field = (name: string) => page.getByRole('textbox', { name, exact: true });

function office(): BridgeDouble {
  const bridge = new BridgeDouble();
  bridge.answerRequest('streams.members', () =>
    success({ subscribers: ['ada@example.com', 'BEN@example.com'] }),
  );
  return bridge;
}

const properties = (bridge: BridgeDouble): readonly unknown[] =>
  bridge.requestsOf('subscriptions.setProperties');
const set = (property: string, value: boolean | string) => ({
  subscriptionData: [{ stream_id: 2, property, value }],
});

test('what is set for oneself is saved at once, one property each', async () => {
  const bridge = office();
  await openStreamSettings(bridge, /engineering/, 'For me');
  await page.getByRole('radio', { name: 'Violet' }).click({ force: true });
  await setting('Mute').click();
  await setting('Pin to the top of the list').click();
  await setting('Notification').first().click();
  await setting('Sound').click();
  expect(properties(bridge)).toEqual([
    set('color', '#8a63d2'),
    set('is_muted', true),
    set('pin_to_top', true),
    set('desktop_notifications', true),
    set('audible_notifications', true),
  ]);
});

test('each choice says how it relates to the one for all streams', async () => {
  const bridge = office();
  bridge.current = {
    ...bridge.current,
    streams: [stream(2, 'engineering', { audibleNotifications: true })],
  };
  await openStreamSettings(bridge, /engineering/, 'For me');
  expect(setting('Sound').element()).toHaveAccessibleDescription('For all streams it is off.');
  expect(setting('Notification').element()).toHaveAccessibleDescription('Off, as for all streams.');
  await expect.element(setting('E-mail')).not.toBeInTheDocument();
  await expect.element(setting('Phone notification')).not.toBeInTheDocument();
});

test('a refused choice is shown as it was, with the reason', async () => {
  const bridge = office();
  bridge.answerRequest('subscriptions.setProperties', () => failure('UNREACHABLE', 'No answer.'));
  await openStreamSettings(bridge, /engineering/, 'For me');
  await setting('Mute').click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('No answer.');
  await expect.element(setting('Mute')).not.toBeChecked();
});

test('administrators change what the stream is', async () => {
  const bridge = office();
  await openStreamSettings(bridge, /leads/, 'About');
  await field('Name').fill('heads');
  await userEvent.keyboard('{Enter}');
  await field('Description').fill('Who decides');
  await userEvent.keyboard('{Enter}');
  await setting('New members read earlier messages').click();
  await setting('Only administrators write here').click();
  await setting('Private').click();
  expect(bridge.requestsOf('streamAdmin.update')).toEqual([
    { streamId: 3, newName: 'heads' },
    { streamId: 3, description: 'Who decides' },
    { streamId: 3, isPrivate: true, historyPublicToSubscribers: false },
    { streamId: 3, isAnnouncementOnly: true },
    { streamId: 3, isPrivate: false },
  ]);
});

test('others read what it is', async () => {
  const bridge = office();
  bridge.current = { ...bridge.current, people: [person(ownUserId, 'Ada Admin')] };
  await openStreamSettings(bridge, /general/, 'About');
  await expect.element(page.getByText('For everybody')).toBeVisible();
  await expect.element(page.getByText('Administrators can change this.')).toBeVisible();
  await expect.element(field('Name')).not.toBeInTheDocument();
  await page.getByRole('tab', { name: 'Actions' }).click();
  await expect.element(page.getByRole('button', { name: 'Leave…' })).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Archive…' })).not.toBeInTheDocument();
});

test('members are listed, found, added and removed', async () => {
  const bridge = office();
  await openStreamSettings(bridge, /general/, 'Members');
  const members = page.getByRole('list', { name: 'Members' });
  await expect.element(members.getByText('Ben Member')).toBeVisible();
  expect(members.getByRole('listitem').elements()).toHaveLength(2);
  await press('Add people…');
  await page.getByRole('checkbox', { name: /Cleo/ }).click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect.element(page.getByText('1 person is added.')).toBeVisible();
  expect(bridge.requestsOf('streams.subscribe')).toEqual([
    { subscriptions: [{ name: 'general' }], principals: [10] },
  ]);
  await page.getByRole('searchbox', { name: 'Filter members' }).fill('ben');
  await press('Remove Ben Member from the stream');
  await expect.element(page.getByText('Ben Member is removed.')).toBeVisible();
  expect(bridge.requestsOf('subscriptions.unsubscribe')).toEqual([
    { subscriptions: ['general'], principals: [9] },
  ]);
});

test('members are those of now, and where all are in, nobody is said to be missing', async () => {
  const bridge = office();
  await openStreamSettings(bridge, /general/, 'Members');
  await expect.element(page.getByRole('heading', { name: '2 members' })).toBeVisible();
  await press('Add people…');
  await page.getByRole('checkbox', { name: /Cleo/ }).click();
  bridge.answerRequest('streams.members', () =>
    success({ subscribers: bridge.current.people.map(({ email }) => email) }),
  );
  bridge.changeState({ memberChanges: { 1: 7 } });
  await expect.element(page.getByRole('heading', { name: '5 members' })).toBeVisible();
  await expect.element(page.getByText('Everybody is in this stream already.')).toBeVisible();
  await expect.element(page.getByText(/only one here/)).not.toBeInTheDocument();
});

test('members that cannot be loaded are not shown as none', async () => {
  const bridge = office();
  bridge.answerRequest('streams.members', () => failure('UNREACHABLE', 'No answer.'));
  await openStreamSettings(bridge, /general/, 'Members');
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('This could not be loaded. No answer.');
  await expect.element(page.getByRole('list', { name: 'Members' })).not.toBeInTheDocument();
});

test('the stream is opened, left and archived from its actions', async () => {
  const bridge = office();
  await openStreamSettings(bridge, /engineering/, 'Actions');
  await expect.element(page.getByText(/#narrow\/stream\/2-engineering$/)).toBeVisible();
  await press('Archive…');
  await confirm('Archive');
  expect(bridge.requestsOf('streamAdmin.archive')).toEqual([{ streamId: 2 }]);
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
});

test('opening the stream closes the dialog', async () => {
  const bridge = office();
  await openStreamSettings(bridge, /engineering/, 'Actions');
  await press('Open');
  await expect.element(heading('engineering')).toBeVisible();
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
});

test('a stream that goes away while its settings are open says so', async () => {
  const bridge = office();
  await openStreamSettings(bridge, /engineering/, 'For me');
  bridge.changeState({ streams: bridge.current.streams.filter(({ streamId }) => streamId !== 2) });
  await expect.element(page.getByText(/no longer there/)).toBeVisible();
});
