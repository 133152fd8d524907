import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { success } from '#shared/bridge/outcome.ts';
import { account, BridgeDouble, inTopic, person } from '../support/window/bridge-double.ts';
import { heading, open, openWindow, textBox, withColumn } from './open-window.ts';
import { paintedPicture } from './timeline/rich-conversation.ts';

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble();
  bridge.place = withColumn;
  bridge.store(inTopic(1, 'lunch'), 'noodles?', { senderId: 10 });
  bridge.answerRequest('streams.members', () =>
    success({ subscribers: ['ada@example.com', 'cleo@example.com'] }),
  );
  const atSeconds = Math.floor(Date.now() / 1000);
  bridge.current = {
    ...bridge.current,
    presences: { 10: { status: 'active', atSeconds } },
    statuses: { 10: { isAway: false, text: 'In a meeting' } },
    people: bridge.current.people.map((each) =>
      each.userId === 10 ? { ...each, timezone: 'Asia/Tokyo' } : each,
    ),
  };
});

const column = () => page.getByRole('complementary', { name: 'People and details' });
const card = () => page.getByRole('dialog', { name: 'About Cleo Zürcher' });

async function openCard(): Promise<void> {
  await openWindow(bridge);
  await open(/^general/, 'general');
  await column()
    .getByRole('button', { name: /^Cleo Zürcher/ })
    .click();
  await expect.element(card()).toBeVisible();
}

test('the right column lists the members of the stream, and finds them', async () => {
  await openWindow(bridge);
  await open(/^general/, 'general');
  await expect.element(column().getByText('2 members')).toBeVisible();
  await expect.element(column().getByRole('button', { name: /^Cleo Zürcher.*here/ })).toBeVisible();
  await expect.element(column().getByText('Ben Member')).not.toBeInTheDocument();
  await page.getByRole('heading', { level: 1 }).click();
  await userEvent.keyboard('{Escape}');
  (page.getByRole('main').element() as HTMLElement).focus();
  await userEvent.keyboard('w');
  await expect.element(page.getByRole('textbox', { name: 'Filter people' })).toHaveFocus();
  await userEvent.keyboard('ada');
  await expect.element(column().getByText('Cleo Zürcher')).not.toBeInTheDocument();
});

test('members that cannot be loaded say why, and come when the connection is back', async () => {
  bridge.fail('request', 'The service does not answer.');
  await openWindow(bridge);
  await open(/^general/, 'general');
  await expect.element(column().getByRole('alert')).toMatchTextContent(/does not answer/);
  bridge.changeConnection({ state: 'offline', liveUntilSeconds: null, reason: 'No network.' });
  bridge.restore('request');
  bridge.changeConnection({ state: 'live' });
  await expect.element(column().getByText('2 members')).toBeVisible();
});

test('the members in the right column are those of now', async () => {
  await openWindow(bridge);
  await open(/^general/, 'general');
  await expect.element(column().getByText('2 members')).toBeVisible();
  bridge.answerRequest('streams.members', () =>
    success({ subscribers: ['ada@example.com', 'BEN@example.com', 'gus@example.com'] }),
  );
  bridge.changeState({ memberChanges: { 1: 7 } });
  await expect.element(column().getByText('3 members')).toBeVisible();
  await expect.element(column().getByText('Ben Member')).toBeVisible();
  await expect.element(column().getByText('Cleo Zürcher')).not.toBeInTheDocument();
});

test('the card tells who somebody is, and Escape gives the focus back', async () => {
  await openWindow(bridge);
  await expect.element(heading('Inbox')).toBeVisible();
  const opener = column().getByRole('button', { name: /^Cleo Zürcher/ });
  await opener.click();
  await expect.element(card()).toBeVisible();
  await expect.element(card()).toMatchTextContent(/Member/);
  await expect.element(card()).toMatchTextContent(/Here now/);
  await expect.element(card()).toMatchTextContent(/In a meeting/);
  await expect.element(card()).toMatchTextContent(/cleo@example\.com/);
  await expect.element(card()).toMatchTextContent(/Local time/);
  await userEvent.keyboard('{Escape}');
  await expect.element(card()).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
});

test('the card stays while messages are read and people come and go', async () => {
  await openCard();
  const atSeconds = Math.floor(Date.now() / 1000);
  bridge.changeState({ presences: { 10: { status: 'idle', atSeconds } } });
  await expect.element(card()).toMatchTextContent(/Away/);
  await expect.element(card().getByRole('button', { name: 'Mention' })).toBeVisible();
});

