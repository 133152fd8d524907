import { afterEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { failure } from '#shared/bridge/outcome.ts';
import { BridgeDouble, inTopic, withPeople } from '#test/support/window/bridge-double.ts';
import { confirm, openSettings, press, setting } from './open-settings.ts';
import { heading, open, openWindow, row, textBox } from '../open-window.ts';

const change = (name: string) => page.getByRole('button', { name: `Change: ${name}`, exact: true });
const field = () => page.getByRole('textbox', { name: 'New keys' });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const alert = () => page.getByRole('alert');
const keys = (text: string): Promise<void> => userEvent.keyboard(text);
const said = (text: string): Promise<void> =>
  expect
    .poll(() => [...document.querySelectorAll('[role="status"]')].map((each) => each.textContent))
    .toContainEqual(expect.stringContaining(text));

async function closeSettings(): Promise<void> {
  await keys('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
}

afterEach(() => {
  document.documentElement.style.colorScheme = '';
});

test('an action gets the keys that are pressed, which act from then on, and the old ones do not', async () => {
  const bridge = new BridgeDouble();
  await openSettings(bridge, 'Keys');
  await change('Drafts, D').click();
  await expect.element(field()).toHaveFocus();
  await keys('g');
  await expect.element(change('Drafts, G')).toHaveFocus();
  await said('Drafts: G.');
  expect(bridge.choices.keys).toEqual({ drafts: ['G'] });
  await closeSettings();
  await keys('d');
  await expect.element(heading('Inbox')).toBeVisible();
  await keys('g');
  await expect.element(heading('Drafts')).toBeVisible();
});

test('keys of a message and of the box can be changed too', async () => {
  const bridge = new BridgeDouble();
  bridge.store(withPeople(9), 'noodles?');
  await openSettings(bridge, 'Keys');
  await change('Star, Ctrl+S').click();
  await keys('{Shift>}T{/Shift}');
  await change('Bold, Ctrl+B').click();
  await keys('{Alt>}b{/Alt}');
  await expect.element(change('Bold, Alt+B')).toBeVisible();
  await closeSettings();
  await open(/^Ben Member/, 'Ben Member');
  await textBox().fill('oak');
  await keys('{Control>}a{/Control}{Control>}b{/Control}');
  await expect.element(textBox()).toHaveValue('oak');
  await keys('{Alt>}b{/Alt}');
  await expect.element(textBox()).toHaveValue('**oak**');
  await expect.element(page.getByRole('button', { name: 'Bold (Alt+B)' })).toBeInTheDocument();
  document.querySelector<HTMLElement>('.message')?.focus();
  await keys('{Control>}s{/Control}');
  await keys('{Shift>}T{/Shift}');
  await expect.poll(() => bridge.argsOf('star').length).toBe(1);
});

test('a key of another action is told, and taken over only when that is wanted', async () => {
  const bridge = new BridgeDouble();
  await openSettings(bridge, 'Keys');
  await change('Drafts, D').click();
  await keys('{Control>}k{/Control}');
  await expect
    .element(alert())
    .toMatchTextContent(
      'Ctrl+K already belongs to “Go to a conversation, a view or a command”. Take it over,',
    );
  expect(field().element()).toHaveAccessibleDescription(/already belongs to “Go to/);
  await expect.element(field()).toHaveFocus();
  await button('Keep it there').click();
  await expect.element(change('Drafts, D')).toHaveFocus();
  expect(bridge.choices.keys).toEqual({});
  await keys('{Enter}');
  await keys('{Control>}k{/Control}');
  await expect.element(button('Take over')).toBeVisible();
  await keys('{Tab}{Enter}');
  await expect.element(change('Drafts, Ctrl+K')).toHaveFocus();
  await said('Taken from “Go to a conversation, a view or a command”.');
  await expect
    .element(change('Go to a conversation, a view or a command, no key'))
    .toBeInTheDocument();
  expect(bridge.choices.keys).toEqual({ drafts: ['Ctrl+K'] });
});

test('another key may be pressed instead of the one that is taken', async () => {
  const bridge = new BridgeDouble();
  await openSettings(bridge, 'Keys');
  await change('Drafts, D').click();
  await keys('t');
  await expect.element(alert()).toMatchTextContent('T already belongs to “Recent conversations”.');
  await keys('{Control>}{Alt>}d{/Alt}{/Control}');
  await expect.element(change('Drafts, Ctrl+Alt+D')).toHaveFocus();
  expect(bridge.choices.keys).toEqual({ drafts: ['Ctrl+Alt+D'] });
});

test.each([
  ['{Control>}c{/Control}', /Ctrl\+C is needed in text fields/],
  ['{ArrowDown}', /↓ is needed in text fields/],
  ['{Control>}q{/Control}', /Ctrl\+Q belongs to the system/],
  ['{F11}', /F11 belongs to the system/],
  ['{Control>}{/Control}', /count only together with another key/],
  ['{Control>}{Shift>}{/Shift}{/Control}', /count only together with another key/],
  ['{Meta>}j{/Meta}', /belongs to the system/],
])('%s is refused with the reason', async (given, reason) => {
  const bridge = new BridgeDouble();
  await openSettings(bridge, 'Keys');
  await change('Drafts, D').click();
  await keys(given);
  await expect.element(alert()).toMatchTextContent(reason);
  await expect.element(field()).toHaveFocus();
  expect(bridge.argsOf('setPreferences')).toEqual([]);
});

test('a fixed key is not given away, and its owner is named', async () => {
  await openSettings(new BridgeDouble(), 'Keys');
  await change('Star, Ctrl+S').click();
  await keys('{Enter}');
  await expect.element(alert()).toMatchTextContent('Enter always belongs to “Reply”');
  await expect.element(button('Take over')).not.toBeInTheDocument();
});

test('what is held is shown until a key comes with it', async () => {
  await openSettings(new BridgeDouble(), 'Keys');
  await change('Drafts, D').click();
  await keys('{Control>}{Shift>}');
  await expect.element(field()).toHaveValue('Ctrl+Shift+…');
  await keys('x{/Shift}{/Control}');
  await expect.element(change('Drafts, Ctrl+Shift+X')).toHaveFocus();
});

test('Escape leaves everything as it is and gives the focus back, also from a button beside the field', async () => {
  const bridge = new BridgeDouble();
  await openSettings(bridge, 'Keys');
  await change('Drafts, D').click();
  await keys('{Escape}');
  await expect.element(change('Drafts, D')).toHaveFocus();
  await expect.element(field()).not.toBeInTheDocument();
  await keys('{Enter}');
  await expect.element(field()).toHaveFocus();
  await keys('{Tab}');
  await expect.element(button('No key')).toHaveFocus();
  await keys('{Escape}');
  await expect.element(change('Drafts, D')).toHaveFocus();
  await expect.element(page.getByRole('dialog', { name: 'Settings' })).toBeVisible();
  expect(bridge.argsOf('setPreferences')).toEqual([]);
});

test('an action may have no key, and gets its own back', async () => {
  const bridge = new BridgeDouble();
  await openSettings(bridge, 'Keys');
  await change('Search everywhere, /').click();
  await button('No key').click();
  await expect.element(change('Search everywhere, no key')).toHaveFocus();
  expect(bridge.choices.keys).toEqual({ search: ['Ctrl+Shift+F'] });
  await change('Search everywhere, Ctrl+Shift+F').click();
  await button('No key').click();
  await said('Search everywhere has no key now.');
  expect(bridge.choices.keys).toEqual({ search: [] });
  await press('Reset: Search everywhere');
  await expect.element(change('Search everywhere, Ctrl+Shift+F')).toHaveFocus();
  await expect.element(button('Reset: Search everywhere')).not.toBeInTheDocument();
  expect(bridge.choices.keys).toEqual({});
});

test('resetting asks where somebody else has the key by now', async () => {
  const bridge = new BridgeDouble();
  bridge.choices = { ...bridge.choices, keys: { feed: ['D'], drafts: ['G'] } };
  await openSettings(bridge, 'Keys');
  await press('Reset: Drafts');
  await expect.element(alert()).toMatchTextContent('D already belongs to “Combined feed”.');
  await button('Take over').click();
  await expect.element(change('Drafts, D')).toHaveFocus();
  await expect.element(change('Combined feed, no key')).toBeInTheDocument();
  expect(bridge.choices.keys).toEqual({ feed: [] });
});

test('all keys are reset after asking', async () => {
  const bridge = new BridgeDouble();
  bridge.choices = { ...bridge.choices, keys: { feed: ['D'], inbox: [] } };
  await openSettings(bridge, 'Keys');
  await press('Reset all keys…');
  await confirm('Reset');
  await expect.element(change('Combined feed, A')).toBeInTheDocument();
  expect(bridge.choices.keys).toEqual({});
  await said('All keys are as they were at first.');
  await expect.element(button('Reset all keys…')).toHaveFocus();
});

test('a key that could not be kept stays as it was, with the reason', async () => {
  const bridge = new BridgeDouble();
  bridge.answer('setPreferences', async () => failure('NOT_KEPT', 'The disk is full.'));
  await openSettings(bridge, 'Keys');
  await change('Drafts, D').click();
  await keys('g');
  await expect.element(alert()).toHaveTextContent('The disk is full.');
  await expect.element(change('Drafts, D')).toBeVisible();
});

test('each digit is an organization, with whatever is held', async () => {
  const bridge = new BridgeDouble();
  await openSettings(bridge, 'Keys');
  await change('Organization 1 to 9, Ctrl+1…9').click();
  await keys('o');
  await expect.element(alert()).toMatchTextContent('press one from 1 to 9');
  await keys('{Alt>}3{/Alt}');
  await expect.element(change('Organization 1 to 9, Alt+1…9')).toHaveFocus();
  expect(bridge.choices.keys).toEqual({ organization: ['Alt+1…9'] });
});

test('single keys that are switched off say so', async () => {
  const bridge = new BridgeDouble();
  await openSettings(bridge, 'Keys');
  await setting('Single-key shortcuts').click();
  await expect.element(page.getByText('(switched off)').first()).toBeVisible();
  await change('Drafts, D').click();
  await keys('g');
  await said('It acts once single-key shortcuts are on.');
  await change('Star, Ctrl+S').click();
  await keys('y');
  await said('Star: Y.');
  expect(document.body.textContent).not.toContain('It acts once');
});

test('the list of keys, menus, tooltips and the switcher show the changed keys', async () => {
  const bridge = new BridgeDouble();
  bridge.store(inTopic(1, 'lunch'), 'noodles?');
  const changed = { switcher: ['Ctrl+J'], settings: [], shortcuts: ['F1'], reply: ['G'] };
  bridge.choices = { ...bridge.choices, keys: changed };
  await openWindow(bridge);
  await expect.element(row(/general/)).toBeVisible();
  await keys('{F1}');
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect.element(list).toMatchTextContent(/a command\s*Ctrl\s*J/);
  await expect.element(list).toMatchTextContent(/Settings\s*No key/);
  await expect.element(list).toMatchTextContent(/Reply\s*Enter\s*or\s*G/);
  await closeSettings();
  await expect.element(page.getByTitle(/\(Ctrl\+J\)/)).toBeVisible();
  await keys('{Control>}j{/Control}keyb');
  await expect.element(page.getByRole('option', { name: /Keyboard shortcuts.*F1/ })).toBeVisible();
  await keys('{Escape}');
  await open(/^general/, 'general');
  await row(/^lunch/).click();
  await expect.element(page.getByText('noodles?')).toBeVisible();
  document.querySelector<HTMLElement>('.message')?.focus();
  await keys('i');
  const item = page.getByRole('menuitem', { name: 'Reply', exact: true });
  await expect.element(item).toHaveTextContent('Reply G');
  await expect.element(item).toHaveAttribute('aria-keyshortcuts', 'Enter G');
});

test('the list of keys leads to where they are changed, and closing that gives the focus back', async () => {
  await openWindow(new BridgeDouble());
  await open(/^general/, 'general');
  await textBox().click();
  await keys('{Control>}/{/Control}');
  await button('Change keys…').click();
  await expect.element(change('Drafts, D')).toBeVisible();
  await closeSettings();
  await expect.element(textBox()).toHaveFocus();
});

test('keys that are changed in another window hold here', async () => {
  const bridge = new BridgeDouble();
  await openSettings(bridge, 'Profile');
  await closeSettings();
  bridge.choices = { ...bridge.choices, keys: { drafts: ['G'] } };
  bridge.push('preferencesChanged', bridge.choices);
  await keys('g');
  await expect.element(heading('Drafts')).toBeVisible();
});

test('the desktop has a key that acts from other programs, and a browser has not', async () => {
  const bridge = new BridgeDouble();
  await openSettings(bridge, 'Keys');
  await change('Show or hide Hearth, no key').click();
  await keys('h');
  await expect.element(alert()).toMatchTextContent('Hold Ctrl or Alt with it');
  await keys('{Control>}{Alt>}h{/Alt}{/Control}');
  await expect.element(change('Show or hide Hearth, Ctrl+Alt+H')).toHaveFocus();
  expect(bridge.choices.globalShortcut).toBe('CmdOrCtrl+Alt+H');
  await keys('{Enter}');
  await button('No key').click();
  await expect.element(change('Show or hide Hearth, no key')).toHaveFocus();
  expect(bridge.choices.globalShortcut).toBeNull();
});

test('in a browser no key acts from other programs', async () => {
  await openSettings(new BridgeDouble({ shell: 'browser', canHost: false }), 'Keys');
  await expect.element(change('Drafts, D')).toBeInTheDocument();
  await expect.element(change('Show or hide Hearth, no key')).not.toBeInTheDocument();
});
