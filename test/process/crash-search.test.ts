import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { searchFileOf } from '#service/db/sqlite/search-file.ts';
import { isConnectionLost } from '../support/crash/listener.ts';
import { type Random, randomFrom, seedsOf } from '../support/random.ts';
import {
  call,
  type Credentials,
  credentials,
  type RunningService,
  startService,
} from '../support/service/service.ts';
import { connectForTest, temporaryDir } from '../support/service/store.ts';

/** Who writes at once. */
const HANDS = 2;
/** What each round leaves in the index before the service is killed. */
const INDEXED_A_ROUND = 40;
const ROUNDS = 2;

/** One word that is in no other text. */
interface Said {
  readonly id: number;
  readonly word: string;
}

class Office {
  /** What is there as the service has acknowledged it, and words that no message has any more. */
  readonly said = new Map<number, Said>();
  readonly gone = new Set<string>();
  /** Messages that a request was about which was never answered: nobody knows. */
  readonly open = new Set<number>();
  #count = 0;

  word(): string {
    this.#count += 1;
    // Letters only, and no ending that a stemmer takes off.
    return `q${Array.from(String(this.#count), (digit) => 'bcdfghjkmn'[Number(digit)]).join('')}x`;
  }
}

/** Sends, changes and deletes, one after the other, until the service is gone. */
async function work(
  { origin }: RunningService,
  ada: Credentials,
  office: Office,
  random: Random,
): Promise<void> {
  const mine: Said[] = [];
  for (;;) {
    const at = random.below(mine.length + 1);
    const target = random.below(3) === 0 ? undefined : mine[at];
    try {
      if (target === undefined) {
        const word = office.word();
        const fields = { type: 'stream', to: 'general', topic: 'all', content: word };
        const { status, body } = await call(origin, ada, 'POST', '/messages', fields);
        expect(status).toBe(200);
        const said = { id: Number(body['id']), word };
        mine.push(said);
        office.said.set(said.id, said);
        continue;
      }
      const path = `/messages/${target.id}`;
      office.open.add(target.id);
      if (random.below(3) === 0) {
        expect((await call(origin, ada, 'DELETE', path, {})).status).toBe(200);
        mine.splice(at, 1);
        office.said.delete(target.id);
      } else {
        const said = { id: target.id, word: office.word() };
        const changed = await call(origin, ada, 'PATCH', path, { content: said.word });
        expect(changed.status).toBe(200);
        mine[at] = said;
        office.said.set(said.id, said);
      }
      office.gone.add(target.word);
      office.open.delete(target.id);
    } catch (reason) {
      if (isConnectionLost(reason)) return;
      throw reason;
    }
  }
}

async function expectFound({ origin }: RunningService, ada: Credentials, office: Office) {
  const find = async (word: string): Promise<readonly number[]> => {
    const { body } = await call(origin, ada, 'GET', '/messages', {
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      narrow: JSON.stringify([['search', word]]),
    });
    return (body['messages'] as readonly { readonly id: number }[]).map(({ id }) => id);
  };
  for (const { id, word } of office.said.values()) {
    if (!office.open.has(id)) expect(await find(word), word).toEqual([id]);
  }
  for (const word of office.gone) expect(await find(word), word).toEqual([]);
}

describe('a service killed while its search index is written', () => {
  test.for(seedsOf('CRASH_SEED', 1))(
    'a killed service finds what there is, and nothing that was deleted or edited away (CRASH_SEED=%i)',
    async (seed) => {
      const random = randomFrom(seed);
      const dataDir = temporaryDir();
      const office = new Office();
      let service = await startService({ dev: true, dataDir, args: ['--no-rate-limits'] });
      onTestFinished(() => service.kill());
      const ada = await credentials(service.origin, 'ada@example.com');
      const file = join(dataDir, 'hearth.db');
      const search = connectForTest(searchFileOf(file));
      const entries = search.prepare('SELECT COUNT(*) FROM search_index_docsize').pluck();
      for (let round = 0; round < ROUNDS; round += 1) {
        const before = Number(entries.get());
        const hands = Array.from({ length: HANDS }, () => work(service, ada, office, random));
        const wanted = before + INDEXED_A_ROUND + random.below(INDEXED_A_ROUND);
        await expect.poll(() => Number(entries.get()), { interval: 20 }).toBeGreaterThan(wanted);
        await service.kill();
        await Promise.all(hands);
        service = await startService({ dev: true, dataDir, args: ['--no-rate-limits'] });
        await expectFound(service, ada, office);
      }
      const waiting = connectForTest(file).prepare('SELECT COUNT(*) FROM search_pending').pluck();
      await expect.poll(() => waiting.get()).toBe(0);
      await expectFound(service, ada, office);
      expect(await service.stop()).toBe(0);
    },
  );
});
