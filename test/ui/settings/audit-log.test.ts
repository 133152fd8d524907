import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { failure, success } from '#shared/bridge/outcome.ts';
import { type AuditEntry, auditTypes } from '#shared/api/models/audit.ts';
import type { RequestArguments } from '#shared/bridge/requestable.ts';
import { auditKinds, auditSentence } from '#renderer/i18n/settings/audit-log.ts';
import { auditEntry } from '#test/support/window/audit-entry.ts';
import { BridgeDouble, ownUserId } from '#test/support/window/bridge-double.ts';
import { choice, openSettings, press } from './open-settings.ts';

type ListArguments = RequestArguments<'auditLog.list'>;

const DAY = 86_400;
const noon = (day: number): number => new Date(2026, 0, day, 12).getTime() / 1000;

/** A log of 120 entries, two each day, in pages as the service has them. */
function office(): BridgeDouble {
  const bridge = new BridgeDouble();
  const all = Array.from({ length: 120 }, (_, index) =>
    auditEntry({
      id: 120 - index,
      time: noon(31) - Math.floor(index / 2) * DAY,
      details: { old: 'member', new: 'admin' },
    }),
  );
  bridge.answerRequest('auditLog.list', ({ before = Infinity, limit = 0 }: ListArguments) => {
    const older = all.filter(({ id }) => id < before);
    return success({ entries: older.slice(0, limit), has_more: older.length > limit });
  });
  return bridge;
}

const lines = () =>
  page
    .getByRole('region', { name: 'What happened' })
    .getByRole('listitem')
    .elements()
    .map((each) => each.querySelector('p')?.textContent);

test('the audit log is listed by day in plain sentences, a page at a time', async () => {
  const bridge = office();
  await openSettings(bridge, 'Audit log');
  const newest = page.getByRole('list', { name: /31 January|January 31/ });
  await expect.element(newest).toBeVisible();
  expect(lines()).toHaveLength(50);
  expect(lines()[0]).toBe('Ada Admin made Ben Member an administrator.');
  await expect.element(newest.getByText('192.0.2.1 · Hearth').first()).toBeVisible();
  await press('Show more');
  await expect.poll(() => lines().length).toBe(100);
  await press('Show more');
  await expect.poll(() => lines().length).toBe(120);
  await expect.element(page.getByRole('button', { name: 'Show more' })).not.toBeInTheDocument();
  expect(bridge.requestsOf('auditLog.list')).toEqual([
    { limit: 50 },
    { limit: 50, before: 71 },
    { limit: 50, before: 21 },
  ]);
});

test('what is shown goes by kind, person and days', async () => {
  const bridge = office();
  await openSettings(bridge, 'Audit log');
  await choice('What').selectOptions('Streams');
  await choice('Who').selectOptions('Ben Member');
  await page.getByLabelText('From').fill('2026-01-05');
  await page.getByLabelText('To').fill('2026-01-06');
  await userEvent.keyboard('{Tab}');
  await expect
    .poll(() => bridge.requestsOf('auditLog.list').at(-1))
    .toEqual({
      limit: 50,
      types: [...auditKinds.streams.types],
      userId: 9,
      since: new Date(2026, 0, 5).getTime() / 1000,
      until: new Date(2026, 0, 7).getTime() / 1000,
    });
});

test('the audit log says that there is nothing, and why nothing could be read, until it can', async () => {
  const bridge = office();
  bridge.answerRequest('auditLog.list', () => failure('UNREACHABLE', 'There is no connection.'));
  await openSettings(bridge, 'Audit log');
  await expect.element(page.getByText(/could not be loaded. There is no connection/)).toBeVisible();
  bridge.answerRequest('auditLog.list', () => success({ entries: [], has_more: false }));
  await press('Try again');
  await expect.element(page.getByText('Nothing is in the log yet.')).toBeVisible();
  await choice('What').selectOptions('Bots');
  await expect.element(page.getByText('Nothing of this kind is in the log.')).toBeVisible();
});

