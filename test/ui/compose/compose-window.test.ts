import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { account, BridgeDouble, inTopic, withPeople } from '#test/support/window/bridge-double.ts';
import { paste } from './open-compose.ts';
import { heading, messageList, open, openWindow, row, textBox, topicBox } from '../open-window.ts';

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble();
  bridge.store(inTopic(1, 'lunch'), 'noodles?', { isRead: true });
  bridge.store(withPeople(9), 'hello Ada', { isRead: true });
});

test('what is sent stands in the list at once', async () => {
  await openWindow(bridge);
  await open(/^Ben Member/, 'Ben Member');
  await textBox().fill('hello **Ben**');
  await userEvent.keyboard('{Enter}');
  await expect.element(messageList()).toMatchTextContent(/hello \*\*Ben\*\*/);
});

test('a place with unsent text has a pencil in the list', async () => {
  await openWindow(bridge);
  await open(/^Ben Member/, 'Ben Member');
  await textBox().fill('for Ben');
  await expect.element(row(/Ben Member.*draft/)).toBeVisible();
});

test('before the page is freed, what was typed is handed over', async () => {
  await openWindow(bridge);
  await open(/^Ben Member/, 'Ben Member');
  await textBox().fill('last words');
  bridge.push('windowClosing', {});
  await expect.poll(() => bridge.argsOf('readyToClose')).toHaveLength(1);
  expect(bridge.current.drafts.map(({ content }) => content)).toEqual(['last words']);
  const names = bridge.calls.map(({ name }) => name);
  expect(names.lastIndexOf('saveDraft')).toBeLessThan(names.indexOf('readyToClose'));
});

test('before the page is freed, its uploads are left to the next one, which takes them', async () => {
  bridge.answer('upload', () => new Promise(() => undefined));
  await openWindow(bridge);
  await expect.poll(() => bridge.argsOf('resumeUploads')).toEqual([[account.id]]);
  await open(/^Ben Member/, 'Ben Member');
  await textBox().click();
  paste({}, [new File(['bytes'], 'plan.txt')]);
  await expect.element(page.getByRole('progressbar', { name: /plan\.txt/ })).toBeVisible();
  bridge.push('windowClosing', {});
  await expect.poll(() => bridge.argsOf('readyToClose')).toHaveLength(1);
  expect(bridge.argsOf('noteUploads').at(-1)?.[1]).toMatchObject([
    { name: 'plan.txt', view: { kind: 'private', userIds: [9] } },
  ]);
  const names = bridge.calls.map(({ name }) => name);
  expect(names.lastIndexOf('noteUploads')).toBeLessThan(names.indexOf('readyToClose'));
});

test.each([
  [true, topicBox, 'Choose a topic', 'Choose a topic, then write'],
  [false, textBox, 'Topic (optional)', 'Write to general'],
] as const)(
  'where topics are needed (%s), writing starts in the field that the hint names',
  async (needsTopics, first, topicHint, hint) => {
    const organization = bridge.organizationWith({ mandatory_topics: needsTopics });
    bridge.current = { ...bridge.current, organization };
    await openWindow(bridge);
    await open(/^general/, 'general');
    await expect.element(first()).toHaveFocus();
    await expect.element(topicBox()).toHaveAttribute('placeholder', topicHint);
    await expect.element(textBox()).toHaveAttribute('placeholder', hint);
    await userEvent.keyboard('{Escape}{Escape}');
    await expect.element(first()).not.toHaveFocus();
    await userEvent.keyboard('c');
    await expect.element(first()).toHaveFocus();
    // With a topic the box is next, by a key as well.
    await topicBox().fill('dinner');
    await userEvent.keyboard('{Escape}{Escape}');
    await userEvent.keyboard('c');
    await expect.element(textBox()).toHaveFocus();
  },
);

