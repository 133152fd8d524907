import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { failure, success } from '#shared/bridge/outcome.ts';
import {
  account,
  BridgeDouble,
  inTopic,
  ownUserId,
  person,
  withPeople,
} from '#test/support/window/bridge-double.ts';
import { openConversation, scroller, settled } from './open-conversation.ts';

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble();
});

const lunch = inTopic(1, 'lunch');
const topicView = { kind: 'stream', streamId: 1, topic: 'lunch' } as const;
const now = (): number => Math.floor(Date.now() / 1000);
const item = (name: string | RegExp) => page.getByRole('listitem', { name });
const shown = (text: string) => page.getByText(text, { exact: true });
const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
const menuItem = (name: string | RegExp) => page.getByRole('menuitem', { name });
const box = () => page.getByRole('textbox', { name: 'Message', exact: true });

const store = (text: string, more = {}) => bridge.store(lunch, text, { isRead: true, ...more });
const mine = { senderId: ownUserId };

/** Opens the topic and chooses the message with the text. */
async function choose(text: string) {
  const workspace = await openConversation(bridge, topicView);
  const row = item(new RegExp(text));
  await expect.element(row).toBeVisible();
  (row.element() as HTMLElement).focus();
  await expect.element(row).toHaveFocus();
  return workspace;
}

async function openMenu(text: string) {
  const workspace = await choose(text);
  await userEvent.keyboard('i');
  await expect.element(page.getByRole('menu')).toBeVisible();
  return workspace;
}

const menuLabels = (): readonly string[] =>
  page
    .getByRole('menuitem')
    .elements()
    .map((each) => each.querySelector('span')?.textContent ?? '');

test('the messages are one stop for Tab, and keys move between them', async () => {
  for (const text of ['one', 'two', 'three', 'four', 'five']) store(text);
  await choose('five');
  expect(document.querySelectorAll('[data-message-id][tabindex="0"]')).toHaveLength(1);
  await userEvent.keyboard('{ArrowUp}k');
  await expect.element(item(/three/)).toHaveFocus();
  await userEvent.keyboard('j');
  await expect.element(item(/four/)).toHaveFocus();
  await userEvent.keyboard('{Home}');
  await expect.element(item(/one/)).toHaveFocus();
  await userEvent.keyboard('{Shift>}G{/Shift}');
  await expect.element(item(/five/)).toHaveFocus();
});

test('Tab stops only at what has to scroll, in the chosen message', async () => {
  const code = (text: string): string =>
    `<div class="codehilite"><pre><span></span><code>${text}</code></pre></div>`;
  const wide = `wide ${'x'.repeat(300)}`;
  store(`<p>one</p>${code(wide)}`);
  const { id } = store(
    `<p>two</p>${code('narrow')}${code(wide)}<table><tbody><tr><td>narrow</td></tr></tbody></table>` +
      `<table><tbody><tr><td>${wide}</td></tr></tbody></table>`,
  );
  store('three');
  await choose('two');
  const stops = (): readonly string[] =>
    [...document.querySelectorAll<HTMLElement>('pre, table')]
      .filter(({ tabIndex }) => tabIndex >= 0)
      .map(({ localName, textContent }) => `${localName} ${textContent.slice(0, 4)}`);
  await expect.poll(stops).toEqual(['pre wide', 'table wide']);
  const reached = new Set<string>();
  for (let i = 0; i < 12; i += 1) {
    await userEvent.keyboard('{Tab}');
    const { localName, textContent } = document.activeElement ?? document.body;
    if (['pre', 'table'].includes(localName))
      reached.add(`${localName} ${textContent.slice(0, 4)}`);
  }
  expect([...reached]).toEqual(['pre wide', 'table wide']);
  (item(/three/).element() as HTMLElement).focus();
  await expect.poll(stops).toEqual([]);
  // What it says now is shown anew.
  bridge.changeMessage(id, {
    rendered: `<p>two</p>${code(wide)}<a href="https://example.com">x</a>`,
  });
  await expect.element(page.getByRole('link', { name: 'x' })).toHaveAttribute('tabindex', '-1');
  await page.viewport(700, 640);
  expect(stops()).toEqual([]);
});

