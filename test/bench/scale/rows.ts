/** What is asked of an organization to see how its cost grows with the messages. */
import { get, post } from '../load/requests.ts';
import { type Account, streamName } from '../seed.ts';
import {
  FIRST_WITHOUT_FILES,
  LARGE_TOPIC,
  largeStream,
  RARE,
  SMALL_TOPIC,
  type who,
} from './organization.ts';

type Who = keyof typeof who;

/** What of an organization a request may name. */
export interface Place {
  readonly messages: number;
  /** In the stream that everybody is in: the newest of the large topic, and one in the middle. */
  readonly newestOfTopic: number;
  readonly inLarge: readonly number[];
  /** A message of `mentioned`. */
  readonly own: number;
  readonly account: (which: Who) => Account;
}

export interface ScaleRow {
  readonly name: string;
  /** Why it costs more with more messages; absent where it may not. */
  readonly grows?: `bounded by ${string}` | `linear: ${string}`;
  /** Why its longest turn may be longer than 50 ms, at most 200: no member can ask for it. */
  readonly exception?: string;
  /** It takes long, or changes much: it is asked for no more than this. */
  readonly rounds?: number;
  readonly request: (place: Place, round: number) => string;
}

type Term = readonly [operator: string, operand: string | number, negated?: true];

const narrowOf = (terms: readonly Term[]): string =>
  JSON.stringify(
    terms.map(([operator, operand, negated = false]) => ({ operator, operand, negated })),
  );

interface Asked {
  readonly anchor?: string | ((place: Place) => number);
  readonly by?: Who;
  readonly fields?: Readonly<Record<string, string | number>>;
}

/** A page of 100. */
const page =
  (terms: readonly Term[], { anchor = 'newest', by = 'mentioned', fields = {} }: Asked = {}) =>
  (place: Place): string =>
    get(place.account(by), '/messages', {
      ...{
        anchor: typeof anchor === 'string' ? anchor : anchor(place),
        num_before: 50,
        num_after: 50,
      },
      narrow: narrowOf(terms),
      ...fields,
    });

/** As the window asks. */
const search = (operand: string, terms: readonly Term[] = [], fields: Asked['fields'] = {}) =>
  page([['search', operand], ...terms], { fields: { reach: 'readable', ...fields } });

const middle = (place: Place): number => Math.floor(place.messages / 2);
const withoutFiles = Array.from({ length: 40 }, (_, index) => FIRST_WITHOUT_FILES + index).find(
  (stream) => (7 + stream * 13) % 29 === 0,
);

const pages: readonly ScaleRow[] = [
  { name: 'the newest page', request: page([]) },
  { name: 'a page in the middle', request: page([], { anchor: middle }) },
  { name: 'the newest page of the large stream', request: page([['stream', largeStream]]) },
  {
    name: 'its middle',
    request: page([['stream', largeStream]], { anchor: middle }),
  },
  {
    name: 'the large topic',
    request: page([
      ['stream', largeStream],
      ['topic', LARGE_TOPIC],
    ]),
  },
  {
    name: 'an old topic',
    request: page([
      ['stream', largeStream],
      ['topic', SMALL_TOPIC],
    ]),
  },
  {
    name: 'a topic that is not there',
    request: page([
      ['stream', largeStream],
      ['topic', 'no such topic'],
    ]),
  },
  { name: 'a topic of any stream', request: page([['topic', SMALL_TOPIC]]) },
  { name: 'of one sender', request: page([['sender', 'user77@example.com']]) },
  { name: 'is:private', request: page([['is', 'private']]) },
  { name: 'is:private of one with few', request: page([['is', 'private']], { by: 'quiet' }) },
  {
    name: 'is:private and has:attachment of one with few',
    request: page(
      [
        ['is', 'private'],
        ['has', 'attachment'],
      ],
      { by: 'quiet' },
    ),
  },
  {
    name: 'a conversation',
    request: page([['pm-with', 'user10@example.com']], { by: 'quiet' }),
  },
  { name: 'group-pm-with', request: page([['group-pm-with', 'user10@example.com']]) },
  { name: 'is:starred', request: page([['is', 'starred']]) },
  { name: 'is:mentioned', request: page([['is', 'mentioned']]) },
  { name: 'is:alerted, none', request: page([['is', 'alerted']]) },
  { name: 'is:unread', request: page([['is', 'unread']]) },
  { name: 'is:unread of one who was away', request: page([['is', 'unread']], { by: 'behind' }) },
  {
    name: 'the first unread of one who was away',
    request: page([], { anchor: 'first_unread', by: 'behind' }),
  },
  {
    name: 'the first unread in the large stream',
    request: page([['stream', largeStream]], { anchor: 'first_unread', by: 'behind' }),
  },
  { name: 'not of the large stream', request: page([['stream', largeStream, true]]) },
  { name: 'streams:public', request: page([['streams', 'public']]) },
];

