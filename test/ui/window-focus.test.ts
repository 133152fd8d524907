/** Where the keys go when what had the focus is gone, or nothing ever had it. */
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { BridgeDouble, withPeople } from '../support/window/bridge-double.ts';
import { isAtEnd, scroller, settled, wheelTo } from './timeline/open-conversation.ts';
import { heading, open, openWindow, row, textBox } from './open-window.ts';

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble();
  for (let i = 1; i <= 60; i += 1)
    bridge.store(withPeople(9), `message ${String(i)}`, { isRead: true });
});

/** Takes the focus away from everything, as a click on nothing does. */
function clickBeside(): void {
  document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
  (document.activeElement as HTMLElement).blur();
}

const message = (text: string) => page.getByRole('listitem', { name: new RegExp(`${text} `) });
const isSeen = (element: Element | null): boolean => {
  const frame = scroller().getBoundingClientRect();
  const { top, bottom } = element?.getBoundingClientRect() ?? frame;
  return bottom > frame.top && top < frame.bottom;
};

async function readUp(): Promise<number> {
  await openWindow(bridge);
  await open(/^Ben Member/, 'Ben Member');
  await expect.poll(isAtEnd).toBe(true);
  await settled();
  wheelTo(600);
  await settled();
  return scroller().scrollTop;
}

test('Escape leaves the box for a message that is in sight, and nothing moves', async () => {
  const top = await readUp();
  await textBox().click();
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => document.activeElement?.hasAttribute('data-message-id')).toBe(true);
  expect(isSeen(document.activeElement)).toBe(true);
  expect(scroller().scrollTop).toBe(top);
});

test('the keys of messages work where nothing has the focus, unless single keys are off', async () => {
  await openWindow(bridge);
  await open(/^Ben Member/, 'Ben Member');
  await expect.element(message('message 60')).toBeVisible();
  clickBeside();
  await userEvent.keyboard('k');
  await expect.element(message('message 59')).toHaveFocus();
  clickBeside();
  await bridge.setPreferences({ singleKeys: false });
  await userEvent.keyboard('k');
  expect(document.activeElement).toBe(document.body);
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(message('message 58')).toHaveFocus();
});

test('a list in which nothing can be written yet is for reading: its row leads to the messages', async () => {
  await openWindow(bridge);
  await open(/^Combined feed/, 'Combined feed');
  await expect.element(message('message 60')).toHaveFocus();
});

test('in a narrow window Back gives the focus to the row that one came from', async () => {
  await openWindow(bridge, { width: 400, height: 640 });
  await open(/^Ben Member/, 'Ben Member');
  await page.getByRole('main').getByRole('button', { name: 'Back' }).click();
  await expect.element(heading('Ben Member')).not.toBeInTheDocument();
  await expect.element(row(/^Ben Member/)).toHaveFocus();
});

test('a dialog that Escape calls off while it is on its way does not open', async () => {
  await openWindow(bridge);
  await expect.element(heading('Inbox')).toBeVisible();
  const press = (key: string) => {
    const stroke = { key, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new KeyboardEvent('keydown', stroke));
  };
  // In one task: nothing can have been loaded between the two.
  press('?');
  press('Escape');
  await import('#renderer/views/shell/shortcut-list.svelte');
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
  expect(page.getByRole('dialog').elements()).toEqual([]);
  await expect.element(heading('Inbox')).toBeVisible();
  await userEvent.keyboard('?');
  await expect.element(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
});
