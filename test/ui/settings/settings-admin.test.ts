import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { failure, success } from '#shared/bridge/outcome.ts';
import { BridgeDouble, ownUserId, person } from '#test/support/window/bridge-double.ts';
import { healthy } from '#test/support/window/health.ts';
import { choice, confirm, openSettings, press, setting } from './open-settings.ts';

const field = (name: string) => page.getByRole('textbox', { name, exact: true });

async function drawnPng(): Promise<Uint8Array<ArrayBuffer>> {
  const canvas = new OffscreenCanvas(40, 40);
  canvas.getContext('2d')?.fillRect(8, 8, 24, 24);
  return new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
}

/** Lists that are fetched when their page opens. */
function office(): BridgeDouble {
  const bridge = new BridgeDouble();
  bridge.answerRequest('linkifiers.list', () =>
    success({
      linkifiers: [{ id: 4, pattern: '#(?P<id>[0-9]+)', url_format: 'https://i/%(id)s' }],
    }),
  );
  bridge.answerRequest('invitations.list', () =>
    success({
      invites: [
        { id: 7, email: 'new@example.com', invited_as: 1, link: 'http://127.0.0.1:9981/join/x' },
      ],
    }),
  );
  return bridge;
}

test('members see no pages of administrators, and guests no bots and groups either', async () => {
  const bridge = office();
  bridge.current = { ...bridge.current, people: [person(ownUserId, 'Ada Admin')] };
  await openSettings(bridge, 'Profile');
  const tabs = () =>
    page
      .getByRole('tab')
      .elements()
      .map((each) => each.textContent.trim());
  expect(tabs()).not.toContain('Organization');
  expect(tabs()).toContain('Bots');
  bridge.changeState({ people: [person(ownUserId, 'Ada Admin', { isGuest: true })] });
  await expect.element(page.getByRole('tab', { name: 'Bots' })).not.toBeInTheDocument();
  expect(tabs()).not.toContain('User groups');
});

test('administrators choose the picture of the organization, and remove it', async () => {
  const bridge = office();
  await openSettings(bridge, 'Organization');
  const about = page.getByRole('region', { name: 'About' });
  await expect.element(about.getByRole('button', { name: 'Change picture…' })).toBeVisible();
  await expect
    .element(about.getByRole('button', { name: 'Remove', exact: true }))
    .not.toBeInTheDocument();
  const input = document.querySelector<HTMLInputElement>('input[type="file"]');
  const picture = new File(['x'], 'logo.png', { type: 'image/png' });
  bridge.answer('requestWithFile', async () => failure('BAD_IMAGE', 'Not one.'));
  await userEvent.upload(input ?? document.body, picture);
  await expect
    .element(about.getByText('This file is not an image that can be shown.'))
    .toBeVisible();
  bridge.restore('requestWithFile');
  await userEvent.upload(input ?? document.body, picture);
  await expect.element(about.getByText('The picture is changed.')).toBeVisible();
  expect(bridge.argsOf('requestWithFile').at(-1)?.slice(1, 3)).toEqual(['realmIcon.set', {}]);
  const bytes = await drawnPng();
  bridge.answer('file', async () => success({ type: 'image/png', bytes }));
  const { organization } = bridge.current;
  bridge.changeState({
    organization: { ...organization, iconUrl: '/user_avatars/1/realm/a.png' },
  });
  await expect.poll(() => document.querySelectorAll('.square img')).toHaveLength(1);
  await about.getByRole('button', { name: 'Remove', exact: true }).click();
  expect(bridge.requestsOf('realmIcon.remove')).toEqual([{}]);
});

test('each setting of the organization changes its own property', async () => {
  const bridge = office();
  await openSettings(bridge, 'Organization');
  await page
    .getByRole('region', { name: 'About' })
    .getByRole('textbox', { name: 'Name' })
    .fill('Workshop');
  await userEvent.keyboard('{Enter}');
  await setting('People may edit their messages').click();
  await setting('Everybody may change topics').click();
  await choice('People may delete their messages: for how long').selectOptions('1 day');
  await setting('Messages in streams need a topic').click();
  await choice('Create streams').selectOptions('Administrators only');
  await choice('Create bots').selectOptions('Webhooks: members; generic bots: administrators');
  await choice('Write private messages').selectOptions('Only with bots');
  await setting('People may change their picture').click();
  expect(bridge.requestsOf('realm.update')).toEqual([
    { name: 'Workshop' },
    { allow_message_editing: false },
    { allow_community_topic_editing: false },
    { message_content_delete_limit_seconds: 86_400 },
    { mandatory_topics: true },
    { create_stream_policy: 2 },
    { bot_creation_policy: 2 },
    { private_message_policy: 2 },
    { avatar_changes_disabled: true },
  ]);
});

