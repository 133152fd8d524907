/** A service that is an array, and a background fill that takes one turn at a time. Streams 1 to 3 may be joined. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultPreferences } from '#shared/bridge/models/preference-defaults.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import type { Cache, CoverageScope } from '#client/cache/port.ts';
import type { Clock } from '#client/ports.ts';
import { Backfill } from '#client/sync/backfill.ts';
import type { Api } from '#client/transport/api.ts';
import { NEWEST_ANCHOR } from '#shared/api/codecs.ts';
import type { Message } from '#shared/api/models/message.ts';
import { openSqliteCache } from '#desktop/storage/cache/sqlite-cache.ts';
import { cachedMessageOf } from './kept-messages.ts';

export interface WorldMessage {
  readonly id: number;
  /** Null for a private message. */
  streamId: number | null;
  isHeld: boolean;
  text: string;
}

interface PageArgs {
  readonly anchor: number;
  readonly numBefore: number;
  readonly numAfter: number;
  readonly narrow?: readonly { readonly operand: unknown }[];
  readonly reach?: string;
}

/** Time passes where the service works and where the fill rests; the fill goes on when it is told to. */
class ManualClock implements Clock {
  nowMs = 1_000_000;
  readonly pauses: number[] = [];
  #goOn: (() => void) | null = null;
  #rested: (() => void) | null = null;

  readonly now = (): number => this.nowMs;
  readonly random = (): number => 0.5;

