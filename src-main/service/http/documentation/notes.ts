/** What the names of parameters mean, where the name and the type do not say it. */
import { withThousands } from '#shared/text/thousands.ts';
import { CONTENT_BYTES, PAGE_MESSAGES, TOPIC_CHARACTERS } from '#shared/api/bounds.ts';

const byName: Readonly<Record<string, string>> = {
  all_public_streams: 'messages of every public stream, not only of those subscribed to',
  anchor: 'around which message the page lies',
  apply_markdown: 'content as HTML (true) or as it was written (false)',
  authorization_errors_fatal: 'refuse everything when one stream is refused',
  client: 'name of the program; otherwise taken from User-Agent',
  client_gravatar: 'avatar_url is null where the client can compute it',
  content: `Markdown, at most ${withThousands(CONTENT_BYTES)} bytes`,
  deliver_at: 'refused: messages are sent at once',
  delivery_type: 'only send_now',
  dont_block: 'answer at once, even with no events',
  emoji_code: 'code points in hexadecimal joined by -, or the id of a custom emoji',
  event_types: 'which events to receive; all when absent',
  fetch_event_types: 'which initial data to return; as event_types when absent',
  history_public_to_subscribers: 'new subscribers may read what was sent before',
  include_subscribers: 'list the subscribers of each stream',
  integration: 'name of the integration, such as helloworld',
  invite_only: 'make the new streams private',
  is_announcement_only: 'only administrators may post',
  last_event_id: 'the newest event that the client has; it and older ones are forgotten',
  local_id:
    "the client's own id, echoed in the event of its queue as local_message_id; a UUID (version 4 or 7) is accepted " +
    'once: repeating the same message answers its id, another message is refused',
  narrow:
    'which messages; terms are objects or [operator, operand]; beside the operators of Zulip, for messages only: ' +
    'sent-after (at or after a moment), sent-before (before one), sent-within (a list of two: at or after the first, ' +
    'before the second), in whole seconds since 1970 (UTC); an extension of Hearth',
  num_after: `messages after the anchor; at most ${withThousands(PAGE_MESSAGES)} in all`,
  num_before: `messages before the anchor; at most ${withThousands(PAGE_MESSAGES)} in all`,
  order:
    'relevance: the best of the newest 1,000 hits of a search first, at most num_before of them, with the anchor newest ' +
    'and num_after 0; an extension of Hearth',
  principals: 'e-mail addresses or user ids of others to subscribe or unsubscribe',
  propagate_mode: 'which messages of the topic move along',
  queue_id: 'as /register answered it',
  queue_lifespan_secs: 'seconds without a fetch after which the queue is gone, at most 86,400',
  reach:
    'held: messages that were received, as clients of Zulip know it; subscribed: also all history of the streams one is ' +
    'subscribed to; readable: also public streams one is not subscribed to; each as far as one may read it; an ' +
    'extension of Hearth',
  stream_id: 'id of the stream',
  to: "the stream's name or id; or a list of e-mail addresses or user ids",
  topic: `at most ${withThousands(TOPIC_CHARACTERS)} characters; required for a stream`,
  type: 'where the message goes; direct is private, channel is stream',
  widget_content: 'attached to the message as a submessage of the type widget',
  use_first_unread_anchor: 'take the first unread message as the anchor',
  known: 'pairs of the number of a message and the number of its last change',
  with_source:
    'messages also have source, the Markdown as it was written where content is HTML, and has_link, has_image, ' +
    'has_attachment, proof and, outside of events, is_held; an extension of Hearth',
  role: '200 administrator, 400 member, 600 guest',
  desktop_icon_count_display:
    'what the icon counts: 1 all unread, 2 private messages and mentions, 3 nothing',
  demote_inactive_streams:
    'quiet streams stand at the end of the list: 1 where there are many, 2 always, 3 never',
  interface_type:
    'how an outgoing webhook is written: 1 JSON of Hearth, 2 a form as Slack sends it',
  service_interface:
    'how an outgoing webhook is written: 1 JSON of Hearth, 2 a form as Slack sends it',
  create_stream_policy: 'who may create streams: 1 members, 2 administrators',
  invite_to_stream_policy: 'who may subscribe others: 1 members, 2 administrators',
  bot_creation_policy:
    '1 members make every bot, 2 generic bots are left to administrators, 3 all bots are',
  private_message_policy: '1 everybody may write in private, 2 only with bots',
  user_group_edit_policy: 'who may change user groups: 1 members, 2 administrators',
  ask_to_join_policy:
    'who may ask to join: 1 nobody, 2 people in the same network, 3 everybody who reaches the service',
  field_type:
    '1 short text, 2 long text, 3 one of several choices, 4 date, 5 address of a page, 6 people',
  invite_as: '1 member, 2 administrator, 3 guest',
  bot_type: '1 generic, 2 incoming webhook, 3 outgoing webhook',
  msg_type: 'what kind of data it is, such as widget',
  notifications_stream_id: 'where the service announces; -1 nowhere',
  upload_quota: 'bytes that all files may take together; below 0 any number',
  include_public: 'streams that everybody may join',
  include_subscribed: 'streams that one is subscribed to',
  only_events: 'of an integration: events that are posted; * stands for anything',
  exclude_events: 'of an integration: events that are not posted',
  branches: 'names of branches, with commas between, whose pushes are posted',
};

/** Phrases that only repeat the type. */
const isTrivial = (expected: string): boolean =>
  /^(?:a string|an integer|true or false|a value|a list of strings|one of .*)$/.test(expected);

/** @param expected  what is accepted, as errors say it */
export function noteOn(name: string, expected: string): string {
  const note = Object.hasOwn(byName, name) ? byName[name] : undefined;
  const phrases = [note, isTrivial(expected) ? undefined : expected];
  return phrases.filter((phrase) => phrase !== undefined).join('; ');
}
