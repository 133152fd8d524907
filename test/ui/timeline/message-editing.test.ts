import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Workspace } from '#renderer/state/workspace.ts';
import { BridgeDouble, inTopic, ownUserId } from '#test/support/window/bridge-double.ts';
import { openConversation } from './open-conversation.ts';

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble();
});

const lunch = inTopic(1, 'lunch');
const box = () => page.getByRole('textbox', { name: 'Text of the message' });
const option = (name: RegExp) => page.getByRole('option', { name });
const list = () => page.getByRole('listbox');
const edits = () => bridge.requestsOf('lifecycle.edit');

/** Opens the editor of the only message, whose text is then selected. */
async function edit(text: string, size?: { width: number; height: number }): Promise<Workspace> {
  bridge.store(lunch, text, { senderId: ownUserId, isRead: true });
  const view = { kind: 'stream', streamId: 1, topic: 'lunch' } as const;
  const workspace = await openConversation(bridge, view, size);
  const row = page.getByRole('listitem', { name: new RegExp(text) });
  await expect.element(row).toBeVisible();
  (row.element() as HTMLElement).focus();
  await userEvent.keyboard('e');
  await expect.element(box()).toHaveFocus();
  (box().element() as HTMLTextAreaElement).select();
  return workspace;
}

test.each([
  ['person', '@cle', 'Cleo Zürcher', '@**Cleo Zürcher** '],
  ['stream', '#eng', 'engineering', '#**engineering** '],
  ['topic', '#general>lu', 'lunch', '#**general>lunch** '],
  ['emoji', ':tad', ':tada:', ':tada: '],
  ['language', '```pyth', 'python', '```python\n\n```\n'],
])('the editor of a message completes a %s', async (_, keys, label, expected) => {
  await edit('noodles');
  await userEvent.keyboard(keys);
  await expect.element(option(new RegExp(label)).first()).toHaveAttribute('aria-selected', 'true');
  await userEvent.keyboard('{Enter}');
  await expect.element(box()).toHaveValue(expected);
  await expect.element(list()).not.toBeInTheDocument();
  expect(edits(), 'Enter belongs to the list').toHaveLength(0);
});

test('Escape closes the list of the editor only, and what is chosen is saved', async () => {
  await edit('noodles');
  await userEvent.keyboard('@cle');
  await expect.element(option(/Cleo/)).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(list()).not.toBeInTheDocument();
  await expect.element(page.getByRole('alertdialog')).not.toBeInTheDocument();
  await expect.element(box()).toHaveFocus();
  await userEvent.keyboard(' @be');
  await expect.element(option(/Ben Member/)).toBeVisible();
  await userEvent.keyboard('{Tab}{Enter}');
  await expect.poll(edits).toMatchObject([{ content: '@cle @**Ben Member** ' }]);
});

test('the keys of formatting work in the editor, and Ctrl+Z takes them back', async () => {
  await edit('noodles');
  await userEvent.keyboard('{Control>}b{/Control}');
  await expect.element(box()).toHaveValue('**noodles**');
  await userEvent.keyboard('{Control>}i{/Control}');
  await expect.element(box()).toHaveValue('***noodles***');
  await userEvent.keyboard('{Control>}zz{/Control}');
  await expect.element(box()).toHaveValue('noodles');
  (box().element() as HTMLTextAreaElement).select();
  await userEvent.keyboard('{Control>}{Shift>}l{/Shift}{/Control}');
  await expect.element(box()).toHaveValue('[noodles](https://)');
});

test('what was changed in a message is still there after a look at something else', async () => {
  bridge.store(inTopic(1, 'dinner'), 'soup', { isRead: true });
  const { navigation } = await edit('noodles');
  await userEvent.keyboard('noodles and');
  navigation.go(inTopic(1, 'dinner'));
  await expect.element(page.getByText('soup', { exact: true })).toBeVisible();
  navigation.go(lunch);
  await expect.element(box()).toHaveValue('noodles and');
  await expect.element(box()).not.toHaveFocus();
  (box().element() as HTMLElement).focus();
  await userEvent.keyboard('{End} rice{Enter}');
  await expect.poll(edits).toMatchObject([{ content: 'noodles and rice' }]);
  await expect.element(box()).not.toBeInTheDocument();
});

test('an editor in which nothing was changed does not stay when the view is left', async () => {
  bridge.store(inTopic(1, 'dinner'), 'soup', { isRead: true });
  const { navigation } = await edit('noodles');
  navigation.go(inTopic(1, 'dinner'));
  await expect.element(page.getByText('soup', { exact: true })).toBeVisible();
  navigation.go(lunch);
  await expect.element(page.getByText('noodles', { exact: true })).toBeVisible();
  await expect.element(box()).not.toBeInTheDocument();
});

test('what was changed in a message that is deleted meanwhile becomes a draft', async () => {
  await edit('noodles');
  await userEvent.keyboard('noodles and rice');
  bridge.removeMessages(bridge.messageList[0]?.id ?? 0);
  await expect.element(page.getByRole('alert')).toMatchTextContent(/was deleted/);
  await expect
    .element(page.getByRole('textbox', { name: 'Message', exact: true }))
    .toHaveValue('noodles and rice');
});

test('editing another message keeps what was changed in the first', async () => {
  bridge.store(lunch, 'soup', { senderId: ownUserId, isRead: true });
  await edit('noodles');
  await userEvent.keyboard('noodles and');
  (page.getByRole('listitem', { name: /soup/ }).element() as HTMLElement).focus();
  await userEvent.keyboard('e');
  await expect.poll(() => box().elements().length).toBe(2);
  await expect.element(box().last()).toHaveValue('noodles and');
});

test('in an open block of code Enter starts a line, as it does in the compose box', async () => {
  await edit('noodles');
  await userEvent.keyboard('```js{Enter}a{Enter}b');
  await expect.element(box()).toHaveValue('```js\na\nb');
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.poll(edits).toMatchObject([{ content: '```js\na\nb' }]);
});

test.each([
  { width: 1000, height: 640 },
  { width: 360, height: 400 },
])('the list is whole in the window, wherever the message stands: %o', async (size) => {
  await edit('noodles', size);
  await userEvent.keyboard('@');
  await expect.element(list()).toBeVisible();
  const { top, left, right, bottom } =
    list().element().parentElement?.getBoundingClientRect() ?? new DOMRect();
  expect(Math.min(top, left)).toBeGreaterThanOrEqual(0);
  expect(right).toBeLessThanOrEqual(size.width);
  expect(bottom).toBeLessThanOrEqual(size.height);
});
