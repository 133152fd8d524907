/** After whatever somebody does by keys, the focus is on something that they can go on from. */
import { beforeEach, expect, test } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { success } from '#shared/bridge/outcome.ts';
import {
  account,
  BridgeDouble,
  inTopic,
  person,
  withPeople,
} from '../support/window/bridge-double.ts';
import { furnishHooks } from '../support/window/hooks.ts';
import { heading, messageList, open, openWindow, row, textBox } from './open-window.ts';

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble();
  for (let i = 1; i <= 3; i += 1) bridge.store(inTopic(1, 'lunch'), `noodles ${String(i)}`);
  bridge.store(withPeople(9), 'hello Ada');
});

const focused = (): HTMLElement => document.activeElement as HTMLElement;

/** What has the focus: neither the page as a whole nor its main part, and it is there to be seen. */
const place = (): string => {
  const element = focused();
  if (element.matches('body, html, main') || !element.checkVisibility()) return 'nowhere';
  return `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 60)}`;
};

const isSomewhere = (): Promise<void> => expect.poll(place).not.toBe('nowhere');

async function press(control: Locator, key = '{Enter}'): Promise<void> {
  await expect.element(control).toBeVisible();
  (control.element() as HTMLElement).focus();
  await userEvent.keyboard(key);
}

const button = (name: string | RegExp): Locator => page.getByRole('button', { name });
const dialog = (): Locator => page.getByRole('dialog');

async function fill(fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    await page.getByLabelText(label, { exact: true }).fill(value);
  }
}

async function found(): Promise<void> {
  bridge = new BridgeDouble({ accounts: [] });
  bridge.reach = { ...bridge.reach, isDecided: false };
  await openWindow(bridge);
  await press(button(/^Host an organization/));
  await isSomewhere();
  await fill({ 'Organization name': 'Office', 'Your name': 'Ada Admin' });
  await fill({ 'E-mail address': 'ada@example.com', Password: 'correct horse' });
  await userEvent.keyboard('{Enter}');
  await expect.element(heading('First steps')).toBeVisible();
  await isSomewhere();
}

test('after founding an organization and letting others join the focus is among the first steps', async () => {
  await found();
  expect(page.getByRole('main').element().contains(focused())).toBe(true);
  await press(button('Let others join'));
  await expect.element(button('Let others join')).not.toBeInTheDocument();
  await expect.poll(() => focused().closest('li')?.textContent).toMatch(/^\s*Let others in/);
});

test('after joining the focus is in the introduction', async () => {
  bridge = new BridgeDouble({ accounts: [] });
  await openWindow(bridge);
  bridge.push('invitationOpened', {
    ...{ addresses: ['https://192.168.1.20:9981'], token: '7-x', pin: 'a'.repeat(52) },
    realmName: 'Office',
  });
  await expect.element(page.getByLabelText('Your name')).toHaveFocus();
  await fill({ 'Your name': 'Ben Member', Password: 'correct horse' });
  await userEvent.keyboard('{Enter}');
  await expect.element(heading('Welcome to Office')).toBeVisible();
  await isSomewhere();
});

test('after safety words that are not right the form can be sent again', async () => {
  bridge = new BridgeDouble({ accounts: [] });
  const words = ['apple river stone cloud pencil moon', 'zoo art bus cat dog end'];
  const failure = { code: 'WORDS_NEEDED', message: 'Compare the safety words.', words };
  bridge.answer('connect', async () => ({ ok: false, failure }));
  await openWindow(bridge);
  await press(button(/^Connect/));
  await fill({ Address: '192.168.1.20', 'E-mail address': 'a@b.de', Password: 'secret' });
  await userEvent.keyboard('{Enter}');
  await press(button('None of these'));
  await expect.element(button('None of these')).not.toBeInTheDocument();
  await isSomewhere();
  expect(focused().closest('form')).not.toBeNull();
  // A row that is not the right one leads to the same question.
  await press(button('Sign in'));
  await press(button(words[0] ?? ''));
  await isSomewhere();
});

const second = { ...account, id: '4@http://b.example', realmName: 'Side Project', userId: 4 };

test('another organization opened by its key has the focus in its messages', async () => {
  bridge = new BridgeDouble({ accounts: [account, second] });
  await openWindow(bridge);
  await open(/^general/, 'general');
  await textBox().click();
  for (const [key, name] of [
    ['2', /^Side Project/],
    ['1', /^Office/],
  ] as const) {
    await userEvent.keyboard(`{Control>}${key}{/Control}`);
    await expect.element(button(name)).toHaveAttribute('aria-current', 'true');
    await expect.poll(() => focused().closest('[data-region="messages"]')).not.toBeNull();
  }
});

test('signing out, and adding an organization and going back, lead to something', async () => {
  await openWindow(bridge);
  await press(button('Account of Ada Admin'));
  await press(button('Add an organization'));
  await expect.element(heading('Connect to an organization')).toBeVisible();
  await isSomewhere();
  await press(button('Back'));
  await expect.element(heading('Inbox')).toBeVisible();
  await isSomewhere();
  await press(button('Account of Ada Admin'));
  await press(button('Sign out'));
  await press(page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }));
  await expect.element(heading('Welcome to Hearth')).toBeVisible();
  await isSomewhere();
});

