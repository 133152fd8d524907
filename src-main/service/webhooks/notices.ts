/** Tells the owner of a bot what could not be posted, so that nothing is lost (API decisions, section 12.1). */
import type { Caller } from '../../contract/handlers.ts';
import type { MessageOperations } from '../domain/messages.ts';
import { truncateContent } from '../domain/rules/content.ts';
import { cutCharacters, MAX_STREAM_NAME_CHARACTERS } from '../domain/rules/names.ts';
import { escapeMarkdown } from '../markdown/render.ts';

const QUIET_SECONDS = 300;
const MAX_REMEMBERED = 1000;

interface Remembered {
  readonly sinceSeconds: number;
  count: number;
}

export interface Notices {
  /** At most one notice for a bot and a stream in five minutes; later ones are counted in the next. */
  readonly reportUndelivered: (caller: Caller, stream: string, content: string) => Promise<void>;
}

export function createNotices(
  domain: Pick<MessageOperations, 'sendMessage'>,
  nowSeconds: () => number,
): Notices {
  const remembered = new Map<string, Remembered>();

  return {
    async reportUndelivered(caller, stream, content) {
      const key = `${String(caller.userId)} ${stream.toLowerCase()}`;
      const earlier = remembered.get(key);
      if (earlier !== undefined && nowSeconds() - earlier.sinceSeconds < QUIET_SECONDS) {
        earlier.count += 1;
        return;
      }
      remembered.delete(key);
      const oldest = remembered.keys().next();
      if (remembered.size >= MAX_REMEMBERED && oldest.done !== true)
        remembered.delete(oldest.value);
      remembered.set(key, { sinceSeconds: nowSeconds(), count: 0 });
      const name = escapeMarkdown(
        cutCharacters(stream.replace(/\s+/g, ' '), MAX_STREAM_NAME_CHARACTERS),
      );
      const more =
        earlier !== undefined && earlier.count > 0
          ? ` ${String(earlier.count)} more could not be posted before.`
          : '';
      await domain.sendMessage(caller, {
        client: 'Internal',
        content: truncateContent(
          `A message for the stream ${name} could not be posted, because there is no such stream.${more}\n\n${content}`,
        ),
        echo: null,
        target: {
          kind: 'private',
          recipients: { emails: [], userIds: [caller.ownerId ?? caller.userId] },
        },
      });
    },
  };
}