test('pages move by a screen, and the focus with them', async () => {
  for (let i = 1; i <= 90; i += 1) store(`line ${String(i)}.`);
  await choose('line 90');
  await userEvent.keyboard('{PageUp}');
  await expect.element(item(/line 90\./)).not.toHaveFocus();
  await expect.poll(() => document.activeElement?.matches('[data-message-id]')).toBe(true);
});

test('a message is read as sender, text, time, marks and reactions', async () => {
  const sentAtSeconds = Math.floor(new Date().setHours(10, 42, 0, 0) / 1000);
  store('good morning', {
    sentAtSeconds,
    editedAtSeconds: sentAtSeconds + 60,
    isStarred: true,
    reactions: [{ name: 'tada', code: '1f389', type: 'unicode_emoji', userIds: [9] }],
  });
  await choose('good morning');
  await expect
    .element(item(/^Ben Member good morning 10:42 edited starred tada 1$/))
    .toBeInTheDocument();
});

test('a message says whether it was edited, moved or both', async () => {
  const editedAtSeconds = now();
  store('in other words', { editedAtSeconds, editedParts: ['content'] });
  store('from elsewhere', { editedAtSeconds, editedParts: ['place'] });
  store('all of it', { editedAtSeconds, editedParts: ['content', 'place'] });
  await choose('all of it');
  await expect.element(item(/in other words [\d:]+ edited$/)).toBeInTheDocument();
  await expect.element(item(/from elsewhere [\d:]+ moved$/)).toBeInTheDocument();
  await expect.element(item(/all of it [\d:]+ edited, moved$/)).toBeInTheDocument();
});

test('a message that a member gave back says so, and why', async () => {
  const sentAtSeconds = Math.floor(new Date().setHours(10, 42, 0, 0) / 1000);
  store('good morning', { sentAtSeconds, recoveredAtSeconds: sentAtSeconds + 60 });
  await choose('good morning');
  await expect.element(item(/^Ben Member good morning 10:42 recovered$/)).toBeInTheDocument();
  await expect
    .element(page.getByTitle(/^The old computer was lost with this message/))
    .toBeVisible();
});

const shownTools = () => document.querySelectorAll('.rail:not(.is-hidden) > [role="group"]').length;

test('the actions appear with the focus and with the pointer, of one message at a time, and move nothing', async () => {
  store('first');
  store('second');
  await choose('second');
  // Where the pointer was left may be the other one.
  await userEvent.keyboard('{Shift}');
  await expect.element(item(/second/).getByRole('group')).toBeVisible();
  await expect.poll(shownTools).toBe(1);
  const before = shown('first').element().getBoundingClientRect();
  await shown('second').hover();
  await shown('first').hover();
  await expect.element(item(/first/).getByRole('group')).toBeVisible();
  await expect.poll(shownTools).toBe(1);
  const after = shown('first').element().getBoundingClientRect();
  expect([after.top, after.left, after.width]).toEqual([before.top, before.left, before.width]);
});

test.each([
  ['a conversation', topicView, 0],
  ['a mixed list, below the name of the conversation,', { kind: 'feed' }, 33],
] as const)(
  'in %s the actions of a message higher than the window stay in sight',
  async (_, view, covered) => {
    // As high as a message can be that is not folded.
    const message = store('high', { rendered: `<p>high</p>${'<p>line</p>'.repeat(58)}<p>end</p>` });
    await openConversation(bridge, view);
    await expect.element(shown('end')).toBeVisible();
    await settled();
    await shown('end').hover();
    const tools = page.getByRole('group', { name: 'Actions for this message' });
    await expect.element(tools).toBeInTheDocument();
    const { top, height } = tools.element().getBoundingClientRect();
    const row = document.querySelector(`[data-message-id="${String(message.id)}"]`);
    expect(row?.getBoundingClientRect().top).toBeLessThan(0);
    expect(top).toBeGreaterThanOrEqual(scroller().getBoundingClientRect().top + covered);
    expect(
      document.elementFromPoint(innerWidth - 110, top + height / 2)?.closest('button'),
    ).not.toBe(null);
  },
);

