/** Events as GET /events delivers them (API decisions 8.2). */
import { z } from 'zod';
import { accountEvents } from './events/account.ts';
import { attachmentEvents } from './events/attachment.ts';
import { messageEvents } from './events/message.ts';
import { presenceEvents } from './events/presence.ts';
import { reactionEvents } from './events/reaction.ts';
import { realmEvents } from './events/realm.ts';
import { streamEvents } from './events/stream.ts';
import { userEvents } from './events/user.ts';

/** Every event that the service emits. */
export const Event = z.union([
  ...messageEvents,
  ...streamEvents,
  ...userEvents,
  ...accountEvents,
  ...attachmentEvents,
  ...presenceEvents,
  ...reactionEvents,
  ...realmEvents,
]);

/** The types of all events, each once. */
export const eventTypeNames: readonly string[] = [
  ...new Set(Event.options.flatMap(({ shape }) => [...shape.type.values])),
];

export type Event = z.infer<typeof Event>;
export { MessageEvent } from './events/message.ts';
