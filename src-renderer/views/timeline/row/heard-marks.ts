import type { ShownMessage } from '#shared/bridge/models/client.ts';
import { timelineWords as text } from '#renderer/i18n/timeline.ts';

/** What of a message is heard behind its text: reactions, and how many files it has. */
export function marksOf({ rendered, reactions }: ShownMessage): string {
  // An image is linked by its name and by its preview.
  const files = new Set(rendered.match(/href="\/user_uploads\/[^"]*"/g)).size;
  return [
    ...reactions.map(({ name, userIds }) => text.given(name, userIds.length)),
    ...(files > 0 ? [text.attachments(files)] : []),
  ].join(', ');
}
