/** What events do to the messages that are kept. */
import {
  type Change,
  changed,
  changeOf,
  type Flags,
  idsOf as messageIdsOf,
  isMove,
  type MessageChange,
  incompleteIds,
  withFlag,
} from '#client/cache/message-changes.ts';
import type { MessageChanges } from '#client/cache/port.ts';
import type { RecentChanges } from '#client/cache/recent-changes.ts';
import { isHeldMessage } from '#client/cache/match-narrow.ts';
import type { Message } from '#shared/api/models/message.ts';
import { bitsOf, FLAG } from './message-codec.ts';
import type { CoverageTable } from './coverage-table.ts';
import type { SessionTable } from './session-table.ts';
import type { MessageTable } from './message-table.ts';
import { idList, type IdRow, idsOf, type Sql } from './sql.ts';

/** More messages no window shows. */
const MAX_TOLD = 5000;

const AMONG = 'id IN (SELECT value FROM json_each(:ids))';
const KEPT = `SELECT id FROM message WHERE ${AMONG}`;
const SET = 'flags = (flags & ~:bits) | :set';
const LACKING = '(flags & :bits) <> :set';
/** What gets a flag is held: of other messages nothing is told. */
const SET_AMONG = `UPDATE message SET ${SET}, is_held = 1 WHERE ${AMONG} AND ${LACKING} RETURNING id`;
/** The condition of the index of unread messages, so that it is used. */
const READ_ALL = `UPDATE message SET flags = flags | ${String(FLAG.read)}
  WHERE (flags & ${String(FLAG.read)}) = 0 RETURNING id`;
const SET_ALL = `UPDATE message SET ${SET} WHERE is_held = 1 AND ${LACKING} RETURNING id`;
const BY_SENDER = 'SELECT id FROM message WHERE sender_id = :userId ORDER BY id DESC LIMIT :limit';
const UNHELD = 'SELECT id FROM message WHERE stream_id = :streamId AND is_held = 0';
const UNHELD_AMONG = `SELECT id FROM message WHERE ${AMONG} AND is_held = 0`;
const HELD_IN = 'SELECT id FROM message WHERE stream_id = :streamId AND is_held = 1';
const IS_HELD = 'SELECT id FROM message WHERE id = :id AND is_held = 1';

const nothing: MessageChanges = { changed: [], removedIds: [] };

export interface Tables {
  readonly sql: Sql;
  readonly messages: MessageTable;
  readonly coverage: CoverageTable;
  readonly session: SessionTable;
  readonly recent: RecentChanges;
}

export class EventChanges {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  apply(event: unknown): MessageChanges {
    const change = changeOf(event);
    return change === undefined ? nothing : this.#apply(change);
  }

  setFlag(ids: readonly number[], flag: string, isSet: boolean): MessageChanges {
    this.#tables.recent.touch(ids);
    this.#noteUnheld(ids);
    const bits = bitsOf([flag]);
    if (bits === 0) {
      return this.#rewrite(ids, (message) => withFlag(message, flag, isSet), true);
    }
    const values = { ids: idList(ids), bits, set: isSet ? bits : 0 };
    return this.#told(this.#tables.sql.list<IdRow>(SET_AMONG, values));
  }

