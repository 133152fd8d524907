import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { failure, success } from '#shared/bridge/outcome.ts';
import { BridgeDouble, inTopic, withPeople } from '#test/support/window/bridge-double.ts';
import { button, field, openCompose, option, paste, textBox } from './open-compose.ts';

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble();
  bridge.store(inTopic(1, 'lunch'), 'noodles?');
  bridge.store(withPeople(9), 'hello Ada');
});

const ben = { kind: 'private', userIds: [9] } as const;
const lunch = { kind: 'stream', streamId: 1, topic: 'lunch' } as const;
const type = async (keys: string): Promise<void> => {
  await textBox().click();
  await userEvent.keyboard(keys);
};

test.each([
  ['person', '@cle', 'Cleo Zürcher', '@**Cleo Zürcher** '],
  ['wildcard', '@every', 'everyone', '@**everyone** '],
  ['stream', '#eng', 'engineering', '#**engineering** '],
  ['emoji', ':tad', ':tada:', ':tada: '],
  ['language', '```pyth', 'python', '```python\n\n```\n'],
  ['command', '/m', '/me', '/me '],
])('the compose box completes a %s', async (_, keys, label, expected) => {
  await openCompose(bridge, lunch);
  await type(keys);
  await expect.element(option(new RegExp(label)).first()).toHaveAttribute('aria-selected', 'true');
  await userEvent.keyboard('{Enter}');
  await expect.element(textBox()).toHaveValue(expected);
  await expect.element(page.getByRole('listbox')).not.toBeInTheDocument();
  await expect.element(textBox()).toHaveFocus();
});

test('the arrows move through the list, Tab accepts, and the box tells which is active', async () => {
  await openCompose(bridge, lunch);
  await type('@');
  await expect.element(page.getByRole('listbox', { name: 'People and groups' })).toBeVisible();
  // Whoever wrote here last is offered first.
  await expect.element(option(/Ben Member/)).toHaveAttribute('aria-selected', 'true');
  await userEvent.keyboard('{ArrowDown}');
  const active = field().getAttribute('aria-activedescendant') ?? '';
  expect(document.getElementById(active)?.textContent).toMatch(/Cleo/);
  await userEvent.keyboard('{ArrowUp}{Tab}');
  await expect.element(textBox()).toHaveValue('@**Ben Member** ');
});

test('Escape closes the list only, and it stays closed while the same word is typed', async () => {
  await openCompose(bridge, lunch);
  await type('@be');
  await expect.element(option(/Ben Member/)).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('listbox')).not.toBeInTheDocument();
  await expect.element(textBox()).toHaveFocus();
  await userEvent.keyboard('n');
  await expect.element(page.getByRole('listbox')).not.toBeInTheDocument();
  await userEvent.keyboard(' @c');
  await expect.element(option(/Cleo/)).toBeVisible();
});

test('> goes on from a stream to its topics', async () => {
  await openCompose(bridge, lunch);
  await type('#gen');
  await expect.element(option(/general/)).toBeVisible();
  await userEvent.keyboard('>');
  await expect.element(textBox()).toHaveValue('#**general>');
  await expect.element(option(/lunch/)).toBeVisible();
  await userEvent.keyboard('{Tab}');
  await expect.element(textBox()).toHaveValue('#**general>lunch** ');
});

test('what is chosen by a click is put in, and Ctrl+Z takes it back', async () => {
  await openCompose(bridge, lunch);
  await type('hi @cle');
  await option(/Cleo/).click();
  await expect.element(textBox()).toHaveValue('hi @**Cleo Zürcher** ');
  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.element(textBox()).toHaveValue('hi @cle');
});

test('the keys of formatting put marks around what is selected, and take them away', async () => {
  await openCompose(bridge, lunch);
  await textBox().fill('word');
  field().setSelectionRange(0, 4);
  await userEvent.keyboard('{Control>}b{/Control}');
  await expect.element(textBox()).toHaveValue('**word**');
  await userEvent.keyboard('{Control>}b{/Control}{Control>}i{/Control}');
  await expect.element(textBox()).toHaveValue('*word*');
  await userEvent.keyboard('{Control>}i{/Control}{Control>}{Shift>}L{/Shift}{/Control}');
  await expect.element(textBox()).toHaveValue('[word](https://)');
  await userEvent.keyboard('https://a.example');
  await expect.element(textBox()).toHaveValue('[word](https://a.example)');
});

test('the toolbar is one stop of Tab, and its buttons format', async () => {
  await openCompose(bridge, lunch);
  await textBox().fill('a\nb');
  field().setSelectionRange(0, 3);
  await button('List').click();
  await expect.element(textBox()).toHaveValue('- a\n- b');
  await userEvent.keyboard('{Tab}');
  await expect.element(button('List')).toHaveFocus();
  await userEvent.keyboard('{ArrowRight}{ArrowRight}');
  await expect.element(button('Emoji')).toHaveFocus();
  await userEvent.keyboard('{Tab}');
  await expect.element(button('Send')).toHaveFocus();
});

test('the preview is what the service makes of the text, and Alt+P goes back to it', async () => {
  bridge.answerRequest('messages.render', ({ content }: { content: string }) =>
    success({ rendered: `<p><strong>${content}</strong></p>` }),
  );
  await openCompose(bridge, lunch);
  await textBox().fill('loud');
  await userEvent.keyboard('{Alt>}p{/Alt}');
  const preview = page.getByRole('region', { name: 'Preview of the message' });
  await expect.element(preview.getByText('loud')).toBeVisible();
  expect(preview.element().querySelector('strong')?.textContent).toBe('loud');
  expect(bridge.requestsOf('messages.render')).toEqual([{ content: 'loud' }]);
  await userEvent.keyboard('{Alt>}p{/Alt}');
  await expect.element(textBox()).toHaveFocus();
  await expect.element(textBox()).toHaveValue('loud');
});

