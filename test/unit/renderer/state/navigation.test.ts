import { expect, test } from 'vitest';
import { Navigation } from '#renderer/state/places/navigation.svelte.ts';
import { stream, withPeople } from '#test/support/window/bridge-double.ts';

const search = { kind: 'search', terms: [{ operator: 'search', operand: 'x' }] } as const;
const everywhere = { findAnyStream: () => stream(1, 'general') };

test('coming back to results comes back to the one that was opened', () => {
  const navigation = new Navigation(everywhere);
  navigation.go(search);
  navigation.go(withPeople(9), 42);
  navigation.goBack();
  expect(navigation.place).toEqual(search);
  expect(navigation.messageId).toBe(42);
  navigation.goForward();
  expect(navigation.place).toEqual(withPeople(9));
});

test('a conversation opens where reading stopped, however one came back', () => {
  const navigation = new Navigation(everywhere);
  navigation.go(withPeople(9));
  navigation.go(withPeople(10), 7);
  navigation.goBack();
  expect(navigation.messageId).toBeNull();
});

test('places are remembered once, latest first, without the one that is shown', () => {
  const navigation = new Navigation(everywhere);
  for (const id of [9, 10, 9, 11]) navigation.go(withPeople(id));
  expect(navigation.visited).toEqual([withPeople(9), withPeople(10), { kind: 'inbox' }]);
});

const gone = { kind: 'stream', streamId: 4, topic: null } as const;

test('a stream that is not there is said to be missing, and nobody comes back to it', () => {
  const navigation = new Navigation({ findAnyStream: () => undefined });
  navigation.go(gone);
  expect(navigation.place).toEqual({ kind: 'missing' });
  expect(navigation.view).toBeNull();
  navigation.go(withPeople(9));
  expect(navigation.visited).toEqual([{ kind: 'inbox' }]);
  navigation.goBack();
  expect(navigation.place).toEqual({ kind: 'inbox' });
});

test('a window that was left in a stream that is gone since opens at the inbox', () => {
  const navigation = new Navigation({ findAnyStream: () => undefined });
  navigation.restore(gone);
  expect(navigation.place).toEqual({ kind: 'inbox' });
  navigation.go(gone);
  expect(navigation.place).toEqual({ kind: 'missing' });
});
