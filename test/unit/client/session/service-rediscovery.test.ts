import { describe, expect, test } from 'vitest';
import { failure, success } from '#shared/bridge/outcome.ts';
import { AddressSearch } from '#client/session/service-rediscovery.ts';
import type { ApiOutcome } from '#client/transport/answers.ts';
import { FakeClock, settle } from '#test/support/fake-clock.ts';

type Answer = ApiOutcome<null> | 'silent';
const found = success(null);
const nobody = failure('UNREACHABLE', 'nobody');

function searchOver(
  answers: Readonly<Record<string, Answer>>,
  forwarding: Readonly<Record<string, readonly string[]>> = {},
) {
  let forwarded: readonly string[] = [];
  const clock = new FakeClock();
  const serverAddress = { address: 'a', others: () => ['b', 'c'] };
  const asked: string[] = [];
  const ended: string[] = [];
  const moved: string[] = [];
  const search = new AddressSearch({
    serverAddress,
    clock,
    meetAt: (address, signal) => {
      asked.push(address);
      forwarded = forwarding[address] ?? forwarded;
      signal.addEventListener('abort', () => ended.push(address));
      const answer = answers[address] ?? nobody;
      if (answer !== 'silent') return Promise.resolve(answer);
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(nobody));
      });
    },
    forwarded: () => forwarded,
    moved: (address) => moved.push(address),
  });
  const asking = new AbortController();
  return {
    clock,
    place: serverAddress,
    asked,
    ended,
    moved,
    asking,
    meet: () => search.meet(asking.signal),
  };
}

describe('an office that is looked for', () => {
  test('an office that answers where it was is looked for nowhere else', async () => {
    const { asked, moved, meet } = searchOver({ a: found, b: found });
    expect(await meet()).toEqual(found);
    expect([asked, moved]).toEqual([['a'], []]);
  });

  test('an office is taken at the address that answers first, and the others are left alone', async () => {
    const { place, moved, ended, meet } = searchOver({ b: 'silent', c: found });
    expect(await meet()).toEqual(found);
    expect([place.address, moved]).toEqual(['c', ['c']]);
    expect(ended).toContain('b');
  });

  test('an office is not waited for where nobody says a word', async () => {
    const { clock, place, asked, meet } = searchOver({ a: 'silent', b: found });
    const meeting = meet();
    await settle();
    expect(asked).toEqual(['a']);
    await clock.advance(1_500);
    expect(await meeting).toEqual(found);
    expect(place.address).toBe('b');
  });

  test('an office is told apart from a computer that it has left', async () => {
    const left = failure('LEFT_BEHIND', 'goes on elsewhere');
    const { place, meet } = searchOver({ a: left, b: left, c: found });
    expect(await meet()).toEqual(found);
    expect(place.address).toBe('c');
  });

  test('an office is followed to where a computer that it has left says that it is', async () => {
    const left = failure('LEFT_BEHIND', 'goes on elsewhere');
    const here = searchOver({ a: left, d: found }, { a: ['d'] });
    expect(await here.meet()).toEqual(found);
    expect([here.place.address, here.asked]).toEqual(['d', ['a', 'd', 'b', 'c']]);
    // The same where it is not the address in use that says so.
    const there = searchOver({ a: nobody, c: left, d: found }, { c: ['a', 'd'] });
    expect(await there.meet()).toEqual(found);
    expect([there.place.address, there.asked]).toEqual(['d', ['a', 'b', 'c', 'd']]);
    const nowhere = searchOver({ a: left, d: left }, { a: ['d'] });
    expect(await nowhere.meet()).toEqual(left);
    expect(nowhere.place.address).toBe('a');
  });

  test('an office that is nowhere stays where it was, with what is wrong there', async () => {
    const other = failure('UNREACHABLE', 'another key');
    const { place, moved, meet } = searchOver({ a: other });
    expect(await meet()).toEqual(other);
    expect([place.address, moved]).toEqual(['a', []]);
  });

  test('an office that says what is wrong itself is not looked for elsewhere', async () => {
    const busy = failure('RATE_LIMIT_HIT', 'later');
    const { asked, meet } = searchOver({ a: busy, b: found });
    expect(await meet()).toEqual(busy);
    expect(asked).toEqual(['a']);
  });

  test('an office is looked for no longer once nobody waits for it', async () => {
    const { clock, asking, asked, meet } = searchOver({ a: 'silent', b: found });
    const meeting = meet();
    await settle();
    asking.abort();
    expect(await meeting).toEqual(nobody);
    expect(asked).toEqual(['a']);
    expect(clock.pending).toEqual([]);
  });
});
