/** How changes of messages are put into events (API decisions 8.2 and 8.3). */
import { marksOfAll } from '#shared/api/models/message-marks.ts';
import type { Audience } from '#service/db/event-log.ts';
import type {
  AccountRow,
  Deleted,
  EditFacts,
  NewEntry,
  NewEvent,
  NewRecord,
  PayloadOf,
} from '#service/db/port.ts';
import { inBatches, type AuditEntryMaker } from '#service/features/organization/rules/audit.ts';
import { markShape } from '#service/core/rules/shapes.ts';
import { byPart, messagesOf, moveGroups } from '../rules/move-audience.ts';

type Payload = PayloadOf<'update_message'>;

type DeletedMessage = Deleted['message'];

const deleted = (audience: Audience, message: DeletedMessage): NewEvent => ({
  type: 'delete_message',
  audience,
  payload: {
    message_id: message.id,
    message_type: message.stream_id === null ? 'private' : 'stream',
    sender: message.sender_email,
    sender_id: message.sender_id,
    ...(message.stream_id === null
      ? { recipient_id: message.recipient_id }
      : { stream_id: message.stream_id, topic: message.topic }),
  },
});

const gone = (messageId: number, userIds: readonly number[]): NewEvent => ({
  type: 'delete_message',
  audience: { kind: 'users', userIds },
  payload: { message_id: messageId },
});

/** Where the messages are others': an entry for each author and stream, and never what was in them. */
function deletionEntries(
  rows: readonly DeletedMessage[],
  actorId: number,
  note: AuditEntryMaker,
): readonly NewEntry[] {
  const others = rows.filter((row) => row.sender_id !== actorId);
  const groups = Map.groupBy(others, (row) => `${row.sender_id} ${String(row.stream_id)}`);
  return [...groups.values()].flatMap((group) => {
    const { sender_id: userId = null, stream_id: streamId = null } = group[0] ?? {};
    return inBatches(group.map((row) => row.id)).map((ids) =>
      note('messages_deleted', { userId, streamId, details: { message_ids: ids } }),
    );
  });
}

/**
 * What is told of messages that were deleted, and what the audit log keeps of them.
 * @param actorId  who deletes: what they wrote themselves is not worth an entry
 */
export const deleteRecords = (
  all: readonly Deleted[],
  actorId: number,
  note: AuditEntryMaker,
): readonly NewRecord[] => [
  ...all.flatMap(({ message, audience, formerIds }) => [
    deleted(audience, message),
    ...(formerIds.length === 0 ? [] : [gone(message.id, formerIds)]),
  ]),
  ...deletionEntries(
    all.map(({ message }) => message),
    actorId,
    note,
  ),
];

const contentKeys = ({ before, after }: EditFacts): Partial<Payload> => ({
  orig_content: before.content,
  orig_rendered_content: before.rendered,
  prev_rendered_content_version: 1,
  content: after.content,
  rendered_content: after.rendered,
  ...markShape(after, marksOfAll),
});

function placeKeys({ before, after, moved }: EditFacts, info: EditInfo): Partial<Payload> {
  if (moved === null) return {};
  const isTopicEdit = before.topic !== after.topic;
  return {
    orig_subject: before.topic ?? '',
    ...(moved.to.id === moved.from.id ? {} : { new_stream_id: moved.to.id }),
    ...(isTopicEdit
      ? {
          subject: after.topic ?? '',
          subject_links: info.subjectLinks,
          propagate_mode: info.propagate,
        }
      : {}),
  };
}

export interface EditInfo {
  readonly editor: Pick<AccountRow, 'id' | 'email'>;
  /** UNIX seconds. */
  readonly editedAt: number;
  readonly isContentEdit: boolean;
  readonly propagate: NonNullable<Payload['propagate_mode']>;
  /** Links in the new topic. */
  readonly subjectLinks: readonly string[];
  /** By id, for the messages as they are now. */
  readonly proofs: ReadonlyMap<number, string>;
}

