/** What the rest of the service sees of the store. No layer above knows which engine is there. */
import { ExplainedError, type Explanation } from '#shared/i18n/explained-error.ts';
import type { LoggedEvent } from './event-log.ts';
import { auditReads, auditWrites } from '../features/organization/queries/audit-log.ts';
import { accountReads, accountWrites } from '../features/people/queries/accounts.ts';
import { alertWordReads, alertWordWrites } from '../features/people/queries/alert-words.ts';
import { attachmentReads, attachmentWrites } from '../features/files/queries/attachments.ts';
import { deviceReads, deviceWrites } from '../features/people/queries/devices.ts';
import { countReads } from '../features/organization/queries/counts.ts';
import { emojiReads, emojiWrites } from '../features/organization/queries/emoji.ts';
import { botReads, botWrites } from '../features/bots/queries/bots.ts';
import { eventReads, eventWrites } from '../features/register/queries/events.ts';
import { flagWrites } from '../features/reading/queries/flags.ts';
import { invitationReads, invitationWrites } from '../features/people/queries/invitations.ts';
import { joinRequestReads, joinRequestWrites } from '../features/people/queries/join-requests.ts';
import {
  messageDeleteReads,
  messageDeleteWrites,
} from '../features/messages/queries/message-deletes.ts';
import { messageEditReads, messageEditWrites } from '../features/messages/queries/message-edits.ts';
import { messageHourReads } from '../features/reading/queries/message-hours.ts';
import { messagePageReads } from '../features/messages/queries/message-pages.ts';
import { messageReads, messageWrites } from '../features/messages/queries/messages.ts';
import { deliveryLogReads, deliveryLogWrites } from '../features/bots/queries/delivery-log.ts';
import { visibleRevisionReads } from '../features/messages/queries/visible-revisions.ts';
import { linkifierReads, linkifierWrites } from '../features/organization/queries/linkifiers.ts';
import { localIdReads } from '../features/messages/queries/local-ids.ts';
import {
  archivedStreamReads,
  archivedStreamWrites,
} from '../features/streams/queries/archived-streams.ts';
import { mutedTopicReads, mutedTopicWrites } from '../features/streams/queries/muted-topics.ts';
import {
  directoryVersion,
  type Operation,
  pause,
  type Port,
  record,
  recordAll,
} from './operation.ts';
import {
  passwordLinkReads,
  passwordLinkWrites,
} from '../features/people/queries/password-links.ts';
import { presenceReads, presenceWrites } from '../features/people/queries/presence.ts';
import { profileReads, profileWrites } from '../features/people/queries/profile-fields.ts';
import { extrasReads } from '../features/messages/queries/reactions-and-submessages.ts';
import { reactionReads, reactionWrites } from '../features/messages/queries/reactions.ts';
import { reuploadReads, reuploadWrites } from '../features/messages/queries/reuploaded.ts';
import { readMarkWrites } from '../features/reading/queries/read-marks.ts';
import { realmReads, realmWrites } from '../features/organization/queries/organization.ts';
import type { SearchStore } from '../features/reading/queries/search.ts';
import { streamChangeWrites } from '../features/streams/queries/stream-changes.ts';
import { streamReads, streamWrites } from '../features/streams/queries/streams.ts';
import { submessageWrites } from '../features/messages/queries/submessages.ts';
import { subscriptionWrites } from '../features/streams/queries/subscriptions.ts';
import { trafficReads } from '../features/streams/queries/traffic.ts';
import { accountSnapshotReads } from '../features/organization/queries/account-snapshot/standing.ts';
import { unreadReads } from '../features/reading/queries/unread-list.ts';
import {
  unfinishedUploadReads,
  unfinishedUploadWrites,
} from '../features/files/queries/unfinished-uploads.ts';
import { userGroupReads, userGroupWrites } from '../features/people/queries/user-groups.ts';
import { userReads, userWrites } from '../features/people/queries/users.ts';

