/** What the list of messages tells and asks. */
import type {
  Conversation,
  MessagePage,
  MessagePageRequest,
  ShownMessage,
  View,
} from '#shared/bridge/models/client.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import type { Bridge } from '#preload/bridge.ts';
import { timelineWords } from '#renderer/i18n/timeline.ts';
import { words } from '#renderer/i18n/common.ts';
import { isSameView } from '../places/places.ts';

export const PAGE_MESSAGES = 100;

/** Where the list is to stand. Every one is another object, so that the same place can be asked for twice. */
export interface Landing {
  /** Null for the end. */
  readonly messageId: number | null;
  /** The message itself was asked for: it is shown in the middle and marked for a moment. */
  readonly isAskedFor: boolean;
  /** And gets the focus. */
  readonly takesFocus: boolean;
}

export interface TimelineWatch {
  /** Told of every message that joins the view and is somebody else's. */
  readonly onArrival: (message: ShownMessage) => void;
  /**
   * Everything that was shown of a topic is in another one now. @param readId  what the reader sees; null at the newest
   */
  readonly onMoved: (from: TopicPlace, to: Conversation, readId: number | null) => void;
  /** The message that was asked for in the view is in another conversation. @param isReading  the view shows others already */
  readonly onElsewhere: (to: Conversation, messageId: number, isReading: boolean) => void;
  /** Whether somebody looks at the window, and did when the message was sent. */
  readonly isWatched: (message: ShownMessage) => boolean;
}

export type TopicPlace = Extract<Conversation, { kind: 'stream' }>;

/** Where everything that was shown of a topic went as one; undefined where it did not. */
export function moveOf(
  view: View,
  shown: readonly ShownMessage[],
  changed: readonly ShownMessage[],
): { readonly from: TopicPlace; readonly to: Conversation } | undefined {
  if (view.kind !== 'stream' || view.topic === null) return undefined;
  const byId = new Map(changed.map((message) => [message.id, message]));
  const places = shown.map(({ id }) => byId.get(id)?.conversation);
  const [to] = places;
  const isOne = places.every((place) => place !== undefined && isSameView(place, to ?? null));
  if (to === undefined || !isOne) return undefined;
  return { from: { kind: 'stream', streamId: view.streamId, topic: view.topic }, to };
}

export const isRankedView = (view: View | null): boolean =>
  view?.kind === 'search' && view.order === 'relevance';

/** All that there is of hits that are ranked. */
const rankedPage = { anchor: 'newest', before: PAGE_MESSAGES, after: 0 } as const;

export const hasMessage = ({ messages }: MessagePage, id: number): boolean =>
  messages.some((message) => message.id === id);

export const missingWords = ({ isComplete }: MessagePage): string =>
  isComplete ? timelineWords.messageGone : timelineWords.messageNotKept;

export async function askPage(
  bridge: Pick<Bridge, 'messages'>,
  accountId: string,
  request: MessagePageRequest,
): Promise<Outcome<MessagePage>> {
  const { view } = request;
  try {
    return await bridge.messages(accountId, isRankedView(view) ? { view, ...rankedPage } : request);
  } catch {
    // A rejection is a bug on the other side, which logs it; here it is one more reason for no messages.
    return { ok: false, failure: { code: 'INTERNAL_ERROR', message: words.bug } };
  }
}