test('reactions are given and taken back, and say who gave them', async () => {
  const message = store('noodles?', {
    reactions: [{ name: 'tada', code: '1f389', type: 'unicode_emoji', userIds: [9, ownUserId] }],
  });
  await choose('noodles');
  const pill = page.getByRole('button', { name: 'tada, 2: You, Ben Member' });
  await expect.element(pill).toHaveAttribute('aria-pressed', 'true');
  await pill.hover();
  await expect.element(page.getByRole('tooltip')).toMatchTextContent(/You, Ben Member reacted/);
  await pill.click();
  const tada = { emojiName: 'tada', emojiCode: '1f389', reactionType: 'unicode_emoji' };
  await expect
    .poll(() => bridge.requestsOf('reactions.remove'))
    .toEqual([{ messageId: message.id, ...tada }]);
  (item(/noodles/).element() as HTMLElement).focus();
  await userEvent.keyboard('+');
  await expect
    .poll(() => bridge.requestsOf('reactions.add'))
    .toMatchObject([{ emojiCode: '1f44d' }]);
});

test('the key = repeats the first reaction', async () => {
  store('noodles?', {
    reactions: [{ name: 'tada', code: '1f389', type: 'unicode_emoji', userIds: [9] }],
  });
  await choose('noodles');
  await userEvent.keyboard('=');
  await expect
    .poll(() => bridge.requestsOf('reactions.add'))
    .toMatchObject([{ emojiName: 'tada' }]);
});

test('any emoji can be chosen, and the focus goes back to where it was', async () => {
  const message = store('noodles?');
  await choose('noodles');
  await userEvent.keyboard(':');
  await expect.element(page.getByRole('dialog', { name: 'Add reaction' })).toBeVisible();
  await expect.element(page.getByRole('gridcell').first()).toBeVisible();
  await userEvent.keyboard('tada');
  await page.getByRole('gridcell', { name: 'tada', exact: true }).first().click();
  await expect
    .poll(() => bridge.requestsOf('reactions.add'))
    .toMatchObject([{ messageId: message.id, emojiName: 'tada', emojiCode: '1f389' }]);
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await expect.element(item(/noodles/)).toHaveFocus();
});

test('the picker of emoji opens at its button, wherever the pointer goes meanwhile, and leaves one set of actions', async () => {
  store('noodles?');
  store('elsewhere');
  await openConversation(bridge, topicView);
  await shown('noodles?').hover();
  const button = item(/noodles/).getByRole('button', { name: 'React' });
  await expect.element(button).toBeVisible();
  const at = button.element().getBoundingClientRect();
  button.element().dispatchEvent(new MouseEvent('click', { bubbles: true }));
  await shown('elsewhere').hover();
  const picker = page.getByRole('dialog', { name: 'Add reaction' });
  await expect.element(page.getByRole('gridcell').first()).toBeVisible();
  const { left, right } = picker.element().getBoundingClientRect();
  expect(left).toBeLessThanOrEqual(at.left);
  expect(right).toBeGreaterThan(at.left);
  await userEvent.keyboard('{Escape}');
  await expect.element(picker).not.toBeInTheDocument();
  // The button went with the pointer; its message is still there.
  await expect.element(item(/noodles/)).toHaveFocus();
  await expect.poll(shownTools).toBe(1);
});

test('a star is set and taken away by key and button', async () => {
  const message = store('noodles?');
  await choose('noodles');
  await userEvent.keyboard('{Control>}s{/Control}');
  await expect.element(item(/noodles.*starred/)).toBeVisible();
  await press('Remove star');
  await expect.element(item(/noodles.*starred/)).not.toBeInTheDocument();
  expect(bridge.argsOf('star')).toEqual([
    [account.id, message.id, true],
    [account.id, message.id, false],
  ]);
});

test('what did not work is said', async () => {
  store('noodles?');
  bridge.fail('star', 'The service does not answer.');
  await choose('noodles');
  await press('Star');
  await expect.element(page.getByRole('alert')).toMatchTextContent('The service does not answer.');
});

