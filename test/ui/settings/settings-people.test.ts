import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { failure, success } from '#shared/bridge/outcome.ts';
import { BridgeDouble, person } from '#test/support/window/bridge-double.ts';
import { choice, openSettings, press } from './open-settings.ts';

const DAY = 86_400;
const nowSeconds = (): number => Math.floor(Date.now() / 1000);
const today = (): number => nowSeconds() - (nowSeconds() % DAY);

/** Has somebody of every kind, each here at another time. */
function office(): BridgeDouble {
  const bridge = new BridgeDouble();
  bridge.answerRequest('invitations.list', () => success({ invites: [] }));
  bridge.current = {
    ...bridge.current,
    people: [
      ...bridge.current.people.filter(({ isAdmin }) => isAdmin),
      person(20, 'Ben Member'),
      person(21, 'Cleo Zürcher'),
      person(22, 'Gus Guest', { isGuest: true }),
      person(23, 'Old Timer', { isActive: false }),
      person(24, 'Never Came'),
    ],
    presences: {
      20: { status: 'active', atSeconds: nowSeconds() },
      21: { status: 'idle', atSeconds: nowSeconds() - 5 * 60 - 20 },
    },
  };
  bridge.answerRequest('devices.lastUses', () =>
    success({
      last_uses: [
        { user_id: 22, last_used: today() - 400 * DAY },
        { user_id: 23, last_used: today() },
      ],
    }),
  );
  return bridge;
}

const rows = () => page.getByRole('list', { name: 'Accounts' }).getByRole('listitem');
const rowOf = (name: string) => rows().filter({ hasText: name });
const names = (): readonly string[] =>
  rows()
    .elements()
    .map(
      (each) =>
        each
          .querySelector('.set-grow p')
          ?.textContent.trim()
          .split(/\s{2,}/)[0] ?? '',
    );

test('each row says when its person was last here, and one request is enough for all', async () => {
  const bridge = office();
  await openSettings(bridge, 'People');
  await expect.element(rowOf('Ben Member').getByText('Here now')).toBeVisible();
  await expect.element(rowOf('Cleo Zürcher').getByText('Last seen 5 minutes ago')).toBeVisible();
  const year = String(new Date((today() - 400 * DAY) * 1000).getUTCFullYear());
  await expect
    .element(rowOf('Gus Guest').getByText(new RegExp(`^Last seen .*${year}`)))
    .toBeVisible();
  await expect.element(rowOf('Old Timer').getByText('Last seen today')).toBeVisible();
  await expect.element(rowOf('Never Came').getByText('Never seen')).toBeVisible();
  expect(bridge.requestsOf('devices.lastUses')).toEqual([{}]);
});

test('people are filtered by what they may, with how many there are, and sorted by when they were here', async () => {
  await openSettings(office(), 'People');
  await expect.element(rowOf('Never Came').getByText('Never seen')).toBeVisible();
  const before = names().length;
  await press('Members (3)');
  await expect.poll(names).toEqual(['Ben Member', 'Cleo Zürcher', 'Never Came']);
  await choice('Sort by').selectOptions('Last seen');
  await page.getByRole('searchbox', { name: 'Filter people' }).fill('zürch');
  await expect.poll(names).toEqual(['Cleo Zürcher']);
  await press('Guests (1)');
  await expect.element(page.getByText('Nobody matches.')).toBeVisible();
  await userEvent.clear(page.getByRole('searchbox', { name: 'Filter people' }));
  await expect.poll(names).toEqual(['Gus Guest']);
  await press('Deactivated (1)');
  await expect.poll(names).toEqual(['Old Timer']);
  await press(`All (${String(before)})`);
  await expect.poll(() => names().length).toBe(before);
  expect(names().slice(0, 4)).toEqual(['Ada Admin you', 'Ben Member', 'Cleo Zürcher', 'Gus Guest']);
  expect(names().at(-1)).toBe('Old Timer');
});

test('a kind of which there is nobody says so', async () => {
  const bridge = office();
  bridge.current = {
    ...bridge.current,
    people: bridge.current.people.filter(({ isGuest }) => !isGuest),
  };
  await openSettings(bridge, 'People');
  await press('Guests (0)');
  await expect.element(page.getByText('There are no guests.')).toBeVisible();
});

test('nobody is called never seen where the days could not be had, and they are asked for again', async () => {
  const bridge = office();
  bridge.answerRequest('devices.lastUses', () => failure('BAD_REQUEST', 'Something broke.'));
  await openSettings(bridge, 'People');
  await expect.element(page.getByText(/Something broke/)).toBeVisible();
  expect(rowOf('Never Came').element().textContent).not.toContain('Never seen');
  bridge.answerRequest('devices.lastUses', () => success({ last_uses: [] }));
  await press('Try again');
  await expect.element(rowOf('Never Came').getByText('Never seen')).toBeVisible();
});

test('whoever deactivates somebody reads first what happens to what they have', async () => {
  await openSettings(office(), 'People');
  await press('Deactivate Cleo Zürcher');
  const dialog = page.getByRole('alertdialog');
  await expect.element(dialog.getByText(/signed out everywhere/)).toBeVisible();
  await expect.element(dialog.getByText(/messages, files and streams stay/)).toBeVisible();
  await expect.element(dialog.getByText(/bots are deactivated too/)).toBeVisible();
  await expect.element(dialog.getByText(/reactivate them here/)).toBeVisible();
});

test('a thousand people are drawn where they are seen alone, filtered and sorted', async () => {
  const bridge = office();
  const crowd = Array.from({ length: 1000 }, (_, index) =>
    person(100 + index, `Person ${String(index)}`, { isGuest: index % 10 === 0 }),
  );
  bridge.current = { ...bridge.current, people: [...bridge.current.people, ...crowd] };
  await openSettings(bridge, 'People', { width: 380, height: 700 });
  await press('Guests (101)');
  await choice('Sort by').selectOptions('Last seen');
  await expect.element(rowOf('Gus Guest')).toBeVisible();
  expect(rows().first().element().getAttribute('aria-setsize')).toBe('101');
  expect(rows().elements().length).toBeLessThan(60);
});
