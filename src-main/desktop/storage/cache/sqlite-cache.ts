/** The cache of one account, in one SQLite database. */
import type Database from 'better-sqlite3';
import { readPage } from '#client/cache/answer-page.ts';
import { FOREVER } from '#client/cache/coverage.ts';
import { fold } from '#shared/text/fold.ts';
import type { NarrowScope } from '#client/cache/narrow-scope.ts';
import { currentOf, RecentChanges } from '#client/cache/recent-changes.ts';
import { type Cache, CacheError, type CachedSession } from '#client/cache/port.ts';
import type { Message } from '#shared/api/models/message.ts';
import { CoverageTable } from './coverage-table.ts';
import { CacheFile } from './cache-file.ts';
import { EventChanges } from './event-changes.ts';
import { FileTable } from './files.ts';
import { Finder } from './finder.ts';
import { SessionTable } from './session-table.ts';
import { MessageTable } from './message-table.ts';
import { createTables, openFile } from './open.ts';
import { listInPlace, placesIn } from './page-coverage.ts';
import { Purge } from './purge.ts';
import { type IdRow, idsOf, Sql } from './sql.ts';
import { findTopics, listNewestTopics, listRecent, listTopics } from './summaries.ts';

const TOTAL = 'SELECT messages, message_bytes, file_bytes FROM total';
const FIRST_SINCE = 'SELECT sent_at FROM message WHERE id >= :from ORDER BY id LIMIT 1';
const OLDEST = 'SELECT id, bytes FROM message ORDER BY id LIMIT :limit';
const UNHELD = 'SELECT id FROM message WHERE stream_id = :streamId AND is_held = 0';
const IS_HELD_IN = 'SELECT id FROM message WHERE stream_id = :streamId AND is_held = 1 LIMIT 1';
const STREAMS = 'SELECT id, name FROM stream';
const KEPT = 'SELECT id FROM message WHERE id = :id';
const PROVEN = `SELECT id, json_extract(rest, '$.proof') AS proof FROM body
  WHERE id > :after AND json_extract(rest, '$.proof') IS NOT NULL ORDER BY id LIMIT :limit`;
