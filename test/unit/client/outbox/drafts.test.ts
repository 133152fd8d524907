import { expect, test } from 'vitest';
import { createDrafts } from '#client/outbox/drafts.ts';
import { createMemoryOutbox } from '#client/outbox/memory-outbox.ts';
import { OutboxError, type OutboxStore } from '#client/outbox/outbox-store.ts';
import type { StoredDraft } from '#shared/bridge/models/client.ts';

const draft = (key: string, changedAtSeconds: number, more: Partial<StoredDraft> = {}) => ({
  key,
  view: { kind: 'private' as const, userIds: [1] },
  topic: null,
  content: key,
  changedAtSeconds,
  ...more,
});

function world(store: OutboxStore = createMemoryOutbox()) {
  const told: (readonly string[])[] = [];
  const drafts = createDrafts({ store, changed: (list) => told.push(list.map(({ key }) => key)) });
  const keys = (): readonly string[] => drafts.list().map(({ key }) => key);
  return { store, drafts, told, keys };
}

test('drafts are on disk when they are saved, and listed by their newest change', () => {
  const { store, drafts, told, keys } = world();
  for (const each of [draft('a', 1), draft('b', 3), draft('c', 2)]) drafts.save(each);
  expect(keys()).toEqual(['b', 'c', 'a']);
  expect(store.listDrafts()).toHaveLength(3);
  drafts.save(draft('a', 4, { content: 'changed' }));
  expect(told.at(-1)).toEqual(['a', 'b', 'c']);
  expect(world(store).drafts.list()).toEqual(drafts.list());
});

test.each([
  ['nothing is left', { content: ' \n', topic: null }, 0],
  ['a topic is left', { content: '', topic: 'plans' }, 1],
  ['only blanks are the topic', { content: '', topic: ' ' }, 0],
])('where %s the draft is kept accordingly', (_, more, count) => {
  const { store, drafts } = world();
  drafts.save(draft('a', 1));
  drafts.save(draft('a', 2, more));
  expect([store.listDrafts().length, drafts.list().length]).toEqual([count, count]);
});

test('an empty draft of a place that has none changes nothing', () => {
  const { drafts, told } = world();
  expect(drafts.save(draft('a', 1, { content: '' })).ok).toBe(true);
  expect(told).toEqual([]);
});

test('a draft that was sent is forgotten', () => {
  const { drafts, told } = world();
  drafts.save(draft('a', 1));
  drafts.forget('a');
  drafts.forget('a');
  expect(told).toEqual([['a'], []]);
});

test('a disk that takes nothing is told with its sentence, and what is listed is what is kept', () => {
  const putDraft = (): never => {
    throw new OutboxError('DISK_FULL', 'The disk is full.');
  };
  const { drafts, keys } = world({ ...createMemoryOutbox(), putDraft });
  expect(drafts.save(draft('a', 1))).toMatchObject({
    failure: { code: 'DISK_FULL', message: 'The disk is full.' },
  });
  expect(keys()).toEqual([]);
});

test('drafts that come from elsewhere are told once', () => {
  const kept = createMemoryOutbox();
  let arrive = (): void => undefined;
  const { drafts, told } = world({
    ...kept,
    onArrival: (listener) => {
      arrive = listener;
      return () => undefined;
    },
  });
  kept.putDraft(draft('b', 1));
  arrive();
  arrive();
  expect(told).toEqual([['b']]);
  expect(drafts.list()).toEqual([draft('b', 1)]);
});
