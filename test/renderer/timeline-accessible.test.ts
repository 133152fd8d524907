import axe from 'axe-core';
import { afterEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { success } from '../../src-main/contract/outcome.ts';
import type { View } from '../../src-main/contract/models/client.ts';
import { BridgeDouble, ownUserId, withPeople } from '../support/bridge-double.ts';
import { openConversation, rowCount, settled, wheelTo } from './open-conversation.ts';
import { mixedConversations, richConversation } from './rich-conversation.ts';

const html = document.documentElement;
afterEach(() => {
  html.style.colorScheme = '';
});

interface Screen {
  readonly name: string;
  readonly view?: View;
  readonly make?: () => Promise<BridgeDouble>;
  readonly go: () => Promise<unknown>;
}

const group = withPeople(9, 10);
const row = (name: RegExp) => page.getByRole('listitem', { name });

async function choose(name: RegExp): Promise<void> {
  await settled();
  wheelTo(0);
  await expect.element(row(name)).toBeVisible();
  (row(name).element() as HTMLElement).focus();
  await expect.element(row(name)).toHaveFocus();
}

const screens: readonly Screen[] = [
  { name: 'everything that a message can be, from its end', go: settled },
  {
    name: 'everything that a message can be, from its beginning',
    go: async () => {
      await settled();
      wheelTo(0);
      await settled();
    },
  },
  { name: 'a mixed list', view: { kind: 'feed' }, make: mixedConversations, go: settled },
  {
    name: 'an empty mixed list',
    view: { kind: 'mentions' },
    make: async () => new BridgeDouble(),
    go: () => expect.element(page.getByText('Nobody has mentioned you yet')).toBeVisible(),
  },
  { name: 'a chosen message with its actions', go: () => choose(/Good morning/) },
  {
    name: 'the menu of a message',
    go: async () => {
      await choose(/Good morning/);
      await userEvent.keyboard('i');
      await expect.element(page.getByRole('menuitem', { name: 'Copy link' })).toBeVisible();
    },
  },
  {
    name: 'a message that is edited, with an error',
    go: async () => {
      await choose(/I am on it/);
      await userEvent.keyboard('e');
      const editor = page.getByRole('textbox', { name: 'Text of the message' });
      await userEvent.fill(editor, '');
      await userEvent.keyboard('{Enter}');
      await expect.element(page.getByText(/An empty message cannot be saved/)).toBeVisible();
    },
  },
  {
    name: 'the history of a message',
    go: async () => {
      await choose(/I am on it/);
      await userEvent.keyboard('{Shift>}H{/Shift}');
      await expect.element(page.getByRole('insertion')).toBeVisible();
    },
  },
  {
    name: 'a message that is to be deleted',
    go: async () => {
      await choose(/Good morning/);
      await userEvent.keyboard('i');
      await page.getByRole('menuitem', { name: 'Delete…' }).click();
      await expect.element(page.getByRole('alertdialog')).toBeVisible();
    },
  },
  {
    name: 'messages that are to be moved',
    view: { kind: 'feed' },
    make: mixedConversations,
    go: async () => {
      await choose(/Good morning/);
      await userEvent.keyboard('i');
      await page.getByRole('menuitem', { name: 'Move…' }).click();
      await expect.element(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'the image viewer',
    go: async () => {
      await settled();
      await page.getByRole('button', { name: 'Open image sunset.png' }).click();
      await expect.element(page.getByRole('img', { name: 'sunset.png' })).toBeVisible();
    },
  },
];

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What scrolls in a message is reached by Tab once the message is chosen, like everything in it. */
const isReachedLater = ({ target }: axe.NodeResult): boolean =>
  Boolean(document.querySelector(String(target[0]))?.closest('[data-message-id][tabindex="-1"]'));

async function complaints(rules: readonly string[]): Promise<readonly string[]> {
  // A colour on its way to another one is nobody's choice.
  for (const animation of document.getAnimations()) animation.finish();
  const { violations } = await axe.run(document, {
    runOnly: [...rules],
    resultTypes: ['violations'],
  });
  return violations.flatMap(({ id, help, nodes }) =>
    nodes
      .filter((node) => id !== 'scrollable-region-focusable' || !isReachedLater(node))
      .map((node) => `${id}: ${help}: ${node.html} ${node.failureSummary ?? ''}`),
  );
}

/** Another theme has other colours, and nothing else. */
const looks = [
  { width: 1100, theme: 'light', rules: tags },
  { width: 1100, theme: 'dark', rules: ['color-contrast'] },
  { width: 700, theme: 'light', rules: tags },
  { width: 360, theme: 'light', rules: tags },
  { width: 360, theme: 'dark', rules: ['color-contrast'] },
] as const;

/** What is placed beside something else needs one to follow it. */
const twoFrames = async (): Promise<void> => {
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
};

test.each(screens)('$name: nothing to complain about in any theme and width', async (screen) => {
  const bridge = await (screen.make ?? richConversation)();
  bridge.answerRequest('lifecycle.history', () =>
    success({
      message_history: [
        { topic: '', content: 'a', rendered_content: '<p>a</p>', user_id: ownUserId, timestamp: 1 },
        {
          ...{ topic: '', content: 'b', rendered_content: '<p>b</p>', user_id: ownUserId },
          ...{ timestamp: 2, prev_content: 'a', prev_rendered_content: '<p>a</p>' },
          content_html_diff:
            '<p><span class="highlight_text_deleted">a</span><span class="highlight_text_inserted">b</span></p>',
        },
      ],
    }),
  );
  await openConversation(bridge, screen.view ?? group, { width: 1100, height: 640 });
  if (screen.view?.kind !== 'mentions') await expect.poll(rowCount).toBeGreaterThan(3);
  await screen.go();
  const found: string[] = [];
  for (const { width, theme, rules } of looks) {
    await page.viewport(width, 640);
    html.style.colorScheme = theme;
    await twoFrames();
    const where = `${String(width)} px, ${theme}`;
    found.push(...(await complaints(rules)).map((each) => `${where}: ${each}`));
    if (html.scrollWidth > width) found.push(`${where}: scrolls sideways`);
  }
  expect(found).toEqual([]);
});
