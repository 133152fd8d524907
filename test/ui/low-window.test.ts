/** A window of 1,100 by 720 pixels at three times the size: what is left of it is 367 by 240. */
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { account, BridgeDouble, inTopic } from '../support/window/bridge-double.ts';
import { messageList, open, openWindow, textBox } from './open-window.ts';

/** How much of it is seen, from its top to its bottom. */
function seen(element: Element): number {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const middle = (left + right) / 2;
  let rows = 0;
  for (let y = Math.max(top, 0); y < Math.min(bottom, innerHeight); y += 1) {
    const found = document.elementFromPoint(middle, y);
    if (found !== null && element.contains(found)) rows += 1;
  }
  return rows;
}

test('lines of messages stay in sight of a low window, and a notice leaves the field whole', async () => {
  const bridge = new BridgeDouble();
  for (let i = 0; i < 20; i += 1)
    bridge.store(inTopic(1, 'lunch'), `noodles ${String(i)}`, { isRead: true });
  await openWindow(bridge, { width: 367, height: 240 });
  await open(/^general/, 'general');
  await expect.element(page.getByText('noodles 19')).toBeVisible();
  const field = textBox().element();
  expect(seen(messageList().element())).toBeGreaterThanOrEqual(60);
  expect(seen(field)).toBe(Math.ceil(field.getBoundingClientRect().height));
  const reason =
    'The computer that hosts Office does not answer, and nobody knows of another address.';
  bridge.push('connectionChanged', {
    accountId: account.id,
    connection: { state: 'offline', liveUntilSeconds: 1_767_700_000, reason },
  });
  await expect.element(page.getByText(/nobody knows of another address/)).toBeVisible();
  const last = page.getByText('noodles 19').element();
  await expect.poll(() => seen(last)).toBeGreaterThan(10);
  expect(seen(field)).toBe(Math.ceil(field.getBoundingClientRect().height));
});
