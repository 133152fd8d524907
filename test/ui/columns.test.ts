import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { account, BridgeDouble, inTopic, withPeople } from '../support/window/bridge-double.ts';
import { heading, messageList, open, openWindow, row, textBox } from './open-window.ts';

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble();
  bridge.store(inTopic(1, 'lunch'), 'noodles?');
  bridge.store(inTopic(1, 'deploys'), 'done');
  bridge.store(withPeople(9), 'hello Ada');
});

test('a narrow window shows one column at a time, with Back', async () => {
  await openWindow(bridge, { width: 360, height: 640 });
  await expect.element(row(/general/)).toBeVisible();
  await expect.element(textBox()).not.toBeInTheDocument();
  expect(bridge.argsOf('showView').at(-1)?.[1]).toBeNull();
  await row(/general/).click();
  await expect.element(messageList()).toBeVisible();
  await expect.element(textBox()).toHaveFocus();
  await page.getByRole('button', { name: 'Back' }).click();
  await expect.element(row(/general/)).toBeVisible();
  await expect.element(textBox()).not.toBeInTheDocument();
});

test.each([360, 320])('nothing is wider than a window of %i px', async (width) => {
  bridge.store(
    inTopic(1, 'lunch'),
    `<p>${'long'.repeat(80)}</p><div class="codehilite"><pre><code>${'wide '.repeat(80)}</code></pre></div>`,
  );
  await openWindow(bridge, { width, height: 640 });
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  await row(/general/).click();
  await expect.element(messageList()).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  expect(document.querySelector('.scroller')?.scrollWidth).toBeLessThanOrEqual(width);
});

test('the left column is made wider by keys and pointer, and the width is kept', async () => {
  await openWindow(bridge);
  const separator = page.getByRole('separator', { name: 'Width of the left column' });
  await expect.element(separator).toHaveAttribute('aria-valuenow', '256');
  (separator.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}{ArrowRight}');
  await expect.element(separator).toHaveAttribute('aria-valuenow', '272');
  await userEvent.keyboard('{End}');
  await expect.element(separator).toHaveAttribute('aria-valuenow', '400');
  expect(bridge.argsOf('setPreferences').at(-1)).toEqual([{ sidebarWidth: 400 }]);
  expect(page.getByRole('navigation').element().getBoundingClientRect().width).toBe(400);
});

test('both columns can be hidden by keys, and come back by button', async () => {
  await openWindow(bridge);
  await expect.element(heading('Inbox')).toBeVisible();
  await userEvent.keyboard('{Control>}{Shift>}.{/Shift}{/Control}');
  await expect.element(page.getByRole('complementary')).toBeVisible();
  await userEvent.keyboard('{Control>}{Shift>}s{/Shift}{/Control}');
  await expect.element(page.getByRole('navigation')).not.toBeInTheDocument();
  await userEvent.keyboard('{Control>}{Shift>}.{/Shift}{/Control}');
  await expect.element(page.getByRole('complementary')).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Show the left column' }).click();
  await expect.element(page.getByRole('navigation')).toBeVisible();
  await page.getByRole('button', { name: 'Show people and details' }).click();
  await expect.element(page.getByRole('complementary')).toBeVisible();
});

test.each([1100, 900])(
  'the right column of a window of %i px is closed until it is asked for',
  async (width) => {
    await openWindow(bridge, { width, height: 700 });
    await open(/^Ben Member/, 'Ben Member');
    const column = page.getByRole('complementary');
    await expect.element(column).not.toBeInTheDocument();
    await page.getByRole('button', { name: 'People and details' }).click();
    // In a conversation of two it is the profile of the other.
    await expect.element(column.getByText('ben@example.com')).toBeVisible();
    await column.getByRole('button', { name: 'Back to the list' }).click();
    await expect.element(column.getByRole('textbox', { name: 'Filter people' })).toBeVisible();
  },
);

test('in a narrow window the right column covers the rest: keys stay in it, and go back when it is closed', async () => {
  await openWindow(bridge, { width: 400, height: 700 });
  await open(/^general/, 'general');
  const main = page.getByRole('main');
  const opener = page.getByRole('button', { name: 'People and details' });
  await opener.click();
  const column = page.getByRole('complementary');
  await expect.element(column.getByRole('button', { name: /^Hide/ })).toHaveFocus();
  // Whoever goes on with Tab meets nothing that cannot be seen.
  expect((main.element() as HTMLElement).inert).toBe(true);
  await userEvent.keyboard('{Escape}');
  await expect.element(column).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
  await opener.click();
  await expect.element(column).toBeVisible();
  bridge.push('linkOpened', {
    accountId: account.id,
    fragment: '#narrow/stream/1-general/topic/lunch',
  });
  await expect.element(heading(/lunch/)).toBeVisible();
  await expect.element(column).not.toBeInTheDocument();
});
