/** What the rest of the service sees of the store. No layer above knows which engine is there. */
import type { LoggedEvent } from '../../contract/log.ts';
import { accountWrites } from './accounts.ts';
import { alertWordReads, alertWordWrites } from './alert-words.ts';
import { attachmentReads, attachmentWrites } from './attachments.ts';
import { emojiReads, emojiWrites } from './emoji.ts';
import { botReads, botWrites } from './bots.ts';
import { eventReads, eventWrites } from './events.ts';
import { flagWrites } from './flags.ts';
import { invitationReads, invitationWrites } from './invitations.ts';
import { messageDeleteReads, messageDeleteWrites } from './message-deletes.ts';
import { messageEditReads, messageEditWrites } from './message-edits.ts';
import { messageHourReads } from './message-hours.ts';
import { messageReads, messageWrites } from './messages.ts';
import { linkifierReads, linkifierWrites } from './linkifiers.ts';
import { localIdReads } from './local-ids.ts';
import { mutedTopicReads, mutedTopicWrites } from './muted-topics.ts';
import type { Port } from './operation.ts';
import { presenceReads, presenceWrites } from './presence.ts';
import { profileReads, profileWrites } from './profile-fields.ts';
import { reactionReads, reactionWrites } from './reactions.ts';
import { readMarkWrites } from './read-marks.ts';
import { realmReads, realmWrites } from './realm.ts';
import type { SearchStore } from './search.ts';
import { streamChangeWrites } from './stream-changes.ts';
import { streamReads, streamWrites } from './streams.ts';
import { submessageReads, submessageWrites } from './submessages.ts';
import { subscriptionWrites } from './subscriptions.ts';
import { trafficReads } from './traffic.ts';
import { unreadReads } from './unread-list.ts';
import { userGroupReads, userGroupWrites } from './user-groups.ts';
import { userReads, userWrites } from './users.ts';

export const reads = {
  ...realmReads,
  ...userReads,
  ...botReads,
  ...streamReads,
  ...mutedTopicReads,
  ...linkifierReads,
  ...messageReads,
  ...messageHourReads,
  ...localIdReads,
  ...unreadReads,
  ...trafficReads,
  ...alertWordReads,
  ...attachmentReads,
  ...messageEditReads,
  ...messageDeleteReads,
  ...emojiReads,
  ...reactionReads,
  ...submessageReads,
  ...userGroupReads,
  ...profileReads,
  ...invitationReads,
  ...presenceReads,
  ...eventReads,
};

export const writes = {
  ...realmWrites,
  ...userWrites,
  ...accountWrites,
  ...botWrites,
  ...streamWrites,
  ...streamChangeWrites,
  ...subscriptionWrites,
  ...mutedTopicWrites,
  ...linkifierWrites,
  ...messageWrites,
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
  'listActiveUsersByName',
  'listEmoji',
  'listLinkifiers',
  'findStream',
  'findStreamByName',
  'isMember',
  'listParticipantIds',
]);

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

export type { AccountChange, AccountFacts, BotServiceRow } from './accounts.ts';
export type { AttachmentRow } from './attachments.ts';
export type { EmojiRow } from './emoji.ts';
export type { PresenceRow, StatusRow } from './presence.ts';
export type { ReactionPayload, ReactionRow } from './reactions.ts';
export type { NewBot, NewDelivery } from './bots.ts';
export type { MembershipRange, QueueRow, Registration } from './events.ts';
export type { DeleteEvent } from './message-deletes.ts';
export type { EditEvents, EditFacts, EditPlan, MessageEditRow, MovePlan } from './message-edits.ts';
export { MessageMoved } from './message-edits.ts';
export type { Holders } from './message-moves.ts';
export type {
  AppendedMessage,
  MessageRow,
  NewMessage,
  Page,
  PersonalMessageRow,
} from './messages.ts';
export type { SettableFlag } from './flags.ts';
export type { UnreadRow } from './unread-list.ts';
export type { InvitationRow, Uninvited } from './invitations.ts';
export type { LinkifierRow } from './linkifiers.ts';
export type { LocalId } from './local-ids.ts';
export type { NewEvent } from './operation.ts';
export type {
  AnswerGone,
  ProfileAnswer,
  ProfileFieldRow,
  ProfileValueRow,
} from './profile-fields.ts';
export type { NewRealm, RealmChange, RealmRow, SettingValue } from './realm.ts';
export type { StreamChange, StreamChangeEvents } from './stream-changes.ts';
export type { FactName, Facts } from './registration.ts';
export type {
  NewStream,
  StreamRow,
  StreamTarget,
  SubscribeEvents,
  SubscribeResult,
  SubscriptionRow,
} from './streams.ts';
export type {
  HitRequest,
  Hits,
  IndexableRow,
  IndexEntry,
  SearchClause,
  SearchExpression,
  SearchStore,
} from './search.ts';
export type { Condition, PageSelection, Predicate } from './selection.ts';
export { StreamsChanged } from './streams.ts';
export type { UserGroup } from './user-groups.ts';
export type { SubscriptionChange, SubscriptionColumn, UnsubscribeResult } from './subscriptions.ts';
export type { AccountRow, NewAccount } from './users.ts';
