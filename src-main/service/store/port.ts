/** What the rest of the service sees of the store. No layer above knows which engine is there. */
import type { LoggedEvent } from '../../contract/log.ts';
import { eventReads, eventWrites } from './events.ts';
import { messageReads, messageWrites } from './messages.ts';
import type { Port } from './operation.ts';
import { realmReads, realmWrites } from './realm.ts';
import { streamReads, streamWrites } from './streams.ts';
import { userReads, userWrites } from './users.ts';

export const reads = {
  ...realmReads,
  ...userReads,
  ...streamReads,
  ...messageReads,
  ...eventReads,
};

export const writes = {
  ...realmWrites,
  ...userWrites,
  ...streamWrites,
  ...messageWrites,
  ...eventWrites,
};

interface StoreControls {
  /** Called after each commit that appended events, before anybody else can commit. */
  readonly onCommit: (listener: (events: readonly LoggedEvent[]) => void) => void;
  /** The newest event id handed out; every committed event has this id or a smaller one. */
  readonly lastEventId: () => number;
  /** A fresh id of the same counter that is not stored: for heartbeats. */
  readonly takeEventId: () => Promise<number>;
  /** Finishes what was queued, writes everything into the main file and closes it. */
  readonly close: () => Promise<void>;
}

/** Reads never wait for writes; a write settles after it is on disk. */
export type Store = Port<typeof reads> & Port<typeof writes> & StoreControls;

export type StoreOpenCode = 'UNWRITABLE' | 'NEWER' | 'DAMAGED' | 'IN_USE';

/** Why a database cannot be used, in one sentence for people. */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError';
  readonly code: StoreOpenCode;

  constructor(code: StoreOpenCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

export type { MembershipRange, QueueRow, Registration } from './events.ts';
export type { MessageRow, NewMessage, PersonalMessageRow, UnreadRow } from './messages.ts';
export type { NewRealm, RealmRow } from './realm.ts';
export type { FactName, Facts } from './registration.ts';
export type {
  NewStream,
  StreamRow,
  StreamTarget,
  SubscribeEvents,
  SubscribeResult,
  SubscriptionRow,
} from './streams.ts';
export type { Condition, PageSelection, Predicate } from './selection.ts';
export { StreamAppeared } from './streams.ts';
export type { AccountRow, NewAccount } from './users.ts';
