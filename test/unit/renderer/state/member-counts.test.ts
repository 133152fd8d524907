import { expect, test } from 'vitest';
import { failure, success, type Outcome } from '#shared/bridge/outcome.ts';
import { MemberCounts } from '#renderer/state/member-counts.ts';
import { account, BridgeDouble } from '#test/support/window/bridge-double.ts';

const two = { subscribers: ['ada@example.com', 'ben@example.com'] };
const asked = (bridge: BridgeDouble): readonly number[] =>
  bridge.requestsOf('streams.members').map((args) => (args as { streamId: number }).streamId);

test('streams are asked for one after the other, and not once nobody looks at them', async () => {
  const bridge = new BridgeDouble();
  const answers: (() => void)[] = [];
  bridge.answer('request', async () => {
    await new Promise<void>((resolve) => answers.push(resolve));
    return success(two as never);
  });
  const counts = new MemberCounts(bridge, account.id);
  counts.look(1, 0);
  const lookAway = counts.look(2, 0);
  counts.look(3, 0);
  expect(asked(bridge)).toEqual([1]);
  expect(counts.of(1)).toBeNull();
  lookAway();
  answers.pop()?.();
  await expect.poll(() => counts.of(1)).toBe(2);
  expect(asked(bridge)).toEqual([1, 3]);
  counts.look(1, 0);
  answers.pop()?.();
  await expect.poll(() => counts.of(3)).toBe(2);
  counts.look(2, 0);
  await expect.poll(() => asked(bridge)).toEqual([1, 3, 2]);
});

test('what could not be answered is asked for again by the next look', async () => {
  const bridge = new BridgeDouble();
  let outcome: Outcome<unknown> = failure('UNREACHABLE', 'The service does not answer.');
  bridge.answerRequest('streams.members', () => outcome);
  const counts = new MemberCounts(bridge, account.id);
  counts.look(1, 0);
  await expect.poll(() => asked(bridge)).toEqual([1]);
  outcome = success(two);
  await expect
    .poll(() => {
      counts.look(1, 0);
      return counts.of(1);
    })
    .toBe(2);
  expect(asked(bridge)).toEqual([1, 1]);
});

test('a stream that people joined or left is counted again, also while it is being counted', async () => {
  const bridge = new BridgeDouble();
  const answers: ((value: Outcome<never>) => void)[] = [];
  bridge.answer('request', () => new Promise((resolve) => answers.push(resolve)));
  const counts = new MemberCounts(bridge, account.id);
  counts.look(1, 0);
  counts.look(1, 1);
  answers[0]?.(success(two as never));
  await expect.poll(() => counts.of(1)).toBe(2);
  expect(asked(bridge)).toEqual([1, 1]);
  answers[1]?.(success({ subscribers: ['ada@example.com'] } as never));
  await expect.poll(() => counts.of(1)).toBe(1);
  counts.look(1, 1);
  expect(asked(bridge)).toEqual([1, 1]);
});