test('replying goes to the box, quoting takes the text along', async () => {
  const message = store('noodles?');
  await choose('noodles');
  await userEvent.keyboard('{Enter}');
  await expect.element(box()).toHaveFocus();
  (item(/noodles/).element() as HTMLElement).focus();
  await userEvent.keyboard('>');
  await expect.element(box()).toHaveFocus();
  const link = `${account.address}/#narrow/stream/1-general/topic/lunch/near/${String(message.id)}`;
  await expect
    .element(box())
    .toHaveValue(`@_**Ben Member|9** [said](${link}):\n\`\`\`quote\nnoodles?\n\`\`\`\n`);
});

test('in a mixed list, what is quoted is written to the conversation of the message', async () => {
  store('noodles?');
  const { compose, navigation } = await openConversation(bridge, { kind: 'feed' });
  const row = item(/noodles/);
  await expect.element(row).toBeVisible();
  (row.element() as HTMLElement).focus();
  await userEvent.keyboard('>');
  await expect.element(box()).toHaveFocus();
  await expect.poll(() => (box().element() as HTMLTextAreaElement).value).toContain('noodles?');
  expect(navigation.view).toEqual({ kind: 'feed' });
  expect(compose.destinationOf(navigation.place)).toMatchObject(topicView);
});

test('the keys S, Z and Shift+R lead to the topic, to the message in it, and to its sender', async () => {
  const message = store('noodles?');
  const { navigation } = await choose('noodles');
  await userEvent.keyboard('s');
  await expect.poll(() => navigation.view).toEqual({ ...topicView, topic: null });
  const focus = async () => {
    await expect.element(item(/noodles/)).toBeVisible();
    (item(/noodles/).element() as HTMLElement).focus();
  };
  await focus();
  await userEvent.keyboard('z');
  await expect.poll(() => navigation.view).toEqual(topicView);
  expect(navigation.messageId).toBe(message.id);
  await focus();
  await userEvent.keyboard('{Shift>}R{/Shift}');
  await expect.poll(() => navigation.view).toEqual(withPeople(9));
});

test('the menu offers what is permitted: an administrator everything but editing what others wrote', async () => {
  store('noodles?');
  await openMenu('noodles');
  expect(menuLabels()).toEqual([
    ...['React', 'Reply', 'Quote and reply', 'Reply privately', 'Copy text', 'Copy link', 'Star'],
    ...['Mark unread from here', 'Mute topic', 'Move…', 'View source', 'Delete…'],
  ]);
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument();
  await expect.element(item(/noodles/)).toHaveFocus();
});

test('a member is offered neither to delete nor to move what others wrote', async () => {
  const people = bridge.current.people.map((each) =>
    each.userId === ownUserId ? person(ownUserId, 'Ada Admin') : each,
  );
  const organization = bridge.organizationWith({ allow_community_topic_editing: false });
  bridge.current = { ...bridge.current, people, organization };
  store('noodles?');
  await openMenu('noodles');
  expect(menuLabels()).not.toContain('Delete…');
  expect(menuLabels()).not.toContain('Move…');
});

test('the context menu of the pointer is that of the message', async () => {
  store('noodles?');
  await choose('noodles');
  await shown('noodles?').click({ button: 'right' });
  await expect.element(menuItem('Copy link')).toBeVisible();
});

test('marking unread from here tells the session and stops marking by itself', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const message = store('noodles?');
  await openMenu('noodles');
  await menuItem('Mark unread from here').click();
  await expect
    .poll(() => bridge.argsOf('markUnreadFrom'))
    .toEqual([[account.id, topicView, message.id]]);
  await expect.element(shown('New messages')).toBeVisible();
  bridge.changeMessage(message.id, { isRead: false });
  // Long enough for whatever would be marked to be marked.
  await settled();
  await vi.advanceTimersByTimeAsync(1800);
  expect(bridge.argsOf('markRead')).toEqual([]);
});

