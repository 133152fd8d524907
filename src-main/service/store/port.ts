/** What the rest of the service sees of the store. No layer above knows which engine is there. */
import type { LoggedEvent } from '../ports/log.ts';
import { auditReads, auditWrites } from './organization/audit-log.ts';
import { accountReads, accountWrites } from './people/accounts.ts';
import { alertWordReads, alertWordWrites } from './people/alert-words.ts';
import { attachmentReads, attachmentWrites } from './messages/attachments.ts';
import { deviceReads, deviceWrites } from './people/devices.ts';
import { countReads } from './organization/counts.ts';
import { emojiReads, emojiWrites } from './organization/emoji.ts';
import { botReads, botWrites } from './people/bots.ts';
import { eventReads, eventWrites } from './events.ts';
import { flagWrites } from './reading/flags.ts';
import { invitationReads, invitationWrites } from './people/invitations.ts';
import { joinRequestReads, joinRequestWrites } from './people/join-requests.ts';
import { messageDeleteReads, messageDeleteWrites } from './messages/message-deletes.ts';
import { messageEditReads, messageEditWrites } from './messages/message-edits.ts';
import { messageHourReads } from './reading/message-hours.ts';
import { messageReads, messageWrites } from './messages/messages.ts';
import { keptDeliveryReads, keptDeliveryWrites } from './people/kept-deliveries.ts';
import { keptVersionReads } from './messages/kept-versions.ts';
import { linkifierReads, linkifierWrites } from './organization/linkifiers.ts';
import { localIdReads } from './messages/local-ids.ts';
import { archivedStreamReads, archivedStreamWrites } from './streams/archived-streams.ts';
import { mutedTopicReads, mutedTopicWrites } from './streams/muted-topics.ts';
import {
  directoryVersion,
  type Operation,
  pause,
  type Port,
  record,
  recordAll,
} from './operation.ts';
import { passwordLinkReads, passwordLinkWrites } from './people/password-links.ts';
import { presenceReads, presenceWrites } from './people/presence.ts';
import { profileReads, profileWrites } from './people/profile-fields.ts';
import { addedReads } from './messages/added.ts';
import { reactionReads, reactionWrites } from './messages/reactions.ts';
import { recoveredReads, recoveredWrites } from './messages/recovered.ts';
import { readMarkWrites } from './reading/read-marks.ts';
import { realmReads, realmWrites } from './organization/realm.ts';
import type { SearchStore } from './reading/search.ts';
import { streamChangeWrites } from './streams/stream-changes.ts';
import { streamReads, streamWrites } from './streams/streams.ts';
import { submessageWrites } from './messages/submessages.ts';
import { subscriptionWrites } from './streams/subscriptions.ts';
import { trafficReads } from './streams/traffic.ts';
import { standingReads } from './standing/standing.ts';
import { unreadReads } from './reading/unread-list.ts';
import { userGroupReads, userGroupWrites } from './people/user-groups.ts';
import { userReads, userWrites } from './people/users.ts';

export const reads = {
  ...realmReads,
  ...auditReads,
  ...userReads,
  ...accountReads,
  ...deviceReads,
  ...passwordLinkReads,
  ...botReads,
  ...keptDeliveryReads,
  ...streamReads,
  ...archivedStreamReads,
  ...mutedTopicReads,
  ...linkifierReads,
  ...messageReads,
  ...messageHourReads,
  ...keptVersionReads,
  ...localIdReads,
  ...standingReads,
  ...unreadReads,
  ...trafficReads,
  ...alertWordReads,
  ...attachmentReads,
  ...messageEditReads,
  ...messageDeleteReads,
  ...countReads,
  ...emojiReads,
  ...recoveredReads,
  ...reactionReads,
  ...addedReads,
  ...userGroupReads,
  ...profileReads,
  ...invitationReads,
  ...joinRequestReads,
  ...presenceReads,
  ...eventReads,
};

export const writes = {
  ...realmWrites,
  ...auditWrites,
  ...userWrites,
  ...accountWrites,
  ...deviceWrites,
  ...passwordLinkWrites,
  ...botWrites,
  ...keptDeliveryWrites,
  ...streamWrites,
  ...streamChangeWrites,
  ...archivedStreamWrites,
  ...subscriptionWrites,
  ...mutedTopicWrites,
  ...linkifierWrites,
  ...messageWrites,
  ...recoveredWrites,
  ...flagWrites,
  ...readMarkWrites,
  ...alertWordWrites,
  ...attachmentWrites,
  ...messageEditWrites,
  ...messageDeleteWrites,
  ...emojiWrites,
  ...reactionWrites,
  ...submessageWrites,
  ...userGroupWrites,
  ...profileWrites,
  ...invitationWrites,
  ...joinRequestWrites,
  ...presenceWrites,
  ...eventWrites,
};

/**
 * Reads that are asked with nearly every call and whose answers seldom change: an engine may keep them until a row
 * of who there is and who belongs to what changes. Their answers are shared: nobody may change them.
 */
export const keptReads: ReadonlySet<string> = new Set<keyof typeof reads>([
  'findRealm',
  'findUser',
  'findUserByEmail',
  'findUserByKeyHash',
  'findDevice',
  'findDeviceByKeyHash',
  'listActiveUsersByName',
  'listEmoji',
  'listLinkifiers',
  'findStream',
  'findStreamByName',
  'isMember',
  'listHistories',
  'listParticipantIds',
  'hasKeptVersions',
]);

