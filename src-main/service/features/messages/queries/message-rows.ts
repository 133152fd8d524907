/** Messages as they are read. */

export type Flag = 0 | 1;

/** A message with its topic and the requesting account's flags. */
export interface MessageRow {
  readonly id: number;
  readonly recipient_id: number;
  readonly stream_id: number | null;
  readonly stream_name: string | null;
  /** Null for a private message. */
  readonly topic: string | null;
  readonly sender_id: number;
  readonly client: string;
  readonly content: string;
  readonly rendered: string;
  readonly is_me_message: Flag;
  readonly has_wildcard_mention: Flag;
  readonly has_link: Flag;
  readonly has_image: Flag;
  readonly has_attachment: Flag;
  /** UNIX seconds. */
  readonly sent_at: number;
  readonly edited_at: number | null;
  /** Numbers the last change; grows with each. 0 for a message as it was sent. */
  readonly edit_number: number;
  /** UNIX seconds; null unless a member gave it back after a restore. */
  readonly recovered_at: number | null;
  /** Whether some account may see it, or the name of its stream, as it was before. */
  readonly has_versions?: Flag;
}

/** What a message takes in memory beside its texts. */
const ENTRY_BYTES = 2000;

/** About what a message takes in memory: its texts, and the JSON of its ways of being rendered. */
export const bytesOfMessage = ({
  content,
  rendered,
}: Pick<MessageRow, 'content' | 'rendered'>): number =>
  ENTRY_BYTES + 3 * (content.length + rendered.length);

export interface PersonalMessageRow extends MessageRow {
  readonly is_held: Flag;
  /** The account may no longer read what becomes of it, nor do anything to it. */
  readonly is_lost: Flag;
  /** The last change that the account sees; null where it sees the message as it is now. */
  readonly kept_edit_id: number | null;
  readonly is_read: Flag;
  /** Flags beside `read`, joined by blanks; null where none is set. */
  readonly flags: string | null;
  /** The message as everybody sees it: the same object until that may have changed. Only where it is kept in memory. */
  readonly shared?: MessageRow;
}
