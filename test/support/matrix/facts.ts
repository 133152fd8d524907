/** Who may know what of places and of the messages in them (API decisions 3.3 and 10.5), as plain facts. */
import { listeners, type Member, type Name } from './cast.ts';

/** A kind of stream, or a conversation of those who are inside. */
export type Place =
  | 'public'
  | 'announcements'
  | 'shared'
  | 'protected'
  | 'private announcements'
  | 'archived'
  | 'archived private'
  | 'conversation';

/** Sent before anybody but its author came, while everybody was there who ever was, or after some had left. */
export type Moment = 'before' | 'held' | 'after';

/** What a call is about; without a message the moment says nothing. */
export interface Thing {
  readonly place: Place;
  readonly moment: Moment;
}

export type Test = (who: Member, thing: Thing) => boolean;
/** Whether somebody is told of what somebody did. */
export type Audience = (who: Member, by: Member, thing: Thing) => boolean;

const thing = (place: Place, ...moments: readonly Moment[]): readonly Thing[] =>
  moments.map((moment) => ({ place, moment }));

export const messages: readonly Thing[] = [
  ...thing('public', 'before', 'held'),
  ...thing('shared', 'before', 'held', 'after'),
  ...thing('protected', 'before', 'held', 'after'),
  ...thing('archived', 'before', 'held'),
  ...thing('archived private', 'before', 'held', 'after'),
  ...thing('conversation', 'held'),
];
const active: readonly Place[] = ['public', 'shared', 'protected'];
export const activeStreams = active.map((place): Thing => ({ place, moment: 'held' }));
const ended: readonly Place[] = ['archived', 'archived private'];
export const archivedStreams = ended.map((place): Thing => ({ place, moment: 'held' }));
export const streams = [...active, ...ended].map((place): Thing => ({ place, moment: 'held' }));
const quiet: readonly Place[] = ['announcements', 'private announcements'];
export const postingPlaces = [...active, ...quiet, ...ended].map((place): Thing => ({
  place,
  moment: 'held',
}));

export const not =
  (test: Test): Test =>
  (who, what) =>
    !test(who, what);
export const both =
  (...tests: readonly Test[]): Test =>
  (who, what) =>
    tests.every((test) => test(who, what));
export const either =
  (...tests: readonly Test[]): Test =>
  (who, what) =>
    tests.some((test) => test(who, what));

export const everybody: Test = () => true;
export const nobody: Test = () => false;
export const is =
  (name: Name): Test =>
  (who) =>
    who.name === name;
export const isPerson: Test = ({ bot }) => bot === null;
export const isMember: Test = ({ role }) => role !== 'guest';
export const isAdmin: Test = ({ role, bot }) => role === 'admin' && bot === null;
const isBotOf =
  (test: Test): Test =>
  ({ owner }, what) =>
    listeners.some((each) => each.name === owner && test(each, what));

const at =
  (...places: readonly Place[]): Test =>
  (_, { place }) =>
    places.includes(place);
export const isPrivate = not(at('public', 'announcements', 'archived'));
export const isArchived = at('archived', 'archived private');
export const isForAnnouncements = at('announcements', 'private announcements');
const isConversation = at('conversation');
export const isAlwaysIn: Test = ({ at: where, bot }, { place }) =>
  where === 'in' && (place !== 'conversation' || bot === null || bot === 'generic');

/** Archiving unsubscribes everybody. */
export const isSubscribed = both(isAlwaysIn, not(isArchived), not(isConversation));

export const holds: Test = (who, what) => {
  if (what.moment === 'before') return who.name === 'author';
  const wasIn = who.at === 'former' && what.moment === 'held' && what.place !== 'conversation';
  return wasIn || isAlwaysIn(who, what);
};

/** Who is subscribed has it, and to a public stream every member; archiving takes it from nobody. */
export const hasAccess = either(isAlwaysIn, both(not(isPrivate), isMember));
export const seesStream: Test = (who, what) =>
  !isArchived(who, what) &&
  (isSubscribed(who, what) || (isPrivate(who, what) ? isAdmin : isMember)(who, what));
export const readsHistory: Test = (who, what) =>
  !isArchived(who, what) &&
  (isPrivate(who, what)
    ? what.place === 'shared' && isSubscribed(who, what)
    : isMember(who, what) || isSubscribed(who, what));
export const reads = either(holds, readsHistory);
/** Reads it as it is now, and may do something to it. */
export const acts = both(reads, hasAccess);

/** A bot reaches what its owner reaches. */
const reaches = (test: Test): Test => either(test, isBotOf(test));
export const findsToPost = reaches(seesStream);
export const posts: Test = (who, what) => {
  if (isArchived(who, what)) return false;
  if (isForAnnouncements(who, what) && !reaches(isAdmin)(who, what)) return false;
  return reaches(isSubscribed)(who, what) || (!isPrivate(who, what) && isMember(who, what));
};

const audience =
  (test: Test): Audience =>
  (who, _, what) =>
    test(who, what);
export const self: Audience = (who, by) => who.name === by.name;
export const and =
  (...audiences: readonly Audience[]): Audience =>
  (who, by, what) =>
    audiences.some((each) => each(who, by, what));
export const others =
  (of: Audience): Audience =>
  (who, by, what) =>
    who.name !== by.name && of(who, by, what);
export const all = audience(everybody);
export const people = audience(isPerson);
export const allMembers = audience(isMember);
export const admins = audience(isAdmin);
export const only = (name: Name): Audience => audience(is(name));
export const subscribers = audience(isSubscribed);
/** Who is in an archived stream again, and who sees it then. */
export const returning = audience(isAlwaysIn);
export const seersOfReturned = audience((who, what) =>
  isPrivate(who, what) ? isAlwaysIn(who, what) || isAdmin(who, what) : isMember(who, what),
);
/** They find a message where its history is open to them, whether or not they hold it. */
export const followers = audience(both(isSubscribed, readsHistory));
/** Those who hold messages. */
export const holders = audience(holds);
export const holdersWithAccess = audience(both(holds, hasAccess));
/** Who is told of a stream and of who is in it: public = members, private = subscribers and administrators. */
export const streamSeers = audience((who, what) =>
  isPrivate(who, what) ? isSubscribed(who, what) || isAdmin(who, what) : isMember(who, what),
);
