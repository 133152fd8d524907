/** Long messages are folded, and unfolded without the reader being taken elsewhere. */
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { BridgeDouble, withPeople } from '#test/support/window/bridge-double.ts';
import { isAtEnd, openConversation, scroller, settled, wheelTo } from './open-conversation.ts';

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble();
});

const ben = withPeople(9);
const read = { isRead: true };
const tenKilobytes = 'noodles and soup '.repeat(600);
const lines = Array.from({ length: 300 }, (_, line) => `line ${String(line)}`).join('\n');
const block = `<div class="codehilite"><pre><span></span><code>${lines}\n</code></pre></div>`;

const button = (name: string) => page.getByRole('button', { name, exact: true });
const row = (id: number): HTMLElement => {
  const found = document.querySelector<HTMLElement>(`[data-message-id="${String(id)}"]`);
  if (found === null) throw new Error(`the message ${String(id)} is not drawn`);
  return found;
};
const fill = (count: number): void => {
  for (let i = 1; i <= count; i += 1) bridge.store(ben, `message ${String(i)}`, read);
};

test.each([
  ['a message of 10 kB', tenKilobytes],
  ['a block of 300 lines', block],
])('%s is folded until all of it is asked for', async (_what, rendered) => {
  bridge.store(ben, rendered, read);
  bridge.store(ben, 'short', read);
  await openConversation(bridge, ben);
  const all = button('Show all');
  await expect.element(all).toHaveAttribute('aria-expanded', 'false');
  expect(all.elements()).toHaveLength(1);
  expect(scroller().scrollHeight).toBeLessThanOrEqual(scroller().clientHeight);
  await all.click();
  const less = button('Show less');
  await expect.element(less).toHaveAttribute('aria-expanded', 'true');
  await expect.poll(() => scroller().scrollHeight).toBeGreaterThan(1000);
  await less.click();
  await expect.element(all).toBeVisible();
});

test('what is unfolded stays where it was, by key too, and what is folded up is brought back', async () => {
  fill(20);
  const { id } = bridge.store(ben, tenKilobytes, read);
  fill(20);
  await openConversation(bridge, ben);
  await expect.poll(isAtEnd).toBe(true);
  await settled();
  while (document.querySelector(`[data-message-id="${String(id)}"]`) === null) {
    wheelTo(scroller().scrollTop - 300);
    await settled();
  }
  // Its beginning is above the window already.
  wheelTo(scroller().scrollTop + row(id).getBoundingClientRect().top - 40);
  await settled();
  row(id).focus();
  const control = row(id).querySelector<HTMLElement>('[aria-expanded]');
  while (document.activeElement !== control) await userEvent.keyboard('{Tab}');
  await settled();
  const { top } = row(id).getBoundingClientRect();
  await userEvent.keyboard('{Enter}');
  await expect.element(button('Show less')).toHaveFocus();
  await settled();
  expect(Math.abs(row(id).getBoundingClientRect().top - top)).toBeLessThan(2);
  expect(isAtEnd()).toBe(false);

  wheelTo(scroller().scrollTop + 600);
  await settled();
  await userEvent.keyboard('{Enter}');
  await settled();
  const { top: frame } = scroller().getBoundingClientRect();
  expect(Math.abs(row(id).getBoundingClientRect().top - frame)).toBeLessThan(2);
});

test('Tab unfolds what it goes into, and a new message at the end is still read', async () => {
  const link = '<p><a href="https://example.com/end">the end</a></p>';
  const rendered = `${'<p>noodles</p>'.repeat(100)}${link}`;
  const { id } = bridge.store(ben, rendered, read);
  const unread = bridge.store(ben, 'just now');
  await openConversation(bridge, ben);
  await expect.element(button('Show all')).toBeVisible();
  await expect.poll(() => JSON.stringify(bridge.argsOf('markRead'))).toContain(String(unread.id));
  row(id).focus();
  while (document.activeElement?.textContent !== 'the end') await userEvent.keyboard('{Tab}');
  await expect.element(button('Show less')).toBeInTheDocument();
});