test('the audit log exports what is shown, part by part, into one file', async () => {
  const bridge = office();
  bridge.answerRequest('auditLog.export', ({ before }: RequestArguments<'auditLog.export'>) =>
    success(
      before === undefined
        ? { csv: 'names\r\nfirst\r\n', next_before: 7 }
        : { csv: 'second\r\n', next_before: null },
    ),
  );
  const saved: { name: string; text: Promise<string> }[] = [];
  const blobs = new Map<string, Blob>();
  const { createObjectURL } = URL;
  URL.createObjectURL = (blob: Blob): string => {
    const url = createObjectURL.call(URL, blob);
    blobs.set(url, blob);
    return url;
  };
  const onclick = (event: MouseEvent): void => {
    if (!(event.target instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    const { download, href } = event.target;
    saved.push({ name: download, text: blobs.get(href)?.text() ?? Promise.resolve('') });
  };
  // A link that is in no document hears its own clicks only.
  const { click } = HTMLAnchorElement.prototype;
  HTMLAnchorElement.prototype.click = function (): void {
    this.addEventListener('click', onclick);
    click.call(this);
  };
  try {
    await openSettings(bridge, 'Audit log');
    await choice('What').selectOptions('Bots');
    await press('Export…');
    await expect.element(page.getByText('The entries are in the file.')).toBeVisible();
  } finally {
    URL.createObjectURL = createObjectURL;
    HTMLAnchorElement.prototype.click = click;
  }
  const types = ['bot_created', 'bot_owner_changed'];
  expect(bridge.requestsOf('auditLog.export')).toEqual([{ types }, { types, before: 7 }]);
  expect(saved.map(({ name }) => name)).toEqual([
    expect.stringMatching(/^audit-log-\d{4}-\d\d-\d\d\.csv$/),
  ]);
  // As text the mark at the beginning is not seen.
  expect(await saved[0]?.text).toBe('names\r\nfirst\r\nsecond\r\n');
});

test('how long it is kept is a setting', async () => {
  const bridge = office();
  await openSettings(bridge, 'Audit log');
  const days = page.getByRole('spinbutton', { name: 'Entries are kept for' });
  await days.fill('20');
  await userEvent.keyboard('{Tab}');
  await expect.element(page.getByText('Enter a number from 30 to 3,650.')).toBeVisible();
  await days.fill('90');
  await userEvent.keyboard('{Tab}');
  await expect
    .poll(() => bridge.requestsOf('realm.update'))
    .toEqual([{ audit_log_retention_days: 90 }]);
});

const names = {
  person: (id: number): string => (id === ownUserId ? 'Ada' : `person ${String(id)}`),
  stream: (id: number): string => `#stream ${String(id)}`,
};

test.each<[Partial<AuditEntry>, string]>([
  [
    { type: 'sign_in', user_id: ownUserId, details: { device: 'Laptop' } },
    'Ada signed in on Laptop.',
  ],
  [
    { type: 'sign_in_failed', actor_id: null, count: 5, details: { reason: 'incorrect_creds' } },
    'Somebody tried to sign in as person 9: wrong password, 5 times.',
  ],
  [
    {
      type: 'sign_in_failed',
      actor_id: null,
      user_id: null,
      details: { reason: 'incorrect_creds' },
    },
    'Somebody tried to sign in to an account that there is not.',
  ],
  [
    { type: 'sign_in_failed', actor_id: null, user_id: null, address: '', count: 2940 },
    'Signing in failed from many addresses, 2,940 times.',
  ],
  [
    { type: 'messages_deleted', stream_id: 4, details: { message_ids: [1, 2] } },
    'Ada deleted 2 messages of person 9 in #stream 4.',
  ],
  [
    { type: 'file_deleted', details: { bytes: 3 * 1024 ** 2 } },
    'Ada deleted a file of person 9, 3.0 MiB.',
  ],
  [
    {
      type: 'setting_changed',
      user_id: null,
      details: { name: 'allow_message_deleting', old: false, new: true },
    },
    'Ada changed “People may delete their messages” from off to on.',
  ],
  [
    {
      type: 'setting_changed',
      user_id: null,
      details: { name: 'create_stream_policy', old: 1, new: 2 },
    },
    'Ada changed “Who may create streams” from Members and administrators to Administrators only.',
  ],
  [
    {
      type: 'setting_changed',
      user_id: null,
      details: { name: 'bot_creation_policy', old: 2, new: 3 },
    },
    'Ada changed “Who may create bots” from Webhooks: members; generic bots: administrators to Administrators only.',
  ],
  [
    {
      type: 'setting_changed',
      user_id: null,
      details: { name: 'invite_by_admins_only', old: false, new: true },
    },
    'Ada changed “Who may invite people” from Members and administrators to Administrators only.',
  ],
  [
    {
      type: 'setting_changed',
      user_id: null,
      details: { name: 'presence_disabled', old: false, new: true },
    },
    'Ada changed “People see who is here” from on to off.',
  ],
  [
    {
      type: 'setting_changed',
      user_id: null,
      details: { name: 'message_content_edit_limit_seconds', old: 600, new: 0 },
    },
    'Ada changed “How long messages may be edited” from 10 minutes to Without limit.',
  ],
  [
    {
      type: 'setting_changed',
      user_id: null,
      details: { name: 'notifications_stream_id', old: -1, new: 7 },
    },
    'Ada changed “Announce new streams in” from Nowhere to #stream 7.',
  ],
  [
    {
      type: 'setting_changed',
      user_id: null,
      details: { name: 'audit_log_retention_days', old: 365, new: 30 },
    },
    'Ada changed “Days for which the audit log is kept” from 365 days to 30 days.',
  ],
  [
    { type: 'stream_created', user_id: null, details: { name: 'plans', new: 'private' } },
    'Ada created the private stream plans.',
  ],
  [
    { type: 'stream_members_added', details: { name: 'plans', user_ids: [5, 6, 7, 8] } },
    'Ada added person 5, person 6, and 2 others to the private stream plans.',
  ],
  [
    { type: 'group_members_removed', details: { name: 'crew', user_ids: [5] } },
    'Ada took person 5 out of the user group crew.',
  ],
  [
    { type: 'profile_field_changed', details: { name: 'Phone', new: 'Telephone' } },
    'Ada renamed the profile field Phone to Telephone.',
  ],
  [
    { type: 'emoji_removed', details: { name: 'party' } },
    'Ada removed the emoji party, which person 9 had added.',
  ],
  [
    { type: 'name_changed', details: { old: 'Cleo', new: 'Cleopatra' } },
    'Ada renamed Cleo to Cleopatra.',
  ],
])('%o is said as: %s', (entry, sentence) => {
  expect(auditSentence(auditEntry(entry), names)).toBe(sentence);
});

test.each(auditTypes)('%s is found by what one looks for', (type) => {
  const types: readonly string[] = Object.values(auditKinds).flatMap((kind) => [...kind.types]);
  expect(types).toContain(type);
});

test.each(auditTypes)('%s has a sentence, whatever is missing from it', (type) => {
  const sentence = auditSentence(auditEntry({ type }), names);
  expect(sentence).toMatch(/^\S.*\.$/);
  expect(sentence).not.toMatch(/undefined|null|NaN/);
});
