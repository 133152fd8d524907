/** How changes of messages are put into events (API decisions, sections 8.2 and 8.3). */
import type { Audience } from '../../contract/log.ts';
import type { AccountRow, DeleteEvent, EditEvents, EditFacts, NewEvent } from '../store/port.ts';
import { heldBy, moveGroups, subscribersOf } from './rules/move-audience.ts';

type Payload = NewEvent['payload'];

type Gone = Parameters<DeleteEvent>[0];

const deleted = (audience: Audience, message: Gone): NewEvent => ({
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

export const deleteEvent: DeleteEvent = (message, audience) => deleted(audience, message);

const contentKeys = ({ before, after }: EditFacts): Payload => ({
  orig_content: before.content,
  orig_rendered_content: before.rendered,
  prev_rendered_content_version: 1,
  content: after.content,
  rendered_content: after.rendered,
  is_me_message: after.is_me_message === 1,
});

function placeKeys({ before, after, moved }: EditFacts, info: EditInfo): Payload {
  if (moved === null) return {};
  const isTopicEdit = before.topic !== after.topic;
  return {
    orig_subject: before.topic,
    ...(moved.to.id === moved.from.id ? {} : { new_stream_id: moved.to.id }),
    ...(isTopicEdit
      ? {
          subject: after.topic,
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
  readonly propagate: string;
  /** Of the new topic. */
  readonly subjectLinks: readonly string[];
}

/** The event without the receiver's flags, which are put in when it is delivered. */
function updatePayload(facts: EditFacts, info: EditInfo, messageIds: readonly number[]): Payload {
  const { before } = facts;
  const isNamedTold = messageIds.includes(before.id);
  return {
    message_id: isNamedTold ? before.id : messageIds[0],
    message_ids: messageIds,
    user_id: info.editor.id,
    sender: info.editor.email,
    edit_timestamp: info.editedAt,
    ...(before.stream_id === null
      ? {}
      : { stream_id: before.stream_id, stream_name: before.stream_name }),
    ...(info.isContentEdit && isNamedTold ? contentKeys(facts) : {}),
    ...placeKeys(facts, info),
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
  const followers = isOpen(moved.to) ? subscribersOf(moved.after) : [];
  if (moved.to.id === moved.from.id || moved.to.is_private === 1) return followers;
  const former = [
    ...heldBy(moved.before, moved.ids).keys(),
    ...(isOpen(moved.from) ? subscribersOf(moved.before) : []),
  ];
  return [...followers, ...former.filter((id) => !moved.barredIds.has(id))];
}

/** To those who lose a message it is deleted. */
function lossEvents({ before, moved }: EditFacts): readonly NewEvent[] {
  if (moved === null || moved.barredIds.size === 0) return [];
  const open = moved.from.is_history_public === 1 ? subscribersOf(moved.before) : [];
  const groups = moveGroups(moved.before, moved.ids, open).map(({ userIds, messageIds }) => ({
    userIds: userIds.filter((id) => moved.barredIds.has(id)),
    messageIds: new Set(messageIds),
  }));
  return moved.messages.flatMap((message) => {
    const userIds = groups.flatMap((group) =>
      group.messageIds.has(message.id) ? group.userIds : [],
    );
    const place = { ...message, stream_id: before.stream_id, recipient_id: before.recipient_id };
    return userIds.length === 0 ? [] : [deleted({ kind: 'users', userIds }, place)];
  });
}

/** Events of an edit: to everybody who may see the message afterwards, and to those who no longer may. */
export const editEvents =
  (info: EditInfo): EditEvents =>
  (facts) => {
    const { before, audience, moved } = facts;
    if (moved === null) return [update(audience, updatePayload(facts, info, [before.id]))];
    const groups = moveGroups(moved.after, moved.ids, openAccounts(moved));
    return [
      ...groups.map(({ userIds, messageIds }) =>
        update({ kind: 'users', userIds }, updatePayload(facts, info, messageIds)),
      ),
      ...lossEvents(facts),
    ];
  };
