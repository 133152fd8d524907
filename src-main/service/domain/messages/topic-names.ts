/** What a topic may be called where messages come to it (API decisions 2.5). */
import { fold } from '../../../contract/fold.ts';
import { asSeen, unseenIn } from '../../../contract/visible.ts';
import type { Caller } from '../../ports/handlers.ts';
import type { Operation, Reading } from '../../store/port.ts';
import { checkVisible } from '../rules/names.ts';

export const NO_TOPIC_NAME = '(no topic)';

/**
 * Step: the topic that is written to. One that exists stays as it is called; for bots, who cannot choose another name, what nobody sees
 * is left out.
 * @param topic  of one line
 * @throws BAD_REQUEST for a person's new topic with what nobody sees
 */
export function* openTopicName(
  tx: Reading,
  caller: Pick<Caller, 'botType'>,
  streamId: number,
  topic: string,
): Operation<string> {
  if (unseenIn(topic) === undefined || (yield* tx.hasTopic(streamId, fold(topic)))) return topic;
  if (caller.botType === null) return checkVisible(topic, 'Topic');
  return asSeen(topic).replace(/\s+/g, ' ').trim() || NO_TOPIC_NAME;
}
