/** Tells the owner of a bot what went wrong, so that nothing is lost unnoticed (API decisions 12.1). */
import type { Caller } from '../core/ports/handlers.ts';
import type { MessageOperations } from '../features/messages/operations/messages.ts';
import { truncateContent } from '../features/messages/rules/content.ts';
import { STREAM_NAME_CHARACTERS } from '#shared/api/bounds.ts';
import { cutCharacters } from '../core/rules/names.ts';
import { escapeMarkdown } from '../markdown/render.ts';

const QUIET_SECONDS = 300;
const MAX_REMEMBERED = 1000;

interface HeldBackNotices {
  readonly sinceSeconds: number;
  count: number;
}

/** A bot gets at most one notice of each kind in five minutes; later ones are counted in the next. */
export interface Notices {
  /** A message whose stream is missing: the notice carries it. Streams are kept apart. */
  readonly reportUndelivered: (caller: Caller, stream: string, content: string) => Promise<void>;
  /** A payload that the integration cannot read. Integrations are kept apart. */
  readonly reportUnreadable: (caller: Caller, integration: string, why: string) => Promise<void>;
  /** Deliveries above the limit, of which the inbox of the bot counts the rest. */
  readonly reportLimited: (caller: Caller, integration: string) => Promise<void>;
  /** A message that an outgoing webhook bot could not be told of, or whose answer could not be posted. */
  readonly reportFailedDelivery: (caller: Caller, reason: string) => Promise<void>;
}

/** Says whether a notice is due, and how many were held back before it. */
function createNoticeLimit(nowSeconds: () => number): (key: string) => number | undefined {
  const remembered = new Map<string, HeldBackNotices>();

  return (key) => {
    const earlier = remembered.get(key);
    if (earlier !== undefined && nowSeconds() - earlier.sinceSeconds < QUIET_SECONDS) {
      earlier.count += 1;
      return undefined;
    }
    remembered.delete(key);
    const oldest = remembered.keys().next();
    if (remembered.size >= MAX_REMEMBERED && oldest.done !== true) remembered.delete(oldest.value);
    remembered.set(key, { sinceSeconds: nowSeconds(), count: 0 });
    return earlier?.count ?? 0;
  };
}

export function createNotices(
  domain: Pick<MessageOperations, 'sendMessage'>,
  nowSeconds: () => number,
): Notices {
  const countHeldBack = createNoticeLimit(nowSeconds);

  async function tell(caller: Caller, content: string): Promise<void> {
    await domain.sendMessage(caller, {
      client: 'Internal',
      content: truncateContent(content),
      echo: null,
      target: {
        kind: 'private',
        recipients: { emails: [], userIds: [caller.ownerId ?? caller.userId] },
      },
    });
  }

  async function tellOwner(
    caller: Caller,
    subject: string,
    write: (more: string) => string,
  ): Promise<void> {
    const heldBack = countHeldBack(`${String(caller.userId)} ${subject}`);
    if (heldBack === undefined) return;
    const more = heldBack > 0 ? ` ${String(heldBack)} more could not be posted before.` : '';
    await tell(caller, write(more));
  }

  return {
    reportUndelivered(caller, stream, content) {
      const name = escapeMarkdown(
        cutCharacters(stream.replace(/\s+/g, ' '), STREAM_NAME_CHARACTERS),
      );
      return tellOwner(
        caller,
        `stream ${name.toLowerCase()}`,
        (more) =>
          `A message for the stream ${name} could not be posted, because there is no such stream.${more}\n\n${content}`,
      );
    },
    async reportLimited(caller, integration) {
      await tell(
        caller,
        `More was delivered from ${escapeMarkdown(integration)} within a minute than is posted of one bot. What is above the limit is refused, to be delivered again later; the bot's deliveries in the settings say how many.`,
      );
    },
    reportFailedDelivery: (caller, reason) =>
      tellOwner(
        caller,
        'delivery',
        (more) =>
          `A message for this bot could not be delivered to its address: ${escapeMarkdown(reason.replace(/\s+/g, ' '))}.${more}`,
      ),
    reportUnreadable: (caller, integration, why) =>
      tellOwner(
        caller,
        `integration ${integration}`,
        (more) =>
          `A message from ${escapeMarkdown(integration)} could not be posted, because ${why}.${more}`,
      ),
  };
}