test('whoever says where to writes in the field that asks for it', async () => {
  await openWindow(bridge);
  await open(/^Combined feed/, 'Combined feed');
  await page.getByRole('button', { name: 'Message…' }).click();
  await expect.element(page.getByRole('combobox', { name: 'Stream to write to' })).toHaveFocus();
  await page.getByRole('radio', { name: 'People' }).click();
  await expect.element(page.getByRole('textbox', { name: 'People to write to' })).toHaveFocus();
});

test('a reply in the combined feed stays there, with the destination in the box', async () => {
  await openWindow(bridge);
  await open(/^Combined feed/, 'Combined feed');
  await page.getByRole('listitem', { name: /noodles/ }).click();
  await userEvent.keyboard('r');
  await expect.element(topicBox()).toHaveValue('lunch');
  await expect.element(textBox()).toHaveFocus();
  await expect.element(heading('Combined feed')).toBeVisible();
  await userEvent.keyboard('yes{Enter}');
  await expect
    .poll(() => bridge.argsOf('sendMessage').map(([, draft]) => draft))
    .toEqual([{ conversation: inTopic(1, 'lunch'), content: 'yes' }]);
});

test('what is sent from a list that does not show it says where it went', async () => {
  bridge.changeMessage(bridge.messageList[0]?.id ?? 0, { isStarred: true });
  await openWindow(bridge);
  await open(/^Starred/, 'Starred messages');
  await page.getByRole('listitem', { name: /noodles/ }).click();
  await userEvent.keyboard('r');
  await expect.element(textBox()).toHaveFocus();
  await userEvent.keyboard('yes{Enter}');
  const line = page.getByText(/^\s*Sent to general › lunch\./);
  await expect.element(line).toBeVisible();
  await userEvent.keyboard('and');
  await expect.element(line).not.toBeInTheDocument();
  await userEvent.keyboard(' tea{Enter}');
  await page.getByRole('button', { name: 'Go there' }).click();
  await expect.element(heading(/lunch/)).toBeVisible();
});

test('who reads and writes in a topic goes along when it gets another name', async () => {
  await openWindow(bridge);
  await open(/^general/, 'general');
  await page
    .getByRole('button', { name: /^lunch/ })
    .first()
    .click();
  await expect.element(heading(/lunch/)).toBeVisible();
  await textBox().click();
  await userEvent.keyboard('with rice');
  const [noodles] = bridge.messageList;
  bridge.changeMessage(noodles?.id ?? 0, { conversation: inTopic(1, 'dinner') });
  await expect.element(heading(/dinner/)).toBeVisible();
  await expect.element(messageList()).toMatchTextContent(/noodles/);
  await expect.element(topicBox()).toHaveValue('dinner');
  await expect.element(textBox()).toHaveValue('with rice');
  await expect.element(textBox()).toHaveFocus();
  await userEvent.keyboard(' please{Enter}');
  await expect
    .poll(() => bridge.argsOf('sendMessage').map(([, draft]) => draft))
    .toEqual([{ conversation: inTopic(1, 'dinner'), content: 'with rice please' }]);
});

test('what is quoted, or a mention, stands behind what was written, and Ctrl+Z takes it back', async () => {
  await openWindow(bridge);
  await open(/^Ben Member/, 'Ben Member');
  await textBox().click();
  await userEvent.keyboard('well');
  await page.getByRole('listitem', { name: /hello Ada/ }).click();
  await userEvent.keyboard('>');
  await expect.element(textBox()).toHaveFocus();
  const text = (): string => (textBox().element() as HTMLTextAreaElement).value;
  await expect.poll(text).toMatch(/^well\n\n@_\*\*Ben Member\|9\*\*.*hello Ada\n```\n$/s);
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(textBox()).toHaveValue('well');
  await page.getByRole('listitem', { name: /hello Ada/ }).click();
  await userEvent.keyboard('@');
  await expect.element(textBox()).toHaveValue('well @**Ben Member|9** ');
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(textBox()).toHaveValue('well');
});