test('without the service the preview says why there is none', async () => {
  bridge.answerRequest('messages.render', () => failure('UNREACHABLE', 'There is no network.'));
  await openCompose(bridge, lunch);
  await textBox().fill('loud');
  await button(/^Preview/).click();
  await expect.element(page.getByRole('alert')).toMatchTextContent(/There is no network\./);
  await button(/^Preview/).click();
  await expect.element(textBox()).toHaveValue('loud');
});

const table = '<table><tr><th>a</th><th>b</th></tr><tr><td>1|2</td><td><b>x</b></td></tr></table>';
const message =
  '<p>Hi <span class="user-mention" data-user-id="9">@Ben Member</span>, see <a class="stream-topic" data-stream-id="1" href="/#narrow/stream/1-general/topic/lunch">#general &gt; lunch</a></p><div class="codehilite" data-code-language="Python"><pre><span></span><code>if a:\n    b()\n</code></pre></div>';

test.each([
  [
    'marks',
    '<p>a <b>bold</b> and <em>fine</em> <del>old</del></p>',
    'a **bold** and *fine* ~~old~~',
  ],
  ['a link', '<a href="https://a.example/">there</a>', '[there](https://a.example/)'],
  ['a list', '<ul><li>one</li><li>two</li></ul>', '- one\n- two'],
  ['a numbered list', '<ol><li>one</li><li>two</li></ol>', '1. one\n2. two'],
  ['a table', table, '| a | b |\n| --- | --- |\n| 1\\|2 | **x** |'],
  [
    'a document of Google',
    '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr" style="line-height:1.38"><span style="font-size:11pt;font-weight:700;text-decoration:none">Plan</span><span style="font-weight:400">, </span><span style="font-weight:400;font-style:italic">soon</span></p></b>',
    '**Plan**, *soon*',
  ],
  ['code', '<pre><code>a\n  b</code></pre>', '```\na\n  b\n```'],
  [
    'a message',
    message,
    'Hi @**Ben Member|9**, see #**general>lunch**\n\n```python\nif a:\n    b()\n```',
  ],
])('%s is pasted as Markdown', async (_, html, expected) => {
  await openCompose(bridge, lunch);
  await textBox().click();
  expect(paste({ 'text/html': html, 'text/plain': 'plain' })).toBe(false);
  await expect.element(textBox()).toHaveValue(expected);
});

test.each([
  ['plain text', { 'text/plain': 'a *b*' }],
  ['what Ctrl+Shift+V pastes', { 'text/plain': 'bold' }],
  ['text without form', { 'text/plain': 'a', 'text/html': '<span style="color:red">a</span>' }],
  ['an editor’s code', { 'text/plain': 'a', 'text/html': '<b>a</b>', 'vscode-editor-data': '{}' }],
])('%s is left to the browser', async (_, data) => {
  await openCompose(bridge, lunch);
  await textBox().click();
  expect(paste(data)).toBe(true);
});

test('an address that is pasted over a word makes a link of it', async () => {
  await openCompose(bridge, lunch);
  await textBox().fill('see this');
  field().setSelectionRange(4, 8);
  paste({ 'text/plain': 'https://a.example/x' });
  await expect.element(textBox()).toHaveValue('see [this](https://a.example/x)');
});

test('every place keeps its own draft, which is saved while one writes, and a place that was left has it on the disk', async () => {
  const { navigation } = await openCompose(bridge, ben);
  await type('for Ben');
  navigation.go(lunch);
  await expect.element(textBox()).toHaveValue('');
  expect(bridge.current.drafts).toMatchObject([
    { key: 'private:9', view: ben, content: 'for Ben', topic: null },
  ]);
  await type('for all');
  await expect.poll(() => bridge.current.drafts.map(({ content }) => content)).toContain('for all');
  navigation.go(ben);
  await expect.element(textBox()).toHaveValue('for Ben');
});

test('a draft of another day, or another tab, stands in the box', async () => {
  const draft = {
    key: 'private:9',
    view: ben,
    topic: null,
    content: 'from before',
    changedAtSeconds: 1,
  };
  bridge.current = { ...bridge.current, drafts: [draft] };
  await openCompose(bridge, ben);
  await expect.element(textBox()).toHaveValue('from before');
  bridge.changeState({ drafts: [{ ...draft, content: 'from the other tab' }] });
  await expect.element(textBox()).toHaveValue('from the other tab');
  bridge.changeState({ drafts: [] });
  await expect.element(textBox()).toHaveValue('');
});

test('sending removes the draft, and nothing puts it back', async () => {
  const { flush } = await openCompose(bridge, ben);
  await type('soon gone');
  await flush();
  expect(bridge.current.drafts).toHaveLength(1);
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => bridge.current.drafts).toEqual([]);
  await flush();
  expect(bridge.current.drafts).toEqual([]);
  await expect.element(textBox()).toHaveValue('');
});

test('the page hands over what was typed before it is freed', async () => {
  const { flush } = await openCompose(bridge, ben);
  await type('last words');
  await flush();
  expect(bridge.current.drafts.map(({ content }) => content)).toEqual(['last words']);
});

test('a draft that cannot be kept says so', async () => {
  bridge.fail('saveDraft', 'The disk is full.');
  await openCompose(bridge, ben);
  await type('x');
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent(/could not be kept on this computer\. The disk is full\./);
});
