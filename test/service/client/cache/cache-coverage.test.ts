import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { NEWEST_ANCHOR } from '#shared/api/codecs.ts';
import {
  above,
  coveredFrom,
  covers,
  FOREVER,
  type Interval,
  withInterval,
} from '#client/cache/coverage.ts';
import type { Cache, PageCoverageScope, PageQuery, CoverageScope } from '#client/cache/port.ts';
import { openSqliteCache } from '#desktop/storage/cache/sqlite-cache.ts';
import { cachedMessageOf, cacheScope } from '#test/support/client/kept-messages.ts';
import { shortOrLong } from '#test/support/long.ts';

describe('intervals', () => {
  const bound = fc.nat(12);
  const interval = fc.tuple(bound, bound).map(([a, b]): Interval => [a, b]);

  test('intervals know what a set of ids knows', () => {
    fc.assert(
      fc.property(fc.array(interval), bound, interval, (added, cut, [from, through]) => {
        const ids = new Set<number>();
        let intervals: readonly Interval[] = [];
        for (const each of added) {
          intervals = withInterval(intervals, each);
          for (let id = each[0]; id <= each[1]; id += 1) ids.add(id);
        }
        intervals = above(intervals, cut);
        for (const id of ids) if (id <= cut) ids.delete(id);
        const wanted = Array.from({ length: Math.max(0, through - from + 1) }, (_, i) => from + i);
        expect(covers(intervals, from, through)).toBe(wanted.every((id) => ids.has(id)));
        intervals.forEach(([start, end], index) => {
          expect(start).toBeLessThanOrEqual(end);
          expect(start).toBeGreaterThan((intervals[index - 1]?.[1] ?? -2) + 1);
        });
      }),
    );
  });

  test.each<readonly [readonly Interval[], number | null]>([
    [[], null],
    [[[0, 9]], null],
    [[[5, FOREVER]], 5],
    [
      [
        [0, 3],
        [5, FOREVER],
      ],
      5,
    ],
  ])('%j is complete from %j', (intervals, expected) => {
    expect(coveredFrom(intervals)).toBe(expected);
  });
});

interface Truth {
  readonly id: number;
  /** Null for a private message. */
  readonly streamId: number | null;
  /** The account may read it without holding it, in streams only. */
  readonly isHeld: boolean;
}

/** A place, or how far a page without one reaches. */
type Where = CoverageScope | { readonly kind: 'subscribed' } | { readonly kind: 'readable' };

const followed = { kind: 'subscribed', streamIds: [1, 2] } as const;

/** A service that is an array. Streams 1 and 2 are followed, what is in stream 3 only some messages of is held. */
class World {
  readonly cache: Cache;
  messages: Truth[] = [];
  newestId = 0;

  constructor(cache: Cache) {
    this.cache = cache;
  }

  isIn({ streamId, isHeld }: Truth, place: Where): boolean {
    if (place.kind === 'held') return isHeld;
    if (place.kind === 'subscribed') return isHeld || streamId === 1 || streamId === 2;
    if (place.kind === 'readable') return true;
    return place.kind === 'private' ? streamId === null : streamId === place.streamId;
  }

  /** What was there before the account came. */
  begin(messages: readonly Omit<Truth, 'id'>[]): void {
    for (const message of messages) this.add(message);
    this.save();
  }

  add(message: Omit<Truth, 'id'>): Truth {
    this.newestId += 1;
    const added = { ...message, id: this.newestId };
    this.messages.push(added);
    return added;
  }

  /** No event tells of streams that are not followed. */
  arrive({ streamId }: Pick<Truth, 'streamId'>): void {
    const isHeld = streamId !== 3;
    const { id } = this.add({ streamId, isHeld });
    if (!isHeld) return;
    this.cache.put([wire({ id, streamId, isHeld })]);
    this.save();
  }

  fetch(place: PageCoverageScope, anchor: number, count: number): void {
    const all = this.messages.filter((message) => this.isIn(message, place));
    const isNewest = anchor > this.newestId;
    const older = all.filter(({ id }) => id <= anchor).slice(-count);
    const isOldest = older.length < count;
    const fromId = isOldest ? 0 : (older[0]?.id ?? 0);
    const throughId = isNewest ? this.newestId : anchor;
    this.cache.putRange(place, older.map(wire), { fromId, throughId });
  }

  look(anchor: number, count: number): void {
    this.cache.put(
      this.messages
        .filter(({ id }) => id >= anchor)
        .slice(0, count)
        .map(wire),
    );
  }

  /** Whoever does not hold a message is not told that it is gone. */
  delete(index: number): void {
    const [gone] = this.messages.splice(index % Math.max(1, this.messages.length), 1);
    if (gone?.isHeld === true) {
      this.cache.apply({ type: 'delete_message', message_id: gone.id });
    }
  }

