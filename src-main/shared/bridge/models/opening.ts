import type { MessagePageRequest, View } from './client.ts';

/** On either side of the message at which a view opens. */
export const AROUND_MESSAGES = 50;

/** In these nothing is unread. */
const isWithoutUnread = ({ kind }: View): boolean => kind === 'search' || kind === 'starred';

/** How a view is asked for that opens where reading stopped. */
export const openingOf = (view: View): MessagePageRequest => ({
  view,
  anchor: isWithoutUnread(view) ? 'newest' : 'first-unread',
  before: AROUND_MESSAGES,
  after: AROUND_MESSAGES,
});
