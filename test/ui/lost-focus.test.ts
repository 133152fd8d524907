import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { restoreLostFocus } from '#renderer/views/shell/focus-keeper.ts';

const row = (id: number): HTMLElement => {
  const found = document.querySelector<HTMLElement>(`[data-message-id="${String(id)}"]`);
  if (found === null) throw new Error(`no row ${String(id)}`);
  return found;
};
const focusedId = (): string | undefined => {
  const { activeElement } = document;
  return activeElement instanceof HTMLElement ? activeElement.dataset['messageId'] : undefined;
};
const frame = (): Promise<number> => new Promise(requestAnimationFrame);
/** Long enough for a look a frame after each change. */
const frames = async (): Promise<void> => {
  for (let i = 0; i < 4; i += 1) await frame();
};

let list: HTMLElement;
beforeEach(async () => {
  const rows = [1, 2, 3].map(
    (id) => `<div data-message-id="${String(id)}" tabindex="-1">row</div>`,
  );
  document.body.innerHTML = `<main tabindex="-1"><div data-region="messages"><div role="list">${rows.join('')}</div></div></main>`;
  list = document.querySelector<HTMLElement>('[role="list"]') ?? document.body;
  onTestFinished(restoreLostFocus());
  row(2).focus();
  await frames();
});

test('with its row gone the focus goes to a message in sight', async () => {
  row(2).remove();
  await expect.poll(focusedId).toBe('1');
});

test('a list that is about to take the focus is left alone until it has', async () => {
  list.dataset['awaitsFocus'] = '';
  row(2).remove();
  await frames();
  expect(document.activeElement).toBe(document.body);
  row(3).focus();
  delete list.dataset['awaitsFocus'];
  await frames();
  expect(focusedId()).toBe('3');
});

test('a list that does not take the focus after all leaves it to the next one', async () => {
  list.dataset['awaitsFocus'] = '';
  row(2).remove();
  await frames();
  delete list.dataset['awaitsFocus'];
  await expect.poll(focusedId).toBe('1');
});