const marked: readonly ScaleRow[] = ['link', 'image', 'attachment'].flatMap((what) => [
  { name: `has:${what}`, request: page([['has', what]]) },
  {
    name: `has:${what} and streams:public`,
    request: page([
      ['has', what],
      ['streams', 'public'],
    ]),
  },
  {
    name: `has:${what} in a stream without`,
    request: page([
      ['has', what],
      ['stream', streamName(what === 'link' ? 0 : (withoutFiles ?? 0))],
    ]),
  },
  {
    name: `has:${what} and is:starred`,
    request: page([
      ['has', what],
      ['is', 'starred'],
    ]),
  },
  { name: `without has:${what}`, request: page([['has', what, true]]) },
]);

const searches: readonly ScaleRow[] = [
  { name: 'a search for a rare word', request: search(RARE) },
  { name: 'a search for a common word', request: search('ba') },
  { name: 'a search for no word there is', request: search('nothinglikethis') },
  { name: 'a search for a phrase', request: search('"ba ce"') },
  { name: 'a search for a prefix', request: search('ba*') },
  {
    name: 'a search for a common word, the best first',
    request: search('ba', [], { order: 'relevance', num_after: 0 }),
  },
  { name: 'a common word that is starred', request: search('ba', [['is', 'starred']]) },
  {
    name: 'a common word where one is mentioned',
    grows: 'bounded by 1,000 messages, which are looked through',
    request: search('ba', [['is', 'mentioned']]),
  },
  {
    name: 'a rare word where one is mentioned',
    grows: 'bounded by 1,000 messages, which are looked through',
    request: search(RARE, [['is', 'mentioned']]),
  },
  {
    name: 'a common word in the large topic',
    request: search('ba', [
      ['stream', largeStream],
      ['topic', LARGE_TOPIC],
    ]),
  },
  { name: 'a common word in private messages', request: search('ba', [['is', 'private']]) },
  { name: 'a common word in unread messages', request: search('ba', [['is', 'unread']]) },
  { name: 'a common word with an image', request: search('ba', [['has', 'image']]) },
  {
    name: 'a common word of one sender',
    request: search('ba', [['sender', 'user77@example.com']]),
  },
  {
    name: 'a common word in an old topic',
    request: search('ba', [
      ['stream', largeStream],
      ['topic', SMALL_TOPIC],
    ]),
  },
];

const lists: readonly ScaleRow[] = [
  {
    name: 'topics of the large stream',
    grows: 'bounded by its topics, all of which are answered',
    request: (place) => get(place.account('mentioned'), '/users/me/1/topics', {}),
  },
  { name: 'the streams', request: (place) => get(place.account('mentioned'), '/streams', {}) },
  {
    name: 'subscriptions',
    request: (place) => get(place.account('mentioned'), '/users/me/subscriptions', {}),
  },
  {
    name: 'own files',
    grows: 'bounded by the files of one person, all of which are answered',
    request: (place) => get(place.account('mentioned'), '/attachments', {}),
  },
  {
    name: 'the largest files',
    request: (place) => get(place.account('admin'), '/office/files', {}),
  },
  { name: 'health', request: (place) => get(place.account('admin'), '/office/health', {}) },
  { name: 'the audit log', request: (place) => get(place.account('admin'), '/audit_log', {}) },
  {
    name: 'registration',
    request: (place) => post(place.account('mentioned'), '/register', {}),
  },
  {
    name: 'registration of one with few',
    request: (place) => post(place.account('quiet'), '/register', {}),
  },
  {
    name: 'registration of one who was away',
    grows: 'bounded by 50,000 unread, which is what is told',
    request: (place) => post(place.account('behind'), '/register', {}),
  },
  {
    name: '1,000 messages of those that a desktop lacks',
    request: (place) =>
      get(place.account('mentioned'), '/messages', {
        ...{ anchor: Math.floor(place.messages * 0.9), num_before: 0, num_after: 1000 },
        with_source: 'true',
      }),
  },
];

const patch = (
  account: Account,
  path: string,
  fields: Readonly<Record<string, string | number>>,
): string => post(account, `${path}?method=PATCH`, fields);

