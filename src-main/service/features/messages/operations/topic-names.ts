/** What a topic may be called where messages come to it (API decisions 2.5 and 2.6). */
import { fold, visualKeyOf } from '#shared/text/fold.ts';
import { withoutInvisible, invisibleIn } from '#shared/text/invisible-characters.ts';
import type { Caller } from '#service/core/ports/handlers.ts';
import type { Operation, Reading } from '#service/db/port.ts';
import { checkVisible } from '#service/core/rules/names.ts';

export const NO_TOPIC_NAME = '(no topic)';

/** So many topics with more than ASCII are looked through for each new one. */
const MOST_UNEVEN = 2000;

/** The newest topic of the stream that a reader would call the same. @param besides  one that is being renamed */
function* topicOfSameLook(
  tx: Reading,
  streamId: number,
  topic: string,
  besides: string | undefined,
): Operation<string | undefined> {
  const look = visualKeyOf(topic);
  const isOther = (name: string): boolean => besides === undefined || fold(name) !== fold(besides);
  const plain = look === fold(topic) ? undefined : yield* tx.findTopicName(streamId, look);
  if (plain !== undefined && isOther(plain)) return plain;
  const uneven = yield* tx.listUnevenTopics(streamId, MOST_UNEVEN);
  return uneven.find((name) => visualKeyOf(name) === look && isOther(name));
}

/**
 * Step: the topic that is written to. One that exists stays as it is called, and is joined by what a reader would call the same; for
 * bots, who cannot choose another name, what nobody sees is left out.
 * @param topic    of one line
 * @param besides  the topic that is being renamed, which may be called otherwise from now on
 * @throws BAD_REQUEST for a person's new topic with what nobody sees
 */
export function* openTopicName(
  tx: Reading,
  caller: Pick<Caller, 'botType'>,
  { streamId, topic, besides }: { streamId: number; topic: string; besides?: string | undefined },
): Operation<string> {
  if ((yield* tx.findTopicName(streamId, fold(topic))) !== undefined) return topic;
  const isSeen = invisibleIn(topic) === undefined;
  if (!isSeen && caller.botType === null) return checkVisible(topic, 'topic');
  const cleaned = isSeen
    ? topic
    : withoutInvisible(topic).replace(/\s+/g, ' ').trim() || NO_TOPIC_NAME;
  return (yield* topicOfSameLook(tx, streamId, cleaned, besides)) ?? cleaned;
}