/** What a change is made of beside its statements: what it leaves in the log and in the audit log, and where others have a turn. */
export const recording = { record, recordAll, pause };

/** What both know beside their statements. */
export const knowing = { directoryVersion };

/** The steps of an operation that only looks. They all see the same moment. */
export type Reading = typeof reads & typeof knowing;

/** The steps of a change. What it has written it sees, and nobody else does before it is committed. */
export type Transaction = Reading & typeof writes & typeof recording;

interface StoreControls {
  /** Runs an operation that only looks. */
  readonly read: <T>(look: (tx: Reading) => Operation<T>) => Promise<T>;
  /**
   * Runs a change in one transaction; settles when it is on disk. It may run twice, and so does nothing but its steps.
   * What it throws before its first step that writes rejects it alone and costs its neighbours nothing.
   */
  readonly change: <T>(work: (tx: Transaction) => Operation<T>) => Promise<T>;
  /**
   * The same for a change that takes long: at its pauses others have a turn, who read what was there before. What writes
   * waits until it is done.
   */
  readonly changeInParts: <T>(work: (tx: Transaction) => Operation<T>) => Promise<T>;
  /** Called after each commit that appended events, before anybody else can commit. */
  readonly onCommit: (listener: (events: readonly LoggedEvent[]) => void) => void;
  /** Called after each commit that may have changed who there is, or who belongs to what. */
  readonly onDirectoryChange: (listener: () => void) => void;
  /** Called once after a change in parts, which leaves a long log; nothing else copies that into the file before it settles. */
  readonly onLongLog: (copy: () => Promise<void>) => void;
  /** As the step of the same name says, of what is committed. */
  readonly directoryVersion: () => number;
  /** The newest event id handed out; every committed event has this id or a smaller one. */
  readonly lastEventId: () => number;
  /** A fresh id of the same counter that is not stored: for heartbeats. */
  readonly takeEventId: () => Promise<number>;
  /** Finishes what was queued, writes everything into the main file and closes it. */
  readonly close: () => Promise<void>;
}

/** Reads never wait for writes; a write settles after it is on disk. */
export type Store = Port<typeof reads> & Port<typeof writes> & SearchStore & StoreControls;

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

export type { AccountColumns, AccountFacts, BotServiceRow } from './people/accounts.ts';
export type { DeviceRow, UsedDeviceRow } from './people/devices.ts';
export type { Added } from './messages/added.ts';
export type { AttachmentRow, OwnedAttachment } from './messages/attachments.ts';
export type { Counted } from './organization/counts.ts';
export type { EmojiRow } from './organization/emoji.ts';
export type { PresenceRow, StatusRow } from './people/presence.ts';
export type { ReactionRow } from './messages/reactions.ts';
export type { NewBot, NewDelivery } from './people/bots.ts';
export type { HookRow, KeptRow, NewKept } from './people/kept-deliveries.ts';
export { MAX_KEPT } from './people/kept-deliveries.ts';
export type { MembershipRange, QueueRow, Registration } from './events.ts';
export type { Deleted } from './messages/message-deletes.ts';
export type { EditFacts, MessageEditRow, MovePlan, NewContent } from './messages/message-edits.ts';
export type { Holders } from './messages/move-holders.ts';
export type { Stretch } from './messages/stretches.ts';
export { bytesOfMessage } from './messages/message-rows.ts';
export type { AppendedMessage, NewMessage, Page, PageCounts } from './messages/messages.ts';
export type { MessageRow, PersonalMessageRow } from './messages/message-rows.ts';
export type { KnownVersion } from './messages/recovered.ts';
export type { SettableFlag } from './reading/flags.ts';
export type { Unread, UnreadGroup } from './reading/unread-list.ts';
export type { InvitationRow } from './people/invitations.ts';
export type { JoinRequestCounts, ListedJoinRequest } from './people/join-requests.ts';
export type { Standing } from './standing/standing.ts';
export type { Edit } from './standing/texts.ts';
export type { LinkifierRow } from './organization/linkifiers.ts';
export type { LocalId } from './messages/local-ids.ts';
export type { AuditFilter, AuditRow } from './organization/audit-log.ts';
export type { NewEntry, NewEvent, NewRecord, Operation, PayloadOf } from './operation.ts';
export type {
  GivenAnswer,
  ProfileAnswer,
  ProfileFieldRow,
  ProfileValueRow,
} from './people/profile-fields.ts';
export type {
  EpochRow,
  NewRealm,
  RealmChange,
  RealmRow,
  SettingValue,
} from './organization/realm.ts';
export type { FactName, Facts } from './registration.ts';
export type { NewStream, StreamRow, SubscriptionRow } from './streams/streams.ts';
export type {
  HitRequest,
  Hits,
  IndexableRow,
  IndexedBlock,
  IndexEntry,
  Indexing,
  SearchExpression,
  SearchStore,
} from './reading/search.ts';
export { IndexDamaged } from './reading/search.ts';
export type { Condition, PageSelection, Place, Predicate } from './reading/narrow-sql.ts';
export type { UserGroup } from './people/user-groups.ts';
export type { SubscriptionColumn } from './streams/subscriptions.ts';
export type { AccountRow, NewAccount } from './people/users.ts';