  #apply(change: Change): MessageChanges {
    switch (change.type) {
      case 'delete_message':
        return this.#delete(change.message_id);
      case 'update_message_flags':
        return change.all ? this.#flagAll(change) : this.#flag(change);
      case 'messages_recovered':
        this.#tables.recent.touch(change.message_ids);
        this.#tables.coverage.addStale(change.message_ids);
        return nothing;
      case 'realm_user':
        this.#tables.recent.touchAll();
        this.#tables.messages.rename(change.person);
        return this.#told(
          this.#tables.sql.list<IdRow>(BY_SENDER, {
            userId: change.person.user_id,
            limit: MAX_TOLD,
          }),
        );
      case 'stream':
        if (change.op === 'update') return this.#changeStream(change);
        this.#tables.recent.touchAll();
        for (const { stream_id: streamId } of change.streams) this.#distrustHeld(streamId);
        return nothing;
      case 'subscription':
        this.#tables.recent.touchAll();
        for (const { stream_id: streamId } of change.subscriptions) this.#join(streamId);
        return nothing;
      default:
        return this.#change(change);
    }
  }

  #delete(id: number): MessageChanges {
    const { messages, coverage, recent } = this.#tables;
    coverage.removeStale([id]);
    recent.touch([id], 'gone');
    return { changed: [], removedIds: messages.erase([id]) };
  }

  #flag({ op, flag, messages: ids }: Flags): MessageChanges {
    this.#noteMissing(ids);
    return this.setFlag(ids, flag, op === 'add');
  }

  #flagAll({ op, flag }: Flags): MessageChanges {
    const { sql, recent } = this.#tables;
    recent.touchAll();
    if (flag === 'read' && op === 'add') return this.#told(sql.list<IdRow>(READ_ALL));
    const bits = bitsOf([flag]);
    return this.#told(sql.list<IdRow>(SET_ALL, { bits, set: op === 'add' ? bits : 0 }));
  }

  #change(change: MessageChange): MessageChanges {
    const { messages, coverage, recent } = this.#tables;
    const ids = messageIdsOf(change);
    // Reactions and edits are told only to those who hold the message; moves are told to others too.
    const isMoved = isMove(change);
    recent.touch(ids, isMoved ? 'moved' : 'changed');
    this.#noteMissing(ids);
    this.#noteUnheld(ids);
    coverage.addStale(incompleteIds(change));
    return this.#rewrite(
      ids,
      (message) => changed(message, change, (streamId) => messages.findStream(streamId)),
      !isMoved,
    );
  }

  #rewrite(
    ids: readonly number[],
    rewrite: (message: Message) => Message,
    isHeldNow: boolean,
  ): MessageChanges {
    const { sql, messages, coverage } = this.#tables;
    const after: Message[] = [];
    const stale = new Set(coverage.listStaleAmong(ids));
    for (const message of messages.find(ids)) {
      const next = rewrite(message);
      if (next === message) continue;
      const isHeld = isHeldNow || sql.get(IS_HELD, { id: message.id }) !== undefined;
      messages.put([next], isHeld || isHeldMessage(next));
      after.push(next);
    }
    // Writing them has not brought them up to date.
    coverage.addStale([...stale]);
    return { changed: after, removedIds: [] };
  }

  #changeStream(
    change: Extract<Change, { readonly type: 'stream'; readonly op: 'update' }>,
  ): MessageChanges {
    const { sql, messages, coverage, recent } = this.#tables;
    const { stream_id: streamId, property, value } = change;
    recent.touchAll();
    if (property === 'name' && typeof value === 'string') messages.renameStream(streamId, value);
    if (property !== 'invite_only' && property !== 'history_public_to_subscribers') return nothing;
    coverage.forget({ kind: 'stream', streamId });
    const isShared =
      property === 'invite_only' && value === true
        ? change.history_public_to_subscribers === true
        : value === true;
    const isOpened = property === 'invite_only' && value === false;
    if (isShared || isOpened) return nothing;
    const unheld = idsOf(sql.list<IdRow>(UNHELD, { streamId }));
    return { changed: [], removedIds: messages.erase(unheld) };
  }

  #join(streamId: number): void {
    const { coverage, session } = this.#tables;
    coverage.forget({ kind: 'stream', streamId });
    this.#distrustHeld(streamId);
    session.join(streamId);
  }

  /** What is held of a stream that is read again: while it could not be, nobody told what became of it. */
  #distrustHeld(streamId: number): void {
    const { sql, coverage } = this.#tables;
    const held = idsOf(sql.list<IdRow>(HELD_IN, { streamId }));
    if (held.length === 0) return;
    coverage.forget({ kind: 'stream', streamId });
    coverage.addStale(held);
  }

  /** What an event tells of and what should be here by all that is known, but is not. */
  #noteMissing(ids: readonly number[]): void {
    const { sql, coverage } = this.#tables;
    const kept = new Set(idsOf(sql.list<IdRow>(KEPT, { ids: idList(ids) })));
    coverage.addStale(coverage.expected(ids.filter((id) => !kept.has(id))));
  }

  /** What becomes held only now: nobody told what happened to it before. */
  #noteUnheld(ids: readonly number[]): void {
    const { sql, coverage } = this.#tables;
    coverage.addStale(idsOf(sql.list<IdRow>(UNHELD_AMONG, { ids: idList(ids) })));
  }

  #told(rows: readonly IdRow[]): MessageChanges {
    const ids = idsOf(rows).toSorted((a, b) => b - a);
    return { changed: this.#tables.messages.find(ids.slice(0, MAX_TOLD)), removedIds: [] };
  }
}
