/** What a message said before, put into the wire shapes of the API (API decisions 5). */
import type { EditedPart, MessageEdit, MessageSnapshot } from '#shared/api/models/message.ts';
import type { MessageEditRow, MessageRow } from '#service/db/port.ts';

const editShape = (edit: MessageEditRow): MessageEdit => ({
  user_id: edit.editor_id,
  timestamp: edit.edited_at,
  ...(edit.prev_content === null || edit.prev_rendered === null
    ? {}
    : {
        prev_content: edit.prev_content,
        prev_rendered_content: edit.prev_rendered,
        prev_rendered_content_version: 1 as const,
      }),
  ...(edit.prev_topic === null ? {} : { prev_subject: edit.prev_topic }),
});

/** Newest first; what happened to the message only because another one was moved is not told here. */
export const editHistoryShape = (edits: readonly MessageEditRow[]): MessageEdit[] =>
  edits
    .filter((edit) => edit.is_named === 1)
    .map(editShape)
    .reverse();

/** What was changed, as far as the history of the message itself tells. */
export function editedParts(edits: readonly MessageEditRow[]): EditedPart[] {
  const named = edits.filter((edit) => edit.is_named === 1);
  const isMoved = named.some((edit) => edit.prev_topic !== null || edit.prev_stream_id !== null);
  return [
    ...(named.some((edit) => edit.prev_content !== null) ? (['content'] as const) : []),
    ...(isMoved ? (['place'] as const) : []),
  ];
}

type MessageVersion = Pick<MessageSnapshot, 'topic' | 'content' | 'rendered_content'>;

function changeShape(
  edit: MessageEditRow,
  version: MessageVersion,
  diff: (before: string, after: string) => string,
): Partial<MessageSnapshot> {
  const content =
    edit.prev_content === null || edit.prev_rendered === null
      ? {}
      : {
          prev_content: edit.prev_content,
          prev_rendered_content: edit.prev_rendered,
          content_html_diff: diff(edit.prev_rendered, version.rendered_content),
        };
  return edit.prev_topic === null ? content : { ...content, prev_topic: edit.prev_topic };
}

/**
 * Every version of a message, the original first.
 * @param edits  oldest first
 * @param diff   HTML of the new version, with what was changed marked
 */
export function historyShape(
  row: MessageRow,
  edits: readonly MessageEditRow[],
  diff: (before: string, after: string) => string,
): MessageSnapshot[] {
  let version: MessageVersion = {
    topic: row.topic ?? '',
    content: row.content,
    rendered_content: row.rendered,
  };
  const snapshots: MessageSnapshot[] = [];
  // Each line says what was there before, so the versions are unrolled from the present one backwards.
  for (const edit of edits.toReversed()) {
    snapshots.push({
      ...version,
      user_id: edit.editor_id,
      timestamp: edit.edited_at,
      ...changeShape(edit, version, diff),
    });
    version = {
      topic: edit.prev_topic ?? version.topic,
      content: edit.prev_content ?? version.content,
      rendered_content: edit.prev_rendered ?? version.rendered_content,
    };
  }
  snapshots.push({ ...version, user_id: row.sender_id, timestamp: row.sent_at });
  return snapshots.reverse();
}