const TABLES = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
  AND name NOT LIKE 'search_index_%'`;

/** How long one call of shrinking may remove files. */
const SHRINK_MS = 25;
/** How many messages: the index writes what is gone once for all of them. */
const SHRINK_MESSAGES = 400;
const FREED_PAGES = 200;
/** Some milliseconds of work, and as long for others. */
const INDEXED_AT_ONCE = 100;
const INDEX_PAUSE_MS = 10;

interface Total {
  readonly messages: number;
  readonly message_bytes: number;
  readonly file_bytes: number;
}

class SqliteCache implements Cache {
  readonly isKept = true;
  readonly #db: Database.Database;
  readonly #file: CacheFile;
  readonly #sql: Sql;
  readonly #messages: MessageTable;
  readonly #coverage: CoverageTable;
  readonly #session: SessionTable;
  readonly #files: FileTable;
  readonly #recent = new RecentChanges();
  readonly #events: EventChanges;
  /** Whose topics are muted, while a page is answered. */
  #scope: NarrowScope | null = null;
  readonly #muted = new Map<unknown, boolean>();
  #indexing: NodeJS.Timeout | undefined;

  constructor(db: Database.Database, file: string) {
    this.#db = db;
    this.#sql = new Sql(db);
    const purge = new Purge(this.#sql);
    this.#messages = new MessageTable(this.#sql, purge);
    this.#coverage = new CoverageTable(this.#sql);
    this.#session = new SessionTable(this.#sql);
    this.#files = new FileTable(this.#sql);
    this.#file = new CacheFile(db, file, purge, {
      lost: () => {
        this.#messages.forget();
        this.#coverage.forgetKnown();
      },
      recover: () => {
        this.#forgetCoverage();
      },
    });
    this.#events = new EventChanges({
      sql: this.#sql,
      messages: this.#messages,
      coverage: this.#coverage,
      session: this.#session,
      recent: this.#recent,
    });
    if (this.#messages.unindexedThrough > 0) this.#indexLater();
    db.function('is_muted_topic', (topicId, streamId, key) =>
      this.#isMuted(topicId, streamId, key),
    );
  }

  readonly loadSession = (): CachedSession | null => this.#file.read(() => this.#session.load());

  readonly transact = <T>(run: () => T): T => this.#file.write(run);

  readonly saveSession: Cache['saveSession'] = (position, slices) => {
    this.#file.write(() => {
      this.#session.save(position, slices);
    });
  };

  readonly changeCount = (): number => this.#recent.count;
  readonly ageOf: Cache['ageOf'] = (ids, askedAt) => this.#recent.ageOf(ids, askedAt);

  readonly current: Cache['current'] = (messages, askedAt) =>
    this.#file.read(() =>
      currentOf(messages, askedAt, this.#recent, (ids) => this.#messages.find(ids)),
    );

  readonly put: Cache['put'] = (messages, askedAt) => {
    this.#file.write(() => {
      this.#put(messages, askedAt);
    });
  };

  readonly putRange: Cache['putRange'] = (place, messages, { fromId, throughId, askedAt }) =>
    this.#file.write(() => {
      this.#put(messages, askedAt);
      const given = new Set(messages.map(({ id }) => id));
      const newestId = Math.max(this.#session.suspectThrough(), ...given);
      const through = throughId === Infinity ? newestId : throughId;
      const here = listInPlace(this.#sql, place, { from: fromId, through });
      const missing = here.filter((id) => !given.has(id));
      // What has come there while the answer was on its way, whether or not it is here.
      const since = askedAt ?? this.#recent.count;
      const come = this.#recent
        .since(since)
        .filter((id) => id >= fromId && id <= throughId && !given.has(id) && !this.#isKept(id));
      this.#coverage.addStale([...missing.filter((id) => this.#recent.has(id, since)), ...come]);
      const gone = this.#messages.erase(missing.filter((id) => !this.#recent.has(id, since)));
      this.#coverage.removeStale(gone);
      const isLive = throughId === Infinity ? () => true : this.#session.liveThrough(throughId);
      this.#coverage.add(placesIn(place), (each) => [fromId, isLive(each) ? FOREVER : throughId]);
      return gone;
    });

  readonly apply: Cache['apply'] = (event) => this.#file.write(() => this.#events.apply(event));

  readonly find: Cache['find'] = (ids) => this.#file.read(() => this.#messages.find(ids));

  readonly listSignedMessages: Cache['listSignedMessages'] = (after, limit) =>
    this.#file.read(() => this.#sql.list<{ id: number; proof: string }>(PROVEN, { after, limit }));

  readonly findStale: Cache['findStale'] = (limit, coming) =>
    this.#file.read(() => this.#coverage.listStale(limit, this.#file.hasLost ? [] : coming));

  readonly putFetchedMessage: Cache['putFetchedMessage'] = (ids, messages, askedAt) =>
    this.#file.write(() => {
      const since = askedAt ?? this.#recent.count;
      const sure = ids.filter((id) => !this.#recent.has(id, since));
      this.#messages.put(messages.filter(({ id }) => !this.#recent.has(id, since)));
      const given = new Set(messages.map(({ id }) => id));
      this.#coverage.removeStale(sure);
      return this.#messages.erase(sure.filter((id) => !given.has(id)));
    });

  readonly page: Cache['page'] = (query, scope) =>
    this.#file.read(() => {
      const finder = new Finder(this.#sql, scope, this.#messages.unindexedThrough);
      this.#scope = scope;
      this.#muted.clear();
      try {
        return readPage(
          {
            findLeftStream: (operand) => this.#findLeftStream(operand),
            older: (narrow, from, limit) =>
              finder.find(narrow, { from, limit, isDescending: true }),
            newer: (narrow, from, limit) =>
              finder.find(narrow, { from, limit, isDescending: false }),
            isSelected: (narrow, id) => finder.isSelected(narrow, id),
            indexedFrom: () => finder.indexedFrom,
            isKept: (id) => this.#isKept(id),
            load: (ids) => this.#messages.find(ids),
            texts: (ids) => finder.texts(ids),
            isCovered: (place, from, through) =>
              !this.#file.hasLost && this.#coverage.covers(place, from, through),
            hasStale: (from, through) => this.#coverage.hasStale(from, through),
          },
          query,
          scope,
        );
      } finally {
        this.#scope = null;
      }
    });

  readonly coveredFrom: Cache['coveredFrom'] = (place) =>
    this.#file.read(() => (this.#file.hasLost ? null : this.#coverage.coveredFrom(place)));

  readonly uncoveredFrom: Cache['uncoveredFrom'] = (place, fromId) =>
    this.#file.read(() =>
      this.#file.hasLost ? fromId : this.#coverage.uncoveredFrom(place, fromId),
    );

  readonly forgetCoverage = (): void => {
    this.#file.write(() => {
      this.#forgetCoverage();
    });
  };

  readonly removeStream: Cache['removeStream'] = (streamId) =>
    this.#file.write(() => {
      this.#recent.touchAll();
      this.#coverage.forget({ kind: 'stream', streamId });
      // Whoever lost access is shown no reactions.
      this.#coverage.addStale(this.#messages.listDiscussed(streamId));
      return this.#messages.erase(idsOf(this.#sql.list<IdRow>(UNHELD, { streamId })));
    });

  readonly setFlag: Cache['setFlag'] = (ids, flag, isSet) =>
    this.#file.write(() => this.#events.setFlag(ids, flag, isSet));

  readonly recent: Cache['recent'] = (limit, scope) =>
    this.#file.read(() => listRecent(this.#sql, this.#messages, limit, scope));

  readonly topics: Cache['topics'] = (streamId, limit) =>
    this.#file.read(() => listTopics(this.#sql, streamId, limit));

  readonly findTopics: Cache['findTopics'] = (query, limit) =>
    this.#file.read(() => findTopics(this.#sql, query, limit));

  readonly newestTopics: Cache['newestTopics'] = (limit) =>
    this.#file.read(() => listNewestTopics(this.#sql, limit));

  readonly findFile: Cache['findFile'] = (url) => {
    const file = this.#file.read(() => this.#files.find(url));
    if (file === null) return null;
    try {
      this.#file.writeExtra(() => {
        this.#files.use(url);
      });
    } catch (error) {
      // It is there, whether or not the disk has room for saying when it was used.
      if (!(error instanceof CacheError)) throw error;
    }
    return file;
  };

  readonly putFile: Cache['putFile'] = (url, type, bytes) => {
    this.#file.writeExtra(() => {
      this.#files.put(url, type, bytes);
    });
  };

  readonly size: Cache['size'] = (places = [{ kind: 'held' }]) =>
    this.#file.read(() => {
      const { messages, message_bytes: messageBytes, file_bytes: fileBytes } = this.#total();
      const from = this.#file.hasLost ? null : this.#coverage.allCoveredFrom(places);
      const first =
        from === null ? undefined : this.#sql.get<{ sent_at: number }>(FIRST_SINCE, { from });
      return {
        messages,
        bytes: messageBytes + fileBytes,
        completeSinceSeconds: first?.sent_at ?? null,
      };
    });

  readonly shrinkTo: Cache['shrinkTo'] = (limitBytes) => {
    const isDone = this.#file.write(() => this.#shrink(limitBytes));
    this.#file.runPurge();
    this.#file.read(() => this.#db.pragma(`incremental_vacuum(${String(FREED_PAGES)})`));
    return isDone;
  };

  readonly clear = (): void => {
    this.#file.write(() => {
      for (const { name } of this.#sql.list<{ name: string }>(TABLES)) {
        this.#db.exec(`DROP TABLE ${name}`);
      }
      createTables(this.#db);
      this.#messages.forget();
      this.#coverage.forgetKnown();
      this.#recent.touchAll();
    });
  };

  readonly returnMemory = (): void => {
    if (this.#db.open) this.#db.pragma('shrink_memory');
  };

  readonly close = (): void => {
    clearTimeout(this.#indexing);
    if (!this.#db.open) return;
    this.#file.runPurge();
    try {
      this.#db.pragma('wal_checkpoint(TRUNCATE)');
    } catch {
      // The log is read at the next start.
    }
    this.#db.close();
  };

  /** Where the index is made anew, a little at a time. */
  #indexLater(): void {
    this.#indexing = setTimeout(() => {
      try {
        this.#file.writeExtra(() => {
          if (this.#messages.indexSome(INDEXED_AT_ONCE)) this.#indexLater();
        });
      } catch {
        // What is not in the index is read; the next start goes on.
        clearTimeout(this.#indexing);
      }
    }, INDEX_PAUSE_MS);
    this.#indexing.unref();
  }

  /** An answer that was on its way meanwhile must not bring back what an event has changed. */
  #put(messages: readonly Message[], askedAt = this.#recent.count): void {
    const isDoubtful = ({ id }: Message): boolean => this.#recent.has(id, askedAt);
    this.#messages.put(messages.filter((message) => !isDoubtful(message)));
    const doubtful = messages.filter(isDoubtful).map(({ id }) => id);
    this.#coverage.addStale(doubtful.filter((id) => !this.#recent.isGone(id, askedAt)));
  }

  #isKept(id: number): boolean {
    return this.#sql.get(KEPT, { id }) !== undefined;
  }

  #forgetCoverage(): void {
    this.#recent.touchAll();
    this.#coverage.forgetAll();
    this.#session.forgetLive();
  }

  #shrink(limitBytes: number): boolean {
    const excess = (): number => {
      const total = this.#total();
      return total.message_bytes + total.file_bytes - limitBytes;
    };
    const endsAt = performance.now() + SHRINK_MS;
    while (excess() > 0 && performance.now() < endsAt && this.#files.dropOldest());
    if (excess() > 0 && this.#total().file_bytes === 0) this.#dropOldest(excess());
    return excess() <= 0 || this.#total().messages === 0;
  }

  /** A few of the oldest, no more than have to go. */
  #dropOldest(excess: number): void {
    const ids: number[] = [];
    let bytes = 0;
    for (const row of this.#sql.list<IdRow & { readonly bytes: number }>(OLDEST, {
      limit: SHRINK_MESSAGES,
    })) {
      if (bytes >= excess) break;
      ids.push(row.id);
      bytes += row.bytes;
    }
    this.#messages.remove(ids);
    const lastId = ids.at(-1) ?? 0;
    this.#coverage.cut(lastId);
    this.#session.cutLive(lastId);
  }

  #total(): Total {
    return this.#sql.get<Total>(TOTAL) ?? { messages: 0, message_bytes: 0, file_bytes: 0 };
  }

  #findLeftStream(operand: number | string): number | undefined {
    const ids =
      typeof operand === 'number'
        ? [operand]
        : this.#sql
            .list<IdRow & { readonly name: string }>(STREAMS)
            .filter(({ name }) => fold(name) === operand)
            .map(({ id }) => id);
    return ids.find((streamId) => this.#sql.get(IS_HELD_IN, { streamId }) !== undefined);
  }

  #isMuted(topicId: unknown, streamId: unknown, key: unknown): 0 | 1 {
    const known = this.#muted.get(topicId);
    const isMuted = known ?? this.#scope?.isTopicMuted(Number(streamId), String(key)) === true;
    if (known === undefined) this.#muted.set(topicId, isMuted);
    return isMuted ? 1 : 0;
  }
}

/**
 * @param file  made where it is not there; where it is damaged it is moved aside, which `problem` says
 * @param maxPages  the file has never more of them, as if the disk were full then
 * @throws CacheError where it cannot be made: the disk is full, or nothing may be written there
 */
export function openSqliteCache(
  file: string,
  maxPages: number | null = null,
): { readonly cache: Cache; readonly problem: string | null } {
  const { db, problem } = openFile(file);
  if (maxPages !== null) db.pragma(`max_page_count = ${String(maxPages)}`);
  return { cache: new SqliteCache(db, file), problem };
}