test('new streams are told of in one that is chosen; linked images and presence are switched off', async () => {
  const bridge = office();
  bridge.current = {
    ...bridge.current,
    organization: bridge.organizationWith({ notifications_stream_id: 4711 }),
  };
  await openSettings(bridge, 'Organization');
  const where = page.getByRole('combobox', { name: 'Announce new streams in' });
  await expect.element(where).toHaveDisplayValue('A stream that you do not see');
  await where.selectOptions('general');
  await where.selectOptions('Nowhere');
  await setting('Messages show images that they link to').click();
  await setting('People see who is here').click();
  expect(bridge.requestsOf('realm.update')).toEqual([
    { notifications_stream_id: 1 },
    { notifications_stream_id: -1 },
    { inline_image_preview: false },
    { presence_disabled: true },
  ]);
});

test('the largest file and the room for all are chosen, and shown where another client has set it', async () => {
  const bridge = office();
  bridge.current = {
    ...bridge.current,
    organization: bridge.organizationWith({
      upload_quota: 300 * 1024 ** 2,
      max_file_upload_size: 40,
    }),
  };
  bridge.answerRequest('health.show', () => success({ ...healthy, upload_bytes: 512 * 1024 ** 2 }));
  await openSettings(bridge, 'Organization');
  await expect.element(page.getByText('512 MiB used so far.', { exact: false })).toBeVisible();
  const largest = page.getByRole('combobox', { name: 'Largest file that can be uploaded' });
  await expect.element(largest).toHaveDisplayValue('40 MiB');
  await largest.selectOptions('4 GiB');
  const room = page.getByRole('combobox', { name: 'Room for the files of the organization' });
  await expect.element(room).toHaveDisplayValue('300 MiB');
  await room.selectOptions('5 GiB');
  await room.selectOptions('No limit');
  expect(bridge.requestsOf('realm.update')).toEqual([
    { max_file_upload_size: 4096 },
    { upload_quota: 5 * 1024 ** 3 },
    { upload_quota: -1 },
  ]);
});

test('an emoji needs a name before its image, and is deactivated by its name', async () => {
  const bridge = office();
  bridge.current = {
    ...bridge.current,
    customEmoji: [{ id: '1', name: 'parrot', url: '/user_avatars/1/e.png', isActive: true }],
  };
  await openSettings(bridge, 'Organization');
  await expect.element(page.getByRole('button', { name: 'Deactivate :parrot:' })).toBeVisible();
  const input = document.querySelector<HTMLInputElement>('[aria-label="Choose an image and add…"]');
  if (input === null) throw new Error('there is no field for a file');
  const image = new File(['x'], 'cat.png', { type: 'image/png' });
  await userEvent.upload(input, image);
  await expect.element(page.getByText('Write a name first.')).toBeVisible();
  const names = page.getByRole('textbox', { name: 'Name', exact: true });
  await names.nth(1).fill('cat');
  await userEvent.upload(input, image);
  await expect.element(page.getByText(':cat: is added.')).toBeVisible();
  expect(bridge.argsOf('requestWithFile').at(-1)?.slice(1, 3)).toEqual([
    'emoji.add',
    { name: 'cat' },
  ]);
  await press('Deactivate :parrot:');
  expect(bridge.requestsOf('emoji.deactivate')).toEqual([{ name: 'parrot' }]);
});

test('linkifiers are listed, added with errors beside their fields, and removed', async () => {
  const bridge = office();
  bridge.answerRequest('linkifiers.add', () =>
    failure('BAD_REQUEST', 'This pattern has no group.', 'pattern'),
  );
  await openSettings(bridge, 'Organization');
  await field('Pattern').fill('abc');
  await field('Address').fill('https://example.com/');
  await press('Add linkifier');
  expect(field('Pattern').element()).toHaveAccessibleDescription(/This pattern has no group\./);
  await press('Remove #(?P<id>[0-9]+)');
  expect(bridge.requestsOf('linkifiers.remove')).toEqual([{ filterId: 4 }]);
});

