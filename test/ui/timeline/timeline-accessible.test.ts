import { afterEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { View } from '#shared/bridge/models/client.ts';
import { BridgeDouble, withPeople } from '#test/support/window/bridge-double.ts';
import { complaints, looksAt } from '#test/support/window/complaints.ts';
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

/** What the walk through all screens (test/web/screens.test.ts) does not come by. */
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
];

const looks = looksAt(1100, 700, 360);

test.each(screens)('$name: nothing to complain about in any theme and width', async (screen) => {
  const bridge = await (screen.make ?? richConversation)();
  await openConversation(bridge, screen.view ?? group, { width: 1100, height: 640 });
  if (screen.view?.kind !== 'mentions') await expect.poll(rowCount).toBeGreaterThan(3);
  await screen.go();
  const found: string[] = [];
  for (const look of looks) {
    await page.viewport(look.width, 640);
    html.style.colorScheme = look.theme;
    found.push(...(await complaints(look)));
  }
  expect(found).toEqual([]);
});