export const reads = {
  ...realmReads,
  ...auditReads,
  ...userReads,
  ...accountReads,
  ...deviceReads,
  ...passwordLinkReads,
  ...botReads,
  ...deliveryLogReads,
  ...streamReads,
  ...archivedStreamReads,
  ...mutedTopicReads,
  ...linkifierReads,
  ...messageReads,
  ...messagePageReads,
  ...messageHourReads,
  ...visibleRevisionReads,
  ...localIdReads,
  ...accountSnapshotReads,
  ...unreadReads,
  ...trafficReads,
  ...alertWordReads,
  ...attachmentReads,
  ...unfinishedUploadReads,
  ...messageEditReads,
  ...messageDeleteReads,
  ...countReads,
  ...emojiReads,
  ...reuploadReads,
  ...reactionReads,
  ...extrasReads,
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
  ...deliveryLogWrites,
  ...streamWrites,
  ...streamChangeWrites,
  ...archivedStreamWrites,
  ...subscriptionWrites,
  ...mutedTopicWrites,
  ...linkifierWrites,
  ...messageWrites,
  ...reuploadWrites,
  ...flagWrites,
  ...readMarkWrites,
  ...alertWordWrites,
  ...attachmentWrites,
  ...unfinishedUploadWrites,
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
export const cachedReads: ReadonlySet<string> = new Set<keyof typeof reads>([
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
  'hasVisibleRevisions',
]);

/** What a change is made of beside its statements: what it leaves in the log and in the audit log, and where others have a turn. */
export const recording = { record, recordAll, pause };

/** What both know beside their statements. */
export const versionReads = { directoryVersion };

/** The steps of an operation that only looks. They all see the same moment. */
export type Reading = typeof reads & typeof versionReads;

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

/** Why a database cannot be used. */
export class StoreOpenError extends ExplainedError {
  override readonly name = 'StoreOpenError';
  readonly code: StoreOpenCode;

  constructor(code: StoreOpenCode, explanation: Explanation, cause?: unknown) {
    super(explanation, { cause });
    this.code = code;
  }
}

export type {
  AccountColumns,
  AccountFacts,
  BotServiceRow,
} from '../features/people/queries/accounts.ts';
export type { DeviceRow, UsedDeviceRow } from '../features/people/queries/devices.ts';
export type { MessageExtras } from '../features/messages/queries/reactions-and-submessages.ts';
export type { UnfinishedUpload } from '../features/files/queries/unfinished-uploads.ts';
export type {
  AttachmentRow,
  NewAttachment,
  OwnedAttachment,
} from '../features/files/queries/attachments.ts';
export type { CountedKind } from '../features/organization/queries/counts.ts';
export type { EmojiRow } from '../features/organization/queries/emoji.ts';
export type { PresenceRow, StatusRow } from '../features/people/queries/presence.ts';
export type { ReactionRow } from '../features/messages/queries/reactions.ts';
export type { NewBot, NewDelivery } from '../features/bots/queries/bots.ts';
export type {
  HookRow,
  DeliveryLogRow,
  NewDeliveryLogEntry,
} from '../features/bots/queries/delivery-log.ts';
export { MAX_LOGGED } from '../features/bots/queries/delivery-log.ts';
export type {
  MembershipRange,
  QueueRow,
  Registration,
} from '../features/register/queries/events.ts';
export type { Deleted } from '../features/messages/queries/message-deletes.ts';
export type {
  EditFacts,
  MessageEditRow,
  MovePlan,
  NewContent,
} from '../features/messages/queries/message-edits.ts';
export type { Holders } from '../features/messages/queries/move-holders.ts';
export type { Stretch } from '../features/messages/queries/id-ranges.ts';
export { bytesOfMessage } from '../features/messages/queries/message-rows.ts';
export type { AppendedMessage, NewMessage } from '../features/messages/queries/messages.ts';
export type { Page, PageCounts } from '../features/messages/queries/message-pages.ts';
export type { MessageRow, PersonalMessageRow } from '../features/messages/queries/message-rows.ts';
export type { KnownVersion } from '../features/messages/queries/reuploaded.ts';
export type { SettableFlag } from '../features/reading/queries/flags.ts';
export type { Unread, UnreadGroup } from '../features/reading/queries/unread-list.ts';
export type { InvitationRow } from '../features/people/queries/invitations.ts';
export type {
  JoinRequestCounts,
  ListedJoinRequest,
} from '../features/people/queries/join-requests.ts';
export type { AccountSnapshot } from '../features/organization/queries/account-snapshot/standing.ts';
export type { ChangedText } from '../features/organization/queries/account-snapshot/texts.ts';
export type { LinkifierRow } from '../features/organization/queries/linkifiers.ts';
export type { LocalId } from '../features/messages/queries/local-ids.ts';
export type { AuditFilter, AuditRow } from '../features/organization/queries/audit-log.ts';
export type { NewEntry, NewEvent, NewRecord, Operation, PayloadOf } from './operation.ts';
export type {
  GivenAnswer,
  ProfileAnswer,
  ProfileFieldRow,
  ProfileValueRow,
} from '../features/people/queries/profile-fields.ts';
export type {
  RestoreGenerationRow,
  NewRealm,
  RealmChange,
  RealmRow,
  SettingValue,
} from '../features/organization/queries/organization.ts';
export type { FactName, Facts } from '../features/register/queries/registration.ts';
export type { NewStream, StreamRow, SubscriptionRow } from '../features/streams/queries/streams.ts';
export type {
  HitRequest,
  Hits,
  IndexableRow,
  IndexedBlock,
  IndexEntry,
  Indexing,
  SearchExpression,
  SearchStore,
} from '../features/reading/queries/search.ts';
export { IndexDamaged } from '../features/reading/queries/search.ts';
export type {
  Condition,
  PageSelection,
  NarrowPlace,
  Predicate,
} from '../features/reading/queries/narrow-sql.ts';
export type { UserGroup } from '../features/people/queries/user-groups.ts';
export type { SubscriptionColumn } from '../features/streams/queries/subscriptions.ts';
export type { AccountRow, NewAccount } from '../features/people/queries/users.ts';