const writes: readonly ScaleRow[] = [
  {
    name: 'a message to the large stream',
    request: (place, round) =>
      post(place.account('mentioned'), '/messages', {
        ...{
          type: 'stream',
          to: largeStream,
          topic: LARGE_TOPIC,
          content: `said ${String(round)}`,
        },
      }),
  },
  {
    name: 'a private message',
    request: (place) =>
      post(place.account('quiet'), '/messages', {
        ...{ type: 'private', to: '["user10@example.com"]', content: 'said' },
      }),
  },
  {
    name: 'an edit',
    request: (place, round) =>
      patch(place.account('mentioned'), `/messages/${String(place.own)}`, {
        content: `text ${String(round)}`,
      }),
  },
  {
    name: 'a star',
    request: (place, round) =>
      post(place.account('mentioned'), '/messages/flags', {
        ...{ messages: `[${String(place.newestOfTopic)}]`, flag: 'starred' },
        op: round % 2 === 0 ? 'add' : 'remove',
      }),
  },
  {
    name: 'one message read',
    request: (place, round) =>
      post(place.account('behind'), '/messages/flags', {
        ...{ messages: `[${String(place.newestOfTopic)}]`, flag: 'read' },
        op: round % 2 === 0 ? 'add' : 'remove',
      }),
  },
  {
    name: 'a reaction',
    request: (place, round) =>
      post(
        place.account('mentioned'),
        `/messages/${String(place.newestOfTopic)}/reactions${round % 2 === 0 ? '' : '?method=DELETE'}`,
        {
          emoji_name: 'tada',
        },
      ),
  },
  {
    name: 'the large topic muted',
    request: (place, round) =>
      patch(place.account('mentioned'), '/users/me/subscriptions/muted_topics', {
        ...{ stream: largeStream, topic: LARGE_TOPIC, op: round % 2 === 0 ? 'add' : 'remove' },
      }),
  },
  {
    name: 'an unsubscription from the large stream, and a subscription',
    request: (place, round) => {
      const subscriptions = round % 2 === 0 ? `["${largeStream}"]` : `[{"name":"${largeStream}"}]`;
      const path = `/users/me/subscriptions${round % 2 === 0 ? '?method=DELETE' : ''}`;
      return post(place.account('mentioned'), path, { subscriptions });
    },
  },
  {
    name: 'the large topic read',
    rounds: 1,
    grows: 'bounded by 50,000 ids, which is what is told',
    request: (place) =>
      post(place.account('behind'), '/mark_topic_as_read', {
        stream_id: 1,
        topic_name: LARGE_TOPIC,
      }),
  },
  {
    name: 'the large stream read',
    rounds: 1,
    grows: 'bounded by 50,000 ids, which is what is told',
    request: (place) => post(place.account('behind'), '/mark_stream_as_read', { stream_id: 1 }),
  },
  {
    name: 'everything read',
    rounds: 1,
    request: (place) => post(place.account('behind'), '/mark_all_as_read', {}),
  },
  {
    name: 'the large topic renamed',
    grows: 'linear: each of its messages is moved and told',
    rounds: 2,
    request: (place, round) =>
      patch(place.account('admin'), `/messages/${String(place.newestOfTopic)}`, {
        ...{ topic: round % 2 === 0 ? 'another name' : LARGE_TOPIC, propagate_mode: 'change_all' },
      }),
  },
  {
    name: 'the large topic moved to another stream, and back',
    grows: 'linear: each of its messages is moved and told',
    rounds: 2,
    request: (place, round) =>
      patch(place.account('admin'), `/messages/${String(place.newestOfTopic)}`, {
        ...{ stream_id: round % 2 === 0 ? 2 : 1, propagate_mode: 'change_all' },
      }),
  },
  {
    name: 'somebody deactivated, and let in again',
    rounds: 4,
    request: (place, round) =>
      post(
        place.account('admin'),
        round % 2 === 0 ? '/users/200?method=DELETE' : '/users/200/reactivate',
        {},
      ),
  },
  {
    name: 'a message deleted',
    rounds: 4,
    request: (place, round) =>
      post(place.account('admin'), `/messages/${String(place.inLarge[round])}?method=DELETE`, {}),
  },
  {
    name: 'the large topic deleted',
    grows: 'linear: each of its messages is deleted and told, 200 at a time',
    rounds: 1,
    request: (place) =>
      post(place.account('admin'), '/streams/1/delete_topic', { topic_name: LARGE_TOPIC }),
  },
  {
    name: 'the large stream archived',
    rounds: 1,
    request: (place) => post(place.account('admin'), '/streams/1?method=DELETE', {}),
  },
];

/** In this order: what changes much comes last. */
export const scaleRows: readonly ScaleRow[] = [
  ...pages,
  ...marked,
  ...searches,
  ...lists,
  ...writes,
];

const exception = 'the first request of a service, by the clock, from a file that nobody has read';

/** The same from a file that has to be read first. */
export const coldRows: readonly ScaleRow[] = [
  {
    name: 'has:image in a stream without, cold',
    exception,
    request: page([
      ['has', 'image'],
      ['stream', streamName(withoutFiles ?? 0)],
    ]),
  },
  { name: 'the newest page, cold', exception, request: page([]) },
  { name: 'a search for a common word, cold', exception, request: search('ba') },
];