const message = (text: string): Locator =>
  messageList().getByRole('listitem', { name: new RegExp(text) });

test('results answer to the arrows at once, Enter opens one, and back leads to it', async () => {
  const plainly = bridge.messages;
  const search: typeof plainly = async (id, request) => {
    bridge.restore('messages');
    const view = request.view.kind === 'search' ? inTopic(1, 'lunch') : request.view;
    const answer = await plainly(id, { ...request, view });
    bridge.answer('messages', search);
    return answer;
  };
  bridge.answer('messages', search);
  await openWindow(bridge);
  await expect.element(heading('Inbox')).toBeVisible();
  await userEvent.keyboard('{Control>}{Shift>}f{/Shift}{/Control}noodles{Enter}');
  await expect.element(heading('Search')).toBeVisible();
  await expect.element(message('noodles 3')).toBeVisible();
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(message('noodles 3')).toHaveFocus();
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(message('noodles 2')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(heading(/lunch/)).toBeVisible();
  await expect.element(message('noodles 2')).toHaveFocus();
  await userEvent.keyboard('{Alt>}{ArrowLeft}{/Alt}');
  await expect.element(heading('Search')).toBeVisible();
  await expect.element(message('noodles 2')).toHaveFocus();
});

test('rows of a page answer to the arrows at once', async () => {
  await openWindow(bridge);
  await expect.element(heading('Inbox')).toBeVisible();
  await userEvent.keyboard('t');
  const rows = page.getByRole('list', { name: 'Recent conversations' }).getByRole('button');
  await expect.element(rows.nth(1)).toBeVisible();
  await isSomewhere();
  const first = rows.nth(0).element();
  for (let keys = 0; keys < 2 && focused() !== first; keys += 1) {
    await userEvent.keyboard('{ArrowDown}');
  }
  expect(focused()).toBe(first);
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(rows.nth(1)).toHaveFocus();
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(rows.nth(0)).toHaveFocus();
  (
    page.getByRole('textbox', { name: 'Filter', exact: false }).last().element() as HTMLElement
  ).focus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(rows.nth(0)).toHaveFocus();
});

test('Escape in the filter of people goes to what is read', async () => {
  await openWindow(bridge);
  await open(/^general/, 'general');
  await userEvent.keyboard('{Escape}w');
  await expect.element(page.getByRole('textbox', { name: 'Filter people' })).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => focused().closest('[data-region="messages"]')).not.toBeNull();
});

test('whoever writes in a stream in which only administrators may write from now on is told so there', async () => {
  bridge.current = { ...bridge.current, people: [person(8, 'Ada Admin'), person(9, 'Ben Member')] };
  await openWindow(bridge);
  await open(/^general/, 'general');
  await textBox().fill('half a sent');
  const streams = bridge.current.streams.map((each) => ({ ...each, isAnnouncementOnly: true }));
  bridge.changeState({ streams });
  await expect.poll(place).toMatch(/^DIV .*dministrators/);
});

async function openSettings(tab: string): Promise<void> {
  await openWindow(bridge);
  await expect.element(row(/general/)).toBeVisible();
  await userEvent.keyboard('{Control>},{/Control}');
  await press(page.getByRole('tab', { name: tab, exact: true }));
}

test('an archived stream leaves the focus in what is shown then', async () => {
  bridge.answerRequest('streamAdmin.archive', () => {
    const streams = bridge.current.streams.filter(({ streamId }) => streamId !== 1);
    bridge.changeState({ streams });
    return success({});
  });
  await openWindow(bridge);
  await row(/^general/).click({ button: 'right' });
  await page.getByRole('menuitem', { name: /Stream settings/ }).click();
  await press(page.getByRole('tab', { name: 'Actions' }));
  await press(button('Archive…'));
  await press(page.getByRole('alertdialog').getByRole('button', { name: 'Archive', exact: true }));
  await expect.element(page.getByRole('alertdialog')).not.toBeInTheDocument();
  await isSomewhere();
});

test('whoever was deactivated leaves the focus at the next one', async () => {
  bridge.answerRequest('invitations.list', () => success({ invites: [] }));
  bridge.answerRequest('userAdmin.deactivate', () => {
    const people = bridge.current.people.map((each) => ({ ...each, isActive: each.userId !== 9 }));
    bridge.changeState({ people });
    return success({});
  });
  await openSettings('People');
  await press(button(/^Deactivate Ben Member/));
  await press(
    page.getByRole('alertdialog').getByRole('button', { name: 'Deactivate', exact: true }),
  );
  await expect.element(page.getByRole('alertdialog')).not.toBeInTheDocument();
  await isSomewhere();
  expect(dialog().element().contains(focused())).toBe(true);
});

test('a service that was chosen is set up from its first field', async () => {
  furnishHooks(bridge);
  await openSettings('Integrations');
  await press(button(/GitHub/));
  await expect.poll(place).toMatch(/^INPUT/);
  await press(button(/Back|All integrations/i));
  await isSomewhere();
});
