import type { MessageEvent } from '#shared/api/events.ts';
import type { Message } from '#shared/api/models/message.ts';

/**
 * Null stands for the gravatar, which a client finds by itself. The service gives its address with single
 * messages all the same, and two answers must not say two things of a person.
 */
export const cachedAvatar = (url: string | null): string | null =>
  url?.startsWith('https://secure.gravatar.com/') === true ? null : url;

/**
 * A message without what belongs to the search that found it, and without what it said before: that is asked for when it is
 * looked at, and events do not tell whether the organization shows it.
 */
export function cachedMessage(message: Message): Message {
  const {
    match_content: _content,
    match_subject: _subject,
    edit_history: _history,
    is_held: _isHeld,
    ...kept
  } = message;
  return { ...kept, avatar_url: cachedAvatar(kept.avatar_url) };
}

/** A message as an event brought it. */
export const messageOfEvent = ({ message, flags }: MessageEvent): Message => ({
  ...message,
  flags,
});
