import { expect, test } from 'vitest';
import { failure, success, type Outcome } from '#shared/bridge/outcome.ts';
import { LoadedList } from '#renderer/state/loaded-list.svelte.ts';

const refused = failure('BAD_REQUEST', 'It is not there any more.');

function heldList(): {
  readonly list: LoadedList<string>;
  readonly answers: ((outcome: Outcome<readonly string[]>) => void)[];
} {
  const answers: ((outcome: Outcome<readonly string[]>) => void)[] = [];
  const list = new LoadedList<string>(() => new Promise((resolve) => answers.push(resolve)));
  return { list, answers };
}

test('a list is asked for anew after a change, and the newest answer holds', async () => {
  const { list, answers } = heldList();
  const first = list.load();
  expect(list.items).toBeNull();
  const changed = list.change(async () => success(null));
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.(success(['b']));
  await changed;
  answers[0]?.(success(['a', 'b']));
  await first;
  expect(list.items).toEqual(['b']);
  expect(list.failure).toBe('');
});

test('what is refused says why, and the list stays', async () => {
  const { list, answers } = heldList();
  const loaded = list.load();
  answers[0]?.(success(['a']));
  await loaded;
  await list.change(async () => refused);
  expect(list.failure).toBe('It is not there any more.');
  const again = list.load();
  answers[1]?.(refused);
  await again;
  expect(list.failure).toBe('This could not be loaded. It is not there any more.');
  expect(list.items).toEqual(['a']);
});