  /** The queue is lost, and with it what happened meanwhile. */
  miss(added: readonly Omit<Truth, 'id'>[], deleted: number): void {
    for (let count = 0; count < deleted; count += 1) this.messages.splice(count * 2, 1);
    for (const message of added) this.add(message);
    this.cache.transact(() => {
      this.cache.forgetCoverage();
      this.save();
    });
  }

  shrink(): void {
    this.cache.shrinkTo(this.cache.size().bytes * 0.7);
  }

  save(): void {
    const liveUntilSeconds = 1;
    const newestMessageId = this.newestId;
    this.cache.saveSession({ queueId: 'q', lastEventId: 1, newestMessageId, liveUntilSeconds }, {});
  }

  /** What the service would give. */
  page(query: PageQuery, place: Where): readonly number[] {
    const [from = 0, before = Infinity] = timesOf(query);
    const ids = this.messages
      .filter((message) => this.isIn(message, place))
      .map(({ id }) => id)
      .filter((id) => sentAt(id) >= from && sentAt(id) < before);
    const anchor = query.anchor === 'newest' ? Infinity : Number(query.anchor);
    return [
      ...lastOf(
        ids.filter((id) => id < anchor),
        query.numBefore,
      ),
      ...ids.filter((id) => id === anchor),
      ...ids.filter((id) => id > anchor).slice(0, anchor === Infinity ? 0 : query.numAfter),
    ];
  }
}

const lastOf = (ids: readonly number[], count: number): readonly number[] =>
  count === 0 ? [] : ids.slice(-count);

/** Several hours, in which the clock is set back now and then. */
const sentAt = (id: number): number => 1_700_000_000 + id * 900 - (id % 7 === 3 ? 4000 : 0);

const wire = ({ id, streamId, isHeld }: Truth) => ({
  ...cachedMessageOf(id, { streamId, isHeld }),
  timestamp: sentAt(id),
});

/** Between which times a query asks, in its last term. */
function timesOf({ narrow }: PageQuery): readonly number[] {
  const { operator, operand } = narrow.at(-1) ?? {};
  return operator === 'sent-within' && Array.isArray(operand) ? operand.map(Number) : [0, Infinity];
}

const streamId = fc.constantFrom(1, 1, 2, 3, null);
const old = streamId.chain((stream) =>
  fc.record({
    streamId: fc.constant(stream),
    isHeld: stream === null ? fc.constant(true) : fc.boolean(),
  }),
);
const place: fc.Arbitrary<CoverageScope> = fc.constantFrom(
  { kind: 'held' },
  { kind: 'private' },
  { kind: 'stream', streamId: 1 },
  { kind: 'stream', streamId: 2 },
  { kind: 'stream', streamId: 3 },
);
const where: fc.Arbitrary<Where> = fc.oneof(
  { weight: 5, arbitrary: place },
  { weight: 3, arbitrary: fc.constant({ kind: 'subscribed' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'readable' as const }) },
);
/** What has to be here for it. */
const placesOf = (asked: Where): readonly CoverageScope[] =>
  asked.kind === 'subscribed' || asked.kind === 'readable'
    ? [{ kind: 'held' }, { kind: 'stream', streamId: 1 }, { kind: 'stream', streamId: 2 }]
    : [asked];
const anchor = fc.oneof(fc.constant(1e9), fc.nat(60));
const step: fc.Arbitrary<(world: World) => void> = fc.oneof(
  streamId.map((id) => (world: World) => {
    world.arrive({ streamId: id });
  }),
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.oneof(place, fc.constant(followed)), anchor, fc.integer({ min: 1, max: 20 }))
      .map(([where, at, count]) => (world: World) => {
        world.fetch(where, at, count);
      }),
  },
  fc.tuple(fc.nat(60), fc.nat(5)).map(([at, count]) => (world: World) => {
    world.look(at, count);
  }),
  fc.nat(60).map((index) => (world: World) => {
    world.delete(index);
  }),
  fc.tuple(fc.array(old, { maxLength: 3 }), fc.nat(2)).map(([added, deleted]) => (world: World) => {
    world.miss(added, deleted);
  }),
  fc.constant((world: World) => {
    world.shrink();
  }),
);

type Times = readonly [from: number, before: number] | null;

function asking(place: Where, times: Times): Pick<PageQuery, 'narrow' | 'historyScope'> {
  const sent = times === null ? [] : [{ operator: 'sent-within', operand: [...times] }];
  switch (place.kind) {
    case 'held':
      return { narrow: sent };
    case 'private':
      return { narrow: [{ operator: 'is', operand: 'private' }, ...sent] };
    case 'stream':
      return { narrow: [{ operator: 'stream', operand: place.streamId }, ...sent] };
    default:
      return { narrow: sent, historyScope: place.kind };
  }
}

const dir = mkdtempSync(join(tmpdir(), 'hearth-cache-'));
const { cache } = openSqliteCache(join(dir, 'cache.db'));
afterAll(() => {
  cache.close();
  rmSync(dir, { recursive: true });
});