test('roles change, and one that is refused is shown as it was', async () => {
  const bridge = office();
  await openSettings(bridge, 'People');
  await choice('Role of Ben Member').selectOptions('Guest');
  expect(bridge.requestsOf('userAdmin.update')).toEqual([{ userId: 9, role: 600 }]);
  bridge.answerRequest('userAdmin.update', () =>
    failure('CANNOT_DEACTIVATE_LAST_USER', 'Cannot take the role of the only administrator'),
  );
  await choice('Role of Ada Admin').selectOptions('Member');
  await expect
    .element(page.getByText(/only administrator\. Make somebody else an administrator first\./))
    .toBeVisible();
  await expect.element(choice('Role of Ada Admin')).toHaveDisplayValue('Administrator');
});

test('people are found, deactivated after asking, and reactivated', async () => {
  const bridge = office();
  const people = [...bridge.current.people, person(20, 'Old Timer', { isActive: false })];
  bridge.current = { ...bridge.current, people };
  await openSettings(bridge, 'People');
  await press('Reactivate Old Timer');
  expect(bridge.requestsOf('userAdmin.reactivate')).toEqual([{ userId: 20 }]);
  await page.getByRole('searchbox', { name: 'Filter people' }).fill('zurch');
  const rows = page.getByRole('list', { name: 'Accounts' }).getByRole('listitem');
  await expect.element(rows.nth(1)).not.toBeInTheDocument();
  await press('Deactivate Cleo Zürcher');
  await confirm('Deactivate');
  expect(bridge.requestsOf('userAdmin.deactivate')).toEqual([{ userId: 10 }]);
});

test('bots of somebody who leaves are named, and handed over first', async () => {
  const bridge = office();
  const bot = { userId: 12, fullName: 'Commits', email: 'commits-bot@example.com', isActive: true };
  bridge.current = {
    ...bridge.current,
    bots: [
      { ...bot, type: 2, ownerId: 10 },
      { ...bot, userId: 13, fullName: 'Oracle', type: 3, ownerId: 10 },
      { ...bot, userId: 14, fullName: 'Gone', type: 2, ownerId: 10, isActive: false },
      { ...bot, userId: 15, fullName: 'Mine', type: 2, ownerId: ownUserId },
    ],
  };
  await openSettings(bridge, 'People');
  await press('Deactivate Cleo Zürcher');
  await expect.element(page.getByText('With them falls silent: Commits, Oracle.')).toBeVisible();
  await choice('Hand their bots over to').selectOptions('Ben Member');
  await confirm('Deactivate');
  await expect.poll(() => bridge.requestsOf('userAdmin.deactivate')).toEqual([{ userId: 10 }]);
  expect(bridge.requestsOf('bots.update')).toEqual([
    { botId: 12, botOwnerId: 9, keepKey: true },
    { botId: 13, botOwnerId: 9, keepKey: false },
  ]);
});

test('people are invited, and an invitation is revoked', async () => {
  const bridge = office();
  await openSettings(bridge, 'People');
  await press('Create invitations');
  await expect.element(page.getByText('E-mail addresses is missing.')).toBeVisible();
  await field('E-mail addresses').fill('eve@example.com');
  await choice('As').selectOptions('Guest');
  await press('Create invitations');
  expect(bridge.requestsOf('invitations.invite')).toEqual([
    { inviteeEmails: 'eve@example.com', inviteAs: 3 },
  ]);
  await press('Revoke the invitation of new@example.com');
  expect(bridge.requestsOf('invitations.revoke')).toEqual([{ inviteId: 7 }]);
});

test('a link for many is made for a time, for so many, as guests in chosen streams', async () => {
  const bridge = office();
  const link = 'http://127.0.0.1:9981/#join/x';
  const many = { email: '', invited_as: 3, is_multiuse: true, uses: 2, max_uses: 25, link };
  await openSettings(bridge, 'People');
  await choice('As').selectOptions('Administrator');
  await press('Everybody with a link');
  await expect.element(choice('As')).toHaveDisplayValue('Member');
  await choice('Good for').selectOptions('2 weeks');
  await choice('At most').selectOptions('25 people');
  await choice('As').selectOptions('Guest');
  await page.getByText('Streams: none yet').click();
  await page.getByRole('group', { name: 'Streams' }).getByLabelText('general').click();
  await expect.element(page.getByText('Streams: general')).toBeVisible();
  bridge.answerRequest('invitations.list', () =>
    success({ invites: [{ ...many, id: 9, expires: 1_767_225_600 }] }),
  );
  await press('Create link');
  await expect.element(page.getByText(/^2 of 25 joined, good until /)).toBeVisible();
  expect(bridge.requestsOf('invitations.inviteMany')).toEqual([
    { inviteAs: 3, validDays: 14, maxUses: 25, streamIds: [1] },
  ]);
  await press('Revoke the link for many');
  expect(bridge.requestsOf('invitations.revoke')).toEqual([{ inviteId: 9 }]);
});

