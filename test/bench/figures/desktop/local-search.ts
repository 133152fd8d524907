/** Search in what the application has kept, while the service does not run. */
import { join } from 'node:path';
import type { Page } from 'playwright';
import type { Bridge } from '#shared/bridge/bridge.ts';
import type { MessagePage, View } from '#shared/bridge/models/client.ts';
import type { NarrowTerm } from '#shared/api/narrow.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import { stateFromSlices } from '#client/sync/state/slices.ts';
import { scopeOf } from '#client/sync/state/scope.ts';
import { accountFolder } from '#desktop/storage/account-storage.ts';
import { openSqliteCache } from '#desktop/storage/cache/sqlite-cache.ts';
import type { World } from '#test/bench/desktop/world.ts';
import { openRawSearch } from '#test/bench/reference/search.ts';
import { limited, type Row } from '#test/bench/report.ts';
import { databaseFile, streamName } from '#test/bench/seed.ts';
import { percentile } from '#test/bench/statistics.ts';

const LIMIT_MS = 20;
const HITS = 50;

export interface SearchPlan {
  readonly rounds: number;
  readonly searches: number;
}

export interface SearchKind {
  readonly name: string;
  readonly queries: readonly (readonly NarrowTerm[])[];
}

/** Words of the messages by how many there are of them; everything that a person may type. */
export function searchKinds({ dataDir }: World): readonly SearchKind[] {
  const raw = openRawSearch(databaseFile(dataDir));
  // The word of every topic is in each message.
  const words = raw
    .words()
    .map(({ word }) => word)
    .filter((word) => word !== 'topic');
  raw.close();
  const search = (operand: string): NarrowTerm => ({ operator: 'search', operand });
  const common = words.slice(0, 20);
  const long = words.filter((word) => word.length > 3).slice(0, 400);
  const someLong = long.filter((_, index) => index % 20 === 0);
  return [
    { name: 'rare word', queries: words.slice(-20).map((word) => [search(word)]) },
    { name: 'common word', queries: common.map((word) => [search(word)]) },
    {
      name: 'common word in a stream',
      queries: common.map((word, index) => [
        { operator: 'stream', operand: streamName(index) },
        search(word),
      ]),
    },
    {
      name: 'two common words',
      queries: common.map((word, index) => [search(`${word} ${common.at(-1 - index) ?? ''}`)]),
    },
    { name: 'prefix of 3 letters', queries: someLong.map((w) => [search(`${w.slice(0, 3)}*`)]) },
  ];
}

async function timeRounds(
  { rounds, searches }: SearchPlan,
  { queries }: SearchKind,
  search: (terms: readonly NarrowTerm[]) => number | Promise<number>,
): Promise<readonly number[]> {
  const slowest: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const times: number[] = [];
    for (let i = 0; i < searches; i++) times.push(await search(queries[i % queries.length] ?? []));
    if (round >= 0) slowest.push(percentile(times, 0.95));
  }
  return slowest;
}

/** The cache by itself, in this process. */
export async function measureCacheSearch(
  world: World,
  kinds: readonly SearchKind[],
  plan: SearchPlan,
): Promise<readonly Row[]> {
  const folder = join(world.profile.dir, 'accounts', accountFolder(world.account.id));
  const { cache } = openSqliteCache(join(folder, 'cache.db'));
  const session = cache.loadSession();
  const state = session === null ? null : stateFromSlices(session.slices);
  if (state === null) throw new Error('the cache knows of no account');
  const scope = scopeOf(state);
  const rows: Row[] = [];
  for (const kind of kinds) {
    const slowest = await timeRounds(plan, kind, (narrow) => {
      const startedAt = performance.now();
      const query = { narrow, anchor: 'newest', numBefore: HITS, numAfter: HITS } as const;
      const { messages, isComplete } = cache.page(query, scope);
      const took = performance.now() - startedAt;
      if (messages.length === 0 || !isComplete) throw new Error(`nothing was found: ${kind.name}`);
      return took;
    });
    const name = `search in the cache, ${kind.name}, p95`;
    rows.push(limited({ name, unit: 'ms' }, slowest, LIMIT_MS));
  }
  cache.close();
  return rows;
}

/** From the page through the application's main process and back, as the search of the window does it. */
export async function measureWindowSearch(
  { account }: World,
  page: Page,
  kinds: readonly SearchKind[],
  plan: SearchPlan,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const kind of kinds) {
    const slowest = await timeRounds(plan, kind, async (terms) => {
      const view: View = { kind: 'search', terms };
      const { took, outcome } = await page.evaluate(searchInPage, [
        account.id,
        view,
        HITS,
      ] as const);
      if (!outcome.ok || outcome.value === 0) throw new Error(JSON.stringify(outcome));
      return took;
    });
    const name = `search from the window, no service, ${kind.name}, p95`;
    rows.push(limited({ name, unit: 'ms' }, slowest, LIMIT_MS));
  }
  return rows;
}

/** Runs in the page. */
async function searchInPage([accountId, view, hits]: readonly [string, View, number]): Promise<{
  readonly took: number;
  readonly outcome: Outcome<number>;
}> {
  const { bridge } = globalThis as unknown as { readonly bridge: Bridge };
  const startedAt = performance.now();
  const request = { view, anchor: 'newest', before: hits, after: hits } as const;
  const outcome: Outcome<MessagePage> = await bridge.messages(accountId, request);
  const took = performance.now() - startedAt;
  return {
    took,
    outcome: outcome.ok ? { ok: true, value: outcome.value.messages.length } : outcome,
  };
}