test('editing happens in the place of the message, as long as it may by the clock of the service; Enter saves', async () => {
  const organization = bridge.organizationWith({ message_content_edit_limit_seconds: 600 });
  bridge.current = { ...bridge.current, organization, clockAheadSeconds: -600 };
  const sentAtSeconds = Math.floor(Date.now() / 1000) - 600 - 300;
  const message = store('noodels', { ...mine, sentAtSeconds });
  await choose('noodels');
  await userEvent.keyboard('e');
  const editor = page.getByRole('textbox', { name: 'Text of the message' });
  await expect.element(editor).toHaveFocus();
  await expect.element(editor).toHaveValue('noodels');
  await userEvent.fill(editor, 'noodles');
  await userEvent.keyboard('{Enter}');
  await expect
    .poll(() => bridge.requestsOf('lifecycle.edit'))
    .toEqual([{ messageId: message.id, content: 'noodles', propagateMode: 'change_one' }]);
  await expect.element(editor).not.toBeInTheDocument();
  await expect.element(item(/noodels/)).toHaveFocus();
});

test('a failed edit says why and keeps the text; Escape asks before it is lost', async () => {
  store('noodels', mine);
  bridge.answerRequest('lifecycle.edit', () =>
    failure('BAD_REQUEST', 'The time limit has passed.'),
  );
  await choose('noodels');
  await userEvent.keyboard('{ArrowLeft}');
  const editor = page.getByRole('textbox', { name: 'Text of the message' });
  await userEvent.fill(editor, 'noodles');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('alert')).toMatchTextContent('The time limit has passed.');
  await expect.element(editor).toHaveValue('noodles');
  (editor.element() as HTMLElement).focus();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('alertdialog')).toBeVisible();
  await press('Keep editing');
  await expect.element(editor).toHaveValue('noodles');
  await userEvent.keyboard('{Escape}');
  await press('Discard changes');
  await expect.element(editor).not.toBeInTheDocument();
  await expect.element(shown('noodels')).toBeVisible();
});

test('the topic is changed with the text, for one message or for more', async () => {
  const message = store('noodles', mine);
  await choose('noodles');
  await userEvent.keyboard('e');
  const topic = page.getByRole('textbox', { name: 'Topic' });
  await userEvent.fill(topic, 'dinner');
  await page.getByRole('radio', { name: 'All messages of the topic' }).click();
  await press('Save');
  await expect
    .poll(() => bridge.requestsOf('lifecycle.edit'))
    .toEqual([{ messageId: message.id, topic: 'dinner', propagateMode: 'change_all' }]);
});

test('messages are moved to another stream and topic', async () => {
  const message = store('noodles');
  await openMenu('noodles');
  await menuItem('Move…').click();
  await page.getByRole('combobox', { name: 'Stream' }).selectOptions('engineering');
  await press('Cancel');
  expect(bridge.requestsOf('lifecycle.edit')).toEqual([]);
  await openMenu('noodles');
  await menuItem('Move…').click();
  await page.getByRole('combobox', { name: 'Stream' }).selectOptions('engineering');
  await userEvent.fill(page.getByRole('textbox', { name: 'Topic' }), 'food');
  await press('Move');
  await expect
    .poll(() => bridge.requestsOf('lifecycle.edit'))
    .toEqual([
      { messageId: message.id, topic: 'food', streamId: 2, propagateMode: 'change_later' },
    ]);
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
});

test('the dialog of moving is no wider than it may be, however long the names of streams are', async () => {
  store('noodles');
  const [first, ...others] = bridge.current.streams;
  if (first === undefined) throw new Error('there are streams');
  const long = { ...first, streamId: 77, name: 'w'.repeat(60) };
  bridge.current = { ...bridge.current, streams: [first, ...others, long] };
  await openMenu('noodles');
  await menuItem('Move…').click();
  const dialog = page.getByRole('dialog', { name: 'Move messages' });
  await expect.element(dialog).toBeVisible();
  const { scrollWidth, clientWidth } = dialog.element();
  expect(scrollWidth).toBe(clientWidth);
});