  readonly wait = (delayMs: number, signal: AbortSignal): Promise<void> => {
    this.pauses.push(delayMs);
    this.#rested?.();
    return new Promise((resolve) => {
      const goOn = (): void => {
        this.nowMs += delayMs;
        resolve();
      };
      this.#goOn = goOn;
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  };

  /** Settles when the fill rests again. */
  async next(begin: () => void = () => this.#goOn?.()): Promise<void> {
    const rested = new Promise<void>((resolve) => {
      this.#rested = resolve;
    });
    begin();
    await rested;
  }
}

export class BackfillWorld {
  readonly messages: WorldMessage[] = [];
  readonly subscribed = new Set([1, 2]);
  /** How often the service gave a message, and how often there was a reason to. */
  readonly given = new Map<number, number>();
  readonly reasons = new Map<number, number>();
  readonly turns = new ManualClock();
  /** How long the service takes for a page. */
  pageMs = 10;
  pages = 0;
  cache: Cache;
  #fill: Backfill;
  #newestId = 0;
  readonly #dir = mkdtempSync(join(tmpdir(), 'hearth-fill-'));
  readonly #pageSize: number;

  /** @param pageSize  more the service never gives at once */
  constructor(pageSize: number) {
    this.#pageSize = pageSize;
    this.cache = this.#open();
    this.#fill = this.#newFill();
  }

  close(): void {
    this.#fill.stop();
    this.cache.close();
    rmSync(this.#dir, { recursive: true, force: true });
  }

  #open(): Cache {
    return openSqliteCache(join(this.#dir, 'cache.db')).cache;
  }

  places(): readonly CoverageScope[] {
    return [
      { kind: 'held' },
      ...[...this.subscribed].map((streamId): CoverageScope => ({ kind: 'stream', streamId })),
    ];
  }

  #newFill(): Backfill {
    return new Backfill({
      api: { call: this.#call } as unknown as Api,
      clock: this.turns,
      cache: () => this.cache,
      failed: (error) => {
        throw error;
      },
      choices: () => defaultPreferences,
      places: () => this.places(),
      queueId: () => 'queue',
      marked: (messages) => messages,
      removed: () => undefined,
      repaired: () => undefined,
      changed: () => undefined,
    });
  }

  add(streamId: number | null, isHeld: boolean): WorldMessage {
    this.#newestId += 1;
    const told = { id: this.#newestId, streamId, isHeld, text: 'as it was written' };
    this.messages.push(told);
    return told;
  }

  /** The queue begins: from here on events tell. */
  begin(): Promise<void> {
    this.#save();
    return this.start();
  }

  start(): Promise<void> {
    return this.turns.next(() => this.#fill.start());
  }

  async restart(): Promise<void> {
    this.#fill.stop();
    this.cache.close();
    this.cache = this.#open();
    this.#fill = this.#newFill();
    await this.start();
  }

  async turn(count = 1): Promise<void> {
    for (let turn = 0; turn < count; turn += 1) await this.turns.next();
  }

  async finish(): Promise<void> {
    for (let turn = 0; turn < 500; turn += 1) {
      await this.turn();
      if (this.#fill.status().backfill === 'complete') return;
    }
    throw new Error('there is no end to what it fetches');
  }

  isReadable = ({ streamId, isHeld }: WorldMessage): boolean =>
    isHeld || (streamId !== null && this.subscribed.has(streamId));

  arrive(streamId: number | null): void {
    const told = this.add(streamId, streamId === null || this.subscribed.has(streamId));
    if (!told.isHeld) return;
    this.cache.put([wire(told)]);
    this.#save();
  }

  delete(index: number): void {
    const [gone] = this.messages.splice(index % Math.max(1, this.messages.length), 1);
    if (gone !== undefined && this.isReadable(gone)) {
      this.cache.apply({ type: 'delete_message', message_id: gone.id });
    }
  }

  /** Of what is held where the account may not look nobody tells it anything. */
  edit(index: number): void {
    const told = this.#at(index);
    if (told === undefined) return;
    told.text = `${told.text}, edited`;
    if (!told.isHeld || !this.#isTold(told.streamId)) return;
    this.cache.apply(update(told, { content: told.text, rendered_content: `<p>${told.text}</p>` }));
  }

  move(index: number, streamId: number): void {
    const told = this.#at(index);
    if (told === undefined || told.streamId === null || told.streamId === streamId) return;
    const isTold = told.isHeld || this.isReadable(told) || this.#isTold(streamId);
    const from = told.streamId;
    told.streamId = streamId;
    if (!isTold) return;
    this.#giveReason(told);
    this.cache.apply({
      ...update(told, { stream_id: from, new_stream_id: streamId }),
      ...{ orig_subject: 'topic', subject: 'topic', propagate_mode: 'change_one' },
    });
  }

  join(streamId: number): void {
    if (this.subscribed.has(streamId)) return;
    this.subscribed.add(streamId);
    for (const told of this.messages) if (told.streamId === streamId) this.#giveReason(told);
    const subscriptions = [{ stream_id: streamId }];
    this.cache.apply({ type: 'subscription', op: 'add', subscriptions });
  }

  leave(streamId: number): void {
    if (!this.subscribed.delete(streamId)) return;
    this.cache.removeStream(streamId);
  }

  #at(index: number): WorldMessage | undefined {
    return this.messages[index % Math.max(1, this.messages.length)];
  }

  #isTold(streamId: number | null): boolean {
    return streamId === null || this.subscribed.has(streamId);
  }

  #giveReason({ id }: WorldMessage): void {
    this.reasons.set(id, (this.reasons.get(id) ?? 0) + 1);
  }

  #save(): void {
    this.cache.saveSession(
      { queueId: 'queue', lastEventId: 1, newestMessageId: this.#newestId, liveUntilSeconds: 1 },
      {},
    );
  }

  readonly #call = async (
    endpoint: { readonly path: string },
    args: PageArgs & { readonly messageId: number },
  ): Promise<unknown> => {
    await Promise.resolve();
    if (endpoint.path !== '/messages') return this.#one(args.messageId);
    this.pages += 1;
    this.turns.nowMs += this.pageMs;
    return success(this.#page(args));
  };

  #one(messageId: number): unknown {
    const told = this.messages.find(({ id }) => id === messageId);
    if (told === undefined || !this.isReadable(told)) {
      return failure('BAD_REQUEST', 'Invalid message(s)');
    }
    return success({ message: this.#give(told) });
  }

  #page({ anchor, numBefore, numAfter, narrow, reach }: PageArgs): object {
    const streamId = narrow?.[0]?.operand;
    const all = this.messages
      .filter((told) =>
        streamId === undefined
          ? told.isHeld || (reach === 'subscribed' && this.isReadable(told))
          : told.streamId === streamId,
      )
      .toSorted((a, b) => a.id - b.id);
    const before = all.filter(({ id }) => id < anchor);
    const from = all.filter(({ id }) => id >= anchor);
    const older = lastOf(before, Math.min(numBefore, this.#pageSize));
    const newer = from.slice(0, numAfter === 0 ? 1 : Math.min(numAfter, this.#pageSize));
    const exact = numAfter === 0 ? newer.filter(({ id }) => id === anchor) : newer;
    return {
      messages: [...older, ...exact].map((told) => this.#give(told)),
      found_oldest: numBefore > 0 && older.length === before.length,
      found_newest: anchor >= NEWEST_ANCHOR || exact.length === from.length,
    };
  }

  #give(told: WorldMessage): Message {
    this.given.set(told.id, (this.given.get(told.id) ?? 0) + 1);
    return wire(told);
  }
}

const lastOf = <T>(list: readonly T[], count: number): readonly T[] =>
  count === 0 ? [] : list.slice(-count);

const wire = ({ id, streamId, isHeld, text }: WorldMessage): Message =>
  cachedMessageOf(id, { streamId, isHeld, text });

const update = ({ id }: WorldMessage, keys: object): object => ({
  ...{ type: 'update_message', message_id: id, message_ids: [id], user_id: 1 },
  ...{ edit_timestamp: 1_700_000_000, flags: ['read'], rendering_only: false },
  ...keys,
});
