import { describe, expect, test } from 'vitest';
import { type AuditType, auditTypes } from '#shared/api/models/audit.ts';
import { auditLogOperations } from '#service/features/organization/operations/audit-log.ts';
import { startHourly } from '#service/core/hourly.ts';
import type { AuditFilter, NewEntry, Store } from '#service/db/port.ts';
import { FakeClock } from '#test/support/fake-clock.ts';
import { shortOrLong } from '#test/support/long.ts';
import { randomFrom } from '#test/support/random.ts';
import { openForTest, seedRealm } from '#test/support/service/store.ts';

const entry = (more: Partial<NewEntry> = {}): NewEntry => ({
  entry: 'sign_in',
  at: 1_700_000_000,
  actorId: null,
  address: '192.0.2.1',
  client: 'Tester',
  userId: null,
  streamId: null,
  details: {},
  ...more,
});

const all = async (store: Store) => store.listAuditEntries({}, 1_000_000);

interface Known {
  readonly id: number;
  readonly entry: NewEntry;
}

/** What a filter leaves, the naive way. */
const naive = (known: readonly Known[], filter: AuditFilter): readonly number[] =>
  known
    .filter(({ id, entry: { entry: type, at, actorId, userId } }) => {
      const isOf = filter.userId === undefined || [actorId, userId].includes(filter.userId);
      const isType = filter.types === undefined || filter.types.includes(type);
      const isIn = at >= (filter.since ?? -1) && at < (filter.until ?? Infinity);
      return isOf && isType && isIn && id < (filter.before ?? Infinity);
    })
    .map(({ id }) => id)
    .sort((a, b) => b - a);

test('pages of every filter are those of a naive model, without a gap or a repetition [audit-log.pages-filter-naive]', async () => {
  const seed = Date.now();
  const random = randomFrom(seed);
  const store = await openForTest();
  await seedRealm(store);
  const operations = auditLogOperations(store, { nowSeconds: () => 1_700_000_000 });
  const someone = (): number | null => (random.chance(0.3) ? null : 1 + random.below(4));
  const known: Known[] = [];
  for (let id = 1; id <= 200; id += 1) {
    const type: AuditType = random.pick(auditTypes.slice(0, 6));
    const made = entry({
      entry: type,
      // A clock that is set back must not lose anything.
      at: 1_700_000_000 + random.below(500),
      actorId: someone(),
      userId: someone(),
    });
    await store.addAuditEntry(made);
    known.push({ id, entry: made });
  }
  const maybe = <T>(make: () => T): T | undefined => (random.chance(0.5) ? make() : undefined);
  for (let round = 0; round < shortOrLong(100, 5000); round += 1) {
    const filter = {
      types: maybe(() =>
        Array.from({ length: random.below(4) }, () => random.pick(auditTypes.slice(0, 6))),
      ),
      userId: maybe(() => random.below(6)),
      since: maybe(() => 1_700_000_000 + random.below(500)),
      until: maybe(() => 1_700_000_000 + random.below(500)),
      before: maybe(() => random.below(220)),
    };
    const limit = 1 + random.below(60);
    const found: number[] = [];
    let before = filter.before;
    for (;;) {
      const page = await operations.listEntries({ ...filter, before, limit });
      found.push(...page.entries.map(({ id }) => id));
      if (!page.has_more) break;
      expect(page.entries, `seed ${String(seed)}`).toHaveLength(limit);
      before = page.entries.at(-1)?.id;
    }
    expect(found, `seed ${String(seed)}, ${JSON.stringify(filter)}`).toEqual(naive(known, filter));
  }
});

describe('a flood of failures', () => {
  const failure = (more: Partial<NewEntry> = {}): NewEntry =>
    entry({ entry: 'sign_in_failed', details: { reason: 'incorrect_creds' }, ...more });

  test('a flood of failures of one account from one address is an entry a minute', async () => {
    const store = await openForTest();
    const start = 1_700_000_000;
    for (let second = 0; second < 180; second += 1) {
      await store.addFailure(failure({ at: start + second, userId: 2 }));
    }
    const counts = (await all(store)).map(({ at, count }) => [at - start, count]);
    expect(counts).toEqual([
      [120, 60],
      [60, 60],
      [0, 60],
    ]);
  });

  test('another account, address or caller has an entry of its own', async () => {
    const store = await openForTest();
    const others = [{}, { userId: 2 }, { userId: 3 }, { address: '192.0.2.2' }, { actorId: 2 }];
    for (const other of [...others, ...others]) await store.addFailure(failure(other));
    expect((await all(store)).map(({ count }) => count)).toEqual([2, 2, 2, 2, 2]);
  });

  test('failures from thousands of addresses are counted in entries that name nobody [audit-log.failures-thousands-addresses]', async () => {
    const store = await openForTest();
    for (let index = 0; index < 3000; index += 1) {
      await store.addFailure(failure({ address: `address ${String(index)}`, userId: 2 }));
    }
    const rows = await all(store);
    expect(rows).toHaveLength(61);
    expect(rows[0]).toMatchObject({ address: '', user_id: null, count: 2940 });
  });
});

describe('the sweep', () => {
  const DAY = 86_400;
  const MAX = 2500;

  test('the sweep removes what is older than 400 days, and every hour what has become so [audit-log.sweep-removes-older]', async () => {
    const store = await openForTest();
    await seedRealm(store);
    const clock = new FakeClock();
    const now = Math.floor(clock.now() / 1000);
    const old = Array.from({ length: MAX }, () => entry({ at: now - 400 * DAY - 1 }));
    await Promise.all(old.map((each) => store.addAuditEntry(each)));
    for (const at of [now - 400 * DAY, now - 400 * DAY + 3599, now]) {
      await store.addAuditEntry(entry({ at }));
    }
    const nowSeconds = (): number => Math.floor(clock.now() / 1000);
    const log = { error: failing, warn: failing, info: failing };
    const audit = auditLogOperations(store, { nowSeconds });
    const stop = startHourly('the sweep of the audit log', audit.trim, { clock, log });
    await expect.poll(async () => (await all(store)).length).toBe(3);
    await expect.poll(() => clock.pending).toEqual([3_600_000]);
    await clock.advance(3_600_000);
    await expect.poll(async () => (await all(store)).map(({ at }) => at)).toEqual([now]);
    await stop();
    expect(clock.pending).toEqual([]);
  });

  test('the sweep goes by the setting of the organization [audit-log.sweep-goes-setting]', async () => {
    const store = await openForTest();
    await seedRealm(store);
    const now = 1_700_000_000;
    for (const days of [29, 31, 399]) await store.addAuditEntry(entry({ at: now - days * DAY }));
    const settings = { audit_log_retention_days: { value: 30, isDefault: false } };
    await store.updateRealm({ settings }, {});
    await auditLogOperations(store, { nowSeconds: () => now }).trim();
    expect((await all(store)).map(({ at }) => now - at)).toEqual([29 * DAY]);
  });
});

const failing = (what: string): never => {
  throw new Error(what);
};