test('who is set as away looks away to others and to themselves, whatever they do', async () => {
  bridge.current = { ...bridge.current, statuses: {} };
  await openWindow(bridge);
  await open(/^general/, 'general');
  const rowOf = (name: string) => column().getByRole('button', { name });
  await expect.element(rowOf('Cleo Zürcher , here')).toBeVisible();
  await expect.element(rowOf('Ada Admin (you) , here')).toBeVisible();
  const away = { isAway: true, text: '' };
  bridge.changeState({ statuses: { 8: away, 10: away } });
  await expect.element(rowOf('Cleo Zürcher , away')).toBeVisible();
  await expect.element(rowOf('Ada Admin (you) , away')).toBeVisible();
  await rowOf('Cleo Zürcher , away').click();
  await expect.element(card()).toMatchTextContent(/Away/);
  await expect.element(card()).not.toMatchTextContent(/Here now/);
});

test('the card lets one write to somebody, mention them, or see the profile', async () => {
  await openWindow(bridge);
  await open(/^general/, 'general');
  const opener = column().getByRole('button', { name: /^Cleo Zürcher/ });
  await opener.click();
  await card().getByRole('button', { name: 'Mention' }).click();
  await expect.element(textBox()).toHaveValue('@**Cleo Zürcher|10** ');
  await expect.element(textBox()).toHaveFocus();
  await opener.click();
  await card().getByRole('button', { name: 'Profile' }).click();
  await expect.element(column().getByText('Here since')).toBeVisible();
  await column().getByRole('button', { name: 'Back to the list' }).click();
  await opener.click();
  await card().getByRole('button', { name: 'Message', exact: true }).click();
  await expect.element(heading('Cleo Zürcher')).toBeVisible();
});

test('the card stays in the window when that becomes small', async () => {
  await openCard();
  await page.viewport(640, 480);
  const isInside = (): boolean => {
    const { left, top, right, bottom } = card().element().getBoundingClientRect();
    return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  };
  await expect.poll(isInside).toBe(true);
});

test('a thousand people fit into the column, and nothing of them makes the window scroll', async () => {
  const many = Array.from({ length: 1000 }, (_, index) =>
    person(100 + index, `Person ${String(index + 1)}`),
  );
  bridge.current = { ...bridge.current, people: [...bridge.current.people, ...many] };
  await openWindow(bridge);
  await expect.element(column().getByText('Person 1', { exact: true })).toBeVisible();
  const page = document.documentElement;
  expect(page.scrollHeight).toBeLessThanOrEqual(page.clientHeight);
  const astray = [...document.querySelectorAll<HTMLElement>('.visually-hidden')].filter(
    ({ offsetParent }) => offsetParent === document.body,
  );
  expect(astray).toEqual([]);
  page.scrollTop = document.body.scrollTop = 100;
  expect([page.scrollTop, document.body.scrollTop]).toEqual([0, 0]);

  const first = column().getByRole('button', { name: /^Cleo/ });
  (first.element() as HTMLElement).focus();
  const scroller = column().element();
  scroller.scrollTop = scroller.scrollHeight;
  const last = column().getByRole('listitem').filter({ hasText: 'Person 1000' });
  await expect.element(last).toBeVisible();
  await expect.element(last).toHaveAttribute('aria-posinset', '1005');
  await expect.element(first).toHaveFocus();
  expect(column().getByRole('listitem').elements().length).toBeLessThan(100);
});

test('people are chosen by their pictures, and only of those in sight is one fetched', async () => {
  const bytes = await paintedPicture(40, 40);
  bridge.answer('file', async () => success({ type: 'image/png', bytes }));
  // More than are drawn whole while their name is typed; number 44 is never among those that are found.
  const many = Array.from({ length: 90 }, (_, index) =>
    person(100 + index, `Person ${String(index)}`, {
      avatarUrl: `/user_avatars/1/${String(index)}.png`,
    }),
  );
  bridge.current = { ...bridge.current, people: [...bridge.current.people, ...many] };
  // Without the right column, which has the same people.
  await openWindow(bridge, { width: 900, height: 720 });
  await page.getByRole('button', { name: 'New private message' }).click();
  const row = (name: string) =>
    page.getByRole('dialog').getByRole('listitem').filter({ hasText: name });
  const pictureOf = (name: string): Element | null => row(name).element().querySelector('img');
  await expect.element(page.getByRole('textbox', { name: 'To' })).toHaveFocus();
  await userEvent.keyboard('person 59');
  await expect.poll(() => pictureOf('Person 59')).not.toBeNull();
  await userEvent.keyboard('{Control>}a{/Control}{Backspace}');
  const list = page.getByRole('list', { name: 'People' }).element();
  await expect.element(row('Person 0')).toBeVisible();
  list.parentElement?.scrollTo({ top: 1e6 });
  await expect.poll(() => pictureOf('Person 88')).not.toBeNull();
  expect(bridge.argsOf('file')).not.toContainEqual([account.id, '/user_avatars/1/44.png']);
});