test('addresses that are none are named, and stay to be corrected with the good ones', async () => {
  const bridge = office();
  await openSettings(bridge, 'People');
  const emails = 'eve@example.com, bob, Ana Ruiz <ana@example.com>\nx@';
  await field('E-mail addresses').fill(emails);
  await press('Create invitations');
  await expect
    .element(
      page.getByText(/^bob is not an e-mail address\. x@ is not .* Nobody is invited yet\.$/),
    )
    .toBeVisible();
  await expect.element(field('E-mail addresses')).toHaveValue(emails);
  expect(bridge.requestsOf('invitations.invite')).toEqual([]);
});

test('who could not be invited is named with the reason', async () => {
  const bridge = office();
  const refused = {
    items: [
      { value: 'ben@example.com', message: 'Already has an account.', reason: 'member' },
      { value: 'cy@example.com', message: 'Is on leave.', reason: undefined },
    ],
    isRestDone: true,
  };
  bridge.answerRequest('invitations.invite', () => ({
    ok: false,
    failure: { code: 'INVITATION_FAILED', message: 'Some of those addresses', refused },
  }));
  await openSettings(bridge, 'People');
  await field('E-mail addresses').fill('ben@example.com, eve@example.com');
  await press('Create invitations');
  await expect
    .element(
      page.getByText(
        'ben@example.com is here already. cy@example.com (Is on leave.). Everybody else is invited.',
      ),
    )
    .toBeVisible();
  await expect.element(field('E-mail addresses')).toHaveValue('');
});

test('a list that cannot be loaded says so', async () => {
  const bridge = office();
  bridge.answerRequest('invitations.list', () => failure('UNREACHABLE', 'No answer.'));
  await openSettings(bridge, 'People');
  await expect.element(page.getByText('This could not be loaded. No answer.')).toBeVisible();
});

test('groups are created, their members changed, and removed after asking', async () => {
  const bridge = office();
  const group = { id: 3, name: 'ops', description: 'Operations', userIds: [9] };
  bridge.current = { ...bridge.current, userGroups: [group] };
  await openSettings(bridge, 'User groups');
  await press('Edit ops');
  const row = page.getByRole('list', { name: 'All groups' });
  await row.getByRole('checkbox', { name: /Ben/ }).click();
  await row.getByRole('checkbox', { name: /Cleo/ }).click();
  await press('Save members');
  expect(bridge.requestsOf('userGroups.changeMembers')).toEqual([
    { userGroupId: 3, add: [10], delete: [9] },
  ]);
  await press('Remove…');
  await confirm('Remove');
  expect(bridge.requestsOf('userGroups.remove')).toEqual([{ userGroupId: 3 }]);
  const form = page.getByRole('form', { name: 'New group' });
  await form.getByRole('textbox', { name: 'Name' }).fill('design');
  await form.getByRole('checkbox', { name: /Cleo/ }).click();
  await press('Create group');
  expect(bridge.requestsOf('userGroups.create')).toEqual([
    { name: 'design', description: '', members: [10] },
  ]);
});

test('administrators choose the public streams of new people', async () => {
  const bridge = office();
  bridge.current = { ...bridge.current, defaultStreamIds: [1] };
  await openSettings(bridge, 'Organization');
  const section = page.getByRole('region', { name: 'Streams for new people' });
  await expect.element(section).toMatchTextContent(/general/);
  const options = () =>
    choice('Stream')
      .getByRole('option')
      .elements()
      .map((each) => each.textContent);
  // Neither what is chosen already nor what is private.
  expect(options()).toEqual(['Choose a stream…', 'engineering']);
  await section.getByRole('button', { name: 'Add' }).click();
  expect(bridge.requestsOf('streamAdmin.addDefault')).toEqual([]);
  await choice('Stream').selectOptions('engineering');
  await section.getByRole('button', { name: 'Add' }).click();
  await expect.poll(() => bridge.requestsOf('streamAdmin.addDefault')).toEqual([{ streamId: 2 }]);
  bridge.changeState({ defaultStreamIds: [1, 2] });
  await section.getByRole('button', { name: 'Do not subscribe new people to general' }).click();
  expect(bridge.requestsOf('streamAdmin.removeDefault')).toEqual([{ streamId: 1 }]);
  bridge.answerRequest('streamAdmin.removeDefault', () =>
    failure('BAD_REQUEST', 'Only administrators may.'),
  );
  await section.getByRole('button', { name: /to engineering/ }).click();
  await expect.element(section.getByRole('alert')).toMatchTextContent(/Only administrators may\./);
});
