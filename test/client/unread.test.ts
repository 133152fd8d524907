import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createUnread } from '../../src-main/client/unread.ts';
import type { Conversation, ShownMessage, View } from '../../src-main/contract/models/client.ts';
import { conversationKey, isInView } from '../../src-main/contract/models/client.ts';
import { shown } from '../support/builders.ts';

const conversations: readonly Conversation[] = [
  { kind: 'private', userIds: [] },
  { kind: 'private', userIds: [2] },
  { kind: 'private', userIds: [2, 3] },
  { kind: 'stream', streamId: 1, topic: 'lunch' },
  { kind: 'stream', streamId: 1, topic: 'Lunch ' },
  { kind: 'stream', streamId: 1, topic: 'deploy' },
  { kind: 'stream', streamId: 11, topic: 'lunch' },
];
const views: readonly (View | null)[] = [
  null,
  ...conversations,
  { kind: 'stream', streamId: 1, topic: null },
];

type Step =
  | { readonly kind: 'arrive'; readonly message: ShownMessage }
  | { readonly kind: 'show'; readonly view: View | null }
  | { readonly kind: 'focus'; readonly isFocused: boolean };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc
      .record({
        conversation: fc.constantFrom(...conversations),
        isOwn: fc.boolean(),
        isRead: fc.boolean(),
      })
      .map((more): Step => ({ kind: 'arrive', message: shown(1, more) })),
    fc.constantFrom(...views).map((view): Step => ({ kind: 'show', view })),
    fc.boolean().map((isFocused): Step => ({ kind: 'focus', isFocused })),
  ),
);

/** Every message with a mark of its own. */
class NaiveUnread {
  #messages: Conversation[] = [];
  #view: View | null = null;
  isFocused = false;

  step(step: Step): void {
    if (step.kind === 'arrive') this.#arrive(step.message);
    if (step.kind === 'show') this.#view = step.view;
    if (step.kind === 'focus') this.isFocused = step.isFocused;
    if (step.kind === 'show' || (step.kind === 'focus' && step.isFocused)) this.#read();
  }

  counts(): Record<string, number> {
    const keys = this.#messages.map(conversationKey);
    return Object.fromEntries(keys.map((key) => [key, keys.filter((k) => k === key).length]));
  }

  #arrive({ isOwn, isRead, conversation }: ShownMessage): void {
    const isSeen = this.isFocused && this.#view !== null && isInView(conversation, this.#view);
    if (!isOwn && !isRead && !isSeen) this.#messages.push(conversation);
  }

  #read(): void {
    const view = this.#view;
    if (view !== null) this.#messages = this.#messages.filter((each) => !isInView(each, view));
  }
}

test('counts agree with a mark per message, whatever arrives, is shown and is focused', () => {
  fc.assert(
    fc.property(steps, (sequence) => {
      const naive = new NaiveUnread();
      const unread = createUnread(() => naive.isFocused);
      for (const step of sequence) {
        const before = unread.counts();
        naive.step(step);
        const isChanged =
          step.kind === 'arrive'
            ? unread.add(step.message)
            : step.kind === 'show'
              ? unread.show(step.view)
              : step.isFocused && unread.attend();
        expect(unread.counts()).toEqual(naive.counts());
        expect(isChanged).toBe(JSON.stringify(before) !== JSON.stringify(unread.counts()));
      }
    }),
  );
});

test('the message of a conversation that is shown in a focused window is read', () => {
  const unread = createUnread(() => true);
  unread.show({ kind: 'private', userIds: [2] });
  unread.add(shown(1));
  expect(unread.counts()).toEqual({});
});

test('the message of a conversation that is shown in a window behind others is unread until it is looked at', () => {
  const unread = createUnread(() => false);
  unread.show({ kind: 'private', userIds: [2] });
  unread.add(shown(1));
  expect(unread.counts()).toEqual({ 'private:2': 1 });
  unread.attend();
  expect(unread.counts()).toEqual({});
});