const query = fc.record({
  where,
  times: fc.option(
    fc.tuple(fc.nat(60), fc.nat(60)).map(([a, b]): Times => {
      const [one, other] = [sentAt(a), sentAt(b)];
      return [Math.min(one, other), Math.max(one, other)];
    }),
  ),
  anchor: fc.oneof(fc.constant('newest' as const), fc.nat(60)),
  numBefore: fc.nat(12),
  numAfter: fc.nat(12),
});

/** Those that a page leaves out; history that nobody told is gone may be left over. */
function missingIn(world: World, asked: PageQuery, where: Where): readonly number[] {
  const kept = new Set(cache.page(asked, cacheScope()).messages.map(({ id }) => id));
  return world.page(asked, where).filter((id) => !kept.has(id));
}

const RUNS = shortOrLong(150, 400);

describe('a page that is said to be complete', () => {
  test('a page said to be complete has every message that the service would give, whatever was fetched, told and removed', () => {
    let completeCount = 0;
    fc.assert(
      fc.property(
        fc.array(old, { maxLength: 30 }),
        fc.array(step, { maxLength: 25 }),
        fc.array(query, { minLength: 8, maxLength: 8 }),
        (before, steps, queries) => {
          cache.clear();
          const world = new World(cache);
          world.begin(before);
          for (const run of steps) run(world);
          for (const { where, times, ...rest } of queries) {
            const asked = { ...rest, ...asking(where, times) };
            const page = cache.page(asked, cacheScope());
            const isUnheldGone = page.messages.some(
              ({ id }) => !world.messages.some((message) => message.id === id),
            );
            if (!page.isComplete || isUnheldGone) continue;
            completeCount += 1;
            expect(missingIn(world, asked, where), JSON.stringify(asked)).toEqual([]);
            const all = world.page({ ...asked, numBefore: 1e4, numAfter: 1e4 }, where);
            const oldestId = page.messages[0]?.id ?? Infinity;
            const isBefore = (id: number): boolean => id < Math.min(oldestId, page.anchor);
            if (page.found_oldest && page.anchor > 0) expect(all.filter(isBefore)).toEqual([]);
          }
        },
      ),
      { numRuns: RUNS },
    );
    // About two in three: without any, nothing would be shown.
    expect(completeCount).toBeGreaterThan(RUNS / 4);
  });

  test('every page of what is followed is said to be complete once all of it was fetched', () => {
    fc.assert(
      fc.property(
        fc.array(old, { maxLength: 30 }),
        fc.array(step, { maxLength: 15 }),
        query,
        (before, steps, { where, times, ...rest }) => {
          fc.pre(where.kind !== 'stream' || where.streamId < 3);
          cache.clear();
          const world = new World(cache);
          world.begin(before);
          for (const run of steps) run(world);
          for (const each of placesOf(where)) world.fetch(each, 1e9, 1000);
          world.arrive({ streamId: 1 });
          const asked = { ...rest, ...asking(where, times) };
          const page = cache.page(asked, cacheScope());
          expect(page.isOwnComplete).toBe(true);
          // What nobody tells of is never known whole, except a page of one message that is here.
          const isOnlyAnchor = rest.numBefore + rest.numAfter === 0;
          if (where.kind !== 'readable') expect(page.isComplete).toBe(true);
          else if (!isOnlyAnchor) expect(page.isComplete).toBe(false);
          if (page.isComplete) expect(missingIn(world, asked, where)).toEqual([]);
        },
      ),
      { numRuns: shortOrLong(60, 150) },
    );
  });
});

describe('the first unread message', () => {
  test('the first unread message is only sure where nothing older can be unread', () => {
    cache.clear();
    const messages = [5, 6, 7].map((id) => cachedMessageOf(id, { flags: id > 5 ? [] : ['read'] }));
    cache.putRange({ kind: 'held' }, messages, { fromId: 5, throughId: Infinity });
    const asked = { narrow: [], anchor: 'first-unread', numBefore: 1, numAfter: 5 } as const;
    const ids = [5, 6, 7];
    const page = (oldestUnreadId?: number | null) => {
      const known = oldestUnreadId === undefined ? {} : { oldestUnreadId };
      return cache.page(asked, { ...cacheScope(), ...known });
    };
    expect(page().messages.map(({ id }) => id)).toEqual(ids);
    expect(page()).toMatchObject({ anchor: 6, isComplete: false });
    expect(page(6)).toMatchObject({ anchor: 6, isComplete: true });
    expect(page(2)).toMatchObject({ anchor: 6, isComplete: false });
    // What is unread is what the account was told of, and nothing before it is gone through.
    expect(page(7)).toMatchObject({ anchor: 7 });
    expect(page(null)).toMatchObject({ anchor: NEWEST_ANCHOR });
  });
});