test('deleting is asked about first, and the focus goes to what stands in its place', async () => {
  store('before');
  const message = store('wrong', mine);
  store('after');
  bridge.answerRequest('lifecycle.delete', () => {
    bridge.removeMessages(message.id);
    return success({});
  });
  await openMenu('wrong');
  await menuItem('Delete…').click();
  await expect
    .element(page.getByRole('alertdialog', { name: 'Delete this message?' }))
    .toBeVisible();
  await press('Delete');
  await expect.element(shown('wrong')).not.toBeInTheDocument();
  await expect.element(item(/after/)).toHaveFocus();
});

test.each([
  ['menu', 'i', () => page.getByRole('menu')],
  ['choice of emoji', ':', () => page.getByRole('dialog', { name: 'Add reaction' })],
])(
  'the %s of a message that somebody deletes closes, and the keys go on',
  async (_, key, layer) => {
    store('before');
    const message = store('wrong');
    store('after');
    await choose('wrong');
    await userEvent.keyboard(key);
    await expect.element(layer()).toBeVisible();
    bridge.removeMessages(message.id);
    await expect.element(layer()).not.toBeInTheDocument();
    await expect.element(item(/after/)).toHaveFocus();
  },
);

test('a dialog that outlives its message gives the focus to what stands in its place', async () => {
  store('before');
  const message = store('wrong');
  store('after');
  await openMenu('wrong');
  await menuItem('View source').click();
  await expect.element(page.getByRole('dialog')).toBeVisible();
  bridge.removeMessages(message.id);
  const row = () => document.querySelector(`[data-message-id="${String(message.id)}"]`);
  await expect.poll(row).toBeNull();
  await userEvent.keyboard('{Escape}');
  await expect.element(item(/after/)).toHaveFocus();
});

test('the history shows what was inserted and what was deleted', async () => {
  const message = store('noodles', { editedAtSeconds: now() });
  bridge.answerRequest('lifecycle.history', () =>
    success({
      message_history: [
        { topic: 'lunch', content: 'x', rendered_content: '<p>x</p>', user_id: 9, timestamp: 1 },
        {
          ...{ topic: 'lunch', content: 'noodles', rendered_content: '<p>noodles</p>' },
          ...{ user_id: 9, timestamp: 2, prev_content: 'x', prev_rendered_content: '<p>x</p>' },
          content_html_diff:
            '<p><span class="highlight_text_deleted">x</span><span class="highlight_text_inserted">noodles</span></p>',
        },
      ],
    }),
  );
  await choose('noodles');
  await press('edited');
  const dialog = page.getByRole('dialog', { name: 'What was changed' });
  await expect.element(dialog.getByRole('deletion')).toMatchTextContent('x');
  await expect.element(dialog.getByRole('insertion')).toMatchTextContent('noodles');
  expect(bridge.requestsOf('lifecycle.history')).toEqual([{ messageId: message.id }]);
});

test('the source of a message is shown as it was written', async () => {
  store('noodles');
  bridge.answer('source', async () => success('**noodles**'));
  await openMenu('noodles');
  await menuItem('View source').click();
  await expect.element(page.getByRole('dialog')).toMatchTextContent(/\*\*noodles\*\*/);
  // Enter would close it at once where its first focus is the button for that.
  await expect.element(page.getByRole('dialog')).toHaveFocus();
});

test('the header mutes the topic and marks it as read; Escape twice does too', async () => {
  store('noodles');
  await choose('noodles');
  await userEvent.keyboard('{Escape}{Escape}');
  await expect
    .poll(() => bridge.argsOf('markRead'))
    .toEqual([[account.id, { kind: 'view', view: topicView }]]);
  await press('Mark as read');
  await expect.poll(() => bridge.argsOf('markRead').length).toBe(2);
  await press('Mute topic');
  await expect
    .poll(() => bridge.requestsOf('subscriptions.muteTopic'))
    .toEqual([{ streamId: 1, topic: 'lunch', op: 'add' }]);
  bridge.changeState({ mutedTopics: [{ streamId: 1, topic: 'Lunch' }] });
  await expect
    .element(page.getByRole('button', { name: 'Unmute topic' }))
    .toHaveAttribute('aria-pressed', 'true');
});