/** The event without the receiver's flags, which are put in when it is delivered. */
function updatePayload(facts: EditFacts, info: EditInfo, messageIds: readonly number[]): Payload {
  const { before } = facts;
  const isNamedTold = messageIds.includes(before.id);
  return {
    message_id: isNamedTold ? before.id : (messageIds[0] ?? before.id),
    message_ids: messageIds,
    user_id: info.editor.id,
    sender: info.editor.email,
    edit_timestamp: info.editedAt,
    ...(before.stream_id === null
      ? {}
      : { stream_id: before.stream_id, stream_name: before.stream_name ?? '' }),
    ...(info.isContentEdit && isNamedTold ? contentKeys(facts) : {}),
    ...placeKeys(facts, info),
    proofs: Object.fromEntries(messageIds.map((id) => [id, info.proofs.get(id) ?? ''])),
  };
}

const update = (audience: Audience, payload: Payload): NewEvent => ({
  type: 'update_message',
  audience,
  payload,
});

/** Who may read the target and held the messages before, or follows a stream whose history is open to them. */
function openAccounts(moved: NonNullable<EditFacts['moved']>): readonly number[] {
  const isOpen = (stream: typeof moved.to): boolean => stream.is_history_public === 1;
  const followers = isOpen(moved.to) ? moved.after.memberIds : [];
  if (moved.to.id === moved.from.id || moved.to.is_private === 1) return followers;
  const former = [
    ...moved.before.held.keys(),
    ...(isOpen(moved.from) ? moved.before.memberIds : []),
  ];
  return [...followers, ...former.filter((id) => !moved.barredIds.has(id))];
}

/** To those who lose a message it is deleted. */
function* lossEvents({ before, moved }: EditFacts): Generator<NewEvent> {
  if (moved === null || moved.lost.length === 0) return;
  const open = moved.from.is_history_public === 1 ? moved.before.memberIds : [];
  const { stream_id, recipient_id } = before;
  const groups = moveGroups(moved.before, moved.ids.length, open).map((group) => ({
    ...group,
    userIds: group.userIds.filter((id) => moved.barredIds.has(id)),
  }));
  for (const [[from, until], userIds] of byPart(groups)) {
    const formerIds = userIds.filter((id) => moved.formerIds.has(id));
    const presentIds = userIds.filter((id) => !moved.formerIds.has(id));
    const audience = { kind: 'users', userIds: presentIds } as const;
    for (const message of moved.lost.slice(from, until)) {
      if (presentIds.length > 0) yield deleted(audience, { ...message, stream_id, recipient_id });
      if (formerIds.length > 0) yield gone(message.id, formerIds);
    }
  }
}

/** To somebody who is not where the messages come from: of another stream they learn the id alone. */
function toNewcomers(payload: Payload): Payload {
  const { stream_name: _, ...rest } = payload;
  return rest;
}

/** To everybody who may see the messages where they stand now. */
function* moveEvents(
  facts: EditFacts,
  moved: NonNullable<EditFacts['moved']>,
  info: EditInfo,
): Generator<NewEvent> {
  const groups = moveGroups(moved.after, moved.ids.length, openAccounts(moved));
  const isElsewhere = moved.to.id !== moved.from.id;
  const known = new Set(
    [...moved.before.held.keys(), ...moved.before.memberIds].filter(
      (id) => !moved.formerIds.has(id),
    ),
  );
  for (const group of groups) {
    const payload = updatePayload(facts, info, messagesOf(group, moved.ids));
    const newIds = isElsewhere ? group.userIds.filter((id) => !known.has(id)) : [];
    const userIds =
      newIds.length === 0 ? group.userIds : group.userIds.filter((id) => known.has(id));
    if (newIds.length === 0 || userIds.length > 0)
      yield update({ kind: 'users', userIds }, payload);
    if (newIds.length > 0) yield update({ kind: 'users', userIds: newIds }, toNewcomers(payload));
  }
}

/** Events of an edit: to everybody who may see the message afterwards, and to those who no longer may. */
export function* editEvents(facts: EditFacts, info: EditInfo): Generator<NewEvent> {
  const { before, audience, moved } = facts;
  if (moved === null) {
    yield update(audience, updatePayload(facts, info, [before.id]));
    return;
  }
  yield* moveEvents(facts, moved, info);
  yield* lossEvents(facts);
}
