/** Who may do what with messages and streams, and who is told of it: API decisions 7.1, 7.2, 7.5, 8.2, 10.4 and 10.5. */
import {
  activeStreams,
  acts,
  allMembers,
  and,
  archivedStreams,
  type Audience,
  both,
  either,
  everybody,
  findsToPost,
  followers,
  hasAccess,
  holders,
  holdersWithAccess,
  holds,
  is,
  isAdmin,
  isArchived,
  isMember,
  isPerson,
  isPrivate,
  isSubscribed,
  messages,
  nobody,
  not,
  only,
  others,
  postingPlaces,
  posts,
  reads,
  readsHistory,
  returning,
  seersOfReturned,
  seesStream,
  self,
  streams,
  streamSeers,
  subscribers,
} from './facts.ts';
import { type Row, row } from './row.ts';

const maySubscribeOthers = both(
  isMember,
  either(isPerson, (who) => who.bot === 'generic'),
);
const seesPrivate = either(isSubscribed, isAdmin);
const ofMessage = { on: messages, knows: acts };
const ofStream = { on: streams, knows: seesStream };
const adminOfStream = { ...ofStream, knows: both(isAdmin, seesStream) };
/** Those who had messages of the author unread. */
const hadUnread: Audience = (who, by, what) =>
  self(who, by, what) && holds(who, what) && who.name !== 'author';
/** Who held or found a message where it was, and whoever is where it comes to. */
const found = and(holders, followers, only('admin'));

const leaving: Row['tells'] = {
  'subscription remove': (...of) => self(...of) && isSubscribed(of[0], of[2]),
  'subscription peer_remove': (who, by, what) =>
    others(streamSeers)(who, by, what) && isSubscribed(by, what),
};

export const placeRules = {
  messages: {
    send: {
      'to a stream': row(
        posts,
        { message: subscribers },
        {
          ...{ auth: 'sender', on: postingPlaces },
          code: (...of) => (findsToPost(...of) ? 'BAD_REQUEST' : 'STREAM_DOES_NOT_EXIST'),
        },
      ),
      'in private': row(everybody, { message: and(self, only('bystander')) }, { auth: 'sender' }),
    },
    page: {
      alone: row(everybody, {}, { on: messages, shows: reads }),
      'of a stream': row(
        either(seesStream, holds),
        {},
        {
          ...{ on: streams, code: 'BAD_NARROW', shows: reads },
        },
      ),
    },
    render: row(everybody),
  },
  recovery: { lacking: row(isPerson), offer: row(isPerson) },
  lifecycle: {
    get: row(reads, {}, { on: messages, knows: reads }),
    history: row(reads, {}, { on: messages, knows: reads }),
    edit: {
      content: row(both(acts, is('author')), { update_message: holdersWithAccess }, ofMessage),
      topic: row(
        both(acts, not(isArchived), either(is('author'), isAdmin, isMember)),
        { update_message: and(holdersWithAccess, followers) },
        { ...ofMessage, on: messages.filter(({ place }) => place !== 'conversation') },
      ),
      /** To a public stream in which the administrator is alone: guests lose the message. */
      stream: row(
        both(acts, not(isArchived), isAdmin),
        {
          update_message: (...of) => found(...of) && isMember(of[0], of[2]),
          delete_message: (...of) => found(...of) && !isMember(of[0], of[2]),
          'update_message_flags add': (who, _, what) =>
            holds(who, what) && isMember(who, what) && who.name !== 'author',
        },
        { ...ofMessage, on: messages.filter(({ place }) => place !== 'conversation') },
      ),
    },
    delete: row(both(acts, isAdmin), { delete_message: holders }, ofMessage),
    deleteTopic: row(
      both(isAdmin, hasAccess, seesStream),
      { delete_message: holders },
      adminOfStream,
    ),
  },
  reactions: {
    add: row(acts, { 'reaction add': and(holdersWithAccess, self) }, ofMessage),
    remove: row(acts, { 'reaction remove': and(holdersWithAccess, self) }, ofMessage),
  },
  submessages: {
    add: row(
      both(acts, holds),
      { submessage: holdersWithAccess },
      { ...ofMessage, knows: both(acts, holds) },
    ),
  },
  readState: {
    markAllAsRead: row(everybody, { 'update_message_flags add': self }),
    markStreamAsRead: row(seesStream, { 'update_message_flags add': hadUnread }, ofStream),
    markTopicAsRead: row(
      both(seesStream, holds),
      { 'update_message_flags add': hadUnread },
      { on: activeStreams },
    ),
    changeFlags: row(
      everybody,
      { 'update_message_flags add': (who, by, what) => self(who, by, what) && reads(by, what) },
      { on: messages },
    ),
  },
  search: { matchesNarrow: row(everybody, {}, { on: messages, shows: holds }) },
  pointer: {
    get: row(everybody),
    put: row(everybody, { pointer: self }),
    post: row(everybody, { pointer: self }),
  },
  typing: { notify: row(everybody, { 'typing start': and(self, only('bystander')) }) },
  events: {
    register: { plainly: row(everybody), 'for all public streams': row(isMember) },
    poll: { 'own queue': row(everybody), "another's": row(nobody) },
    acknowledge: { 'own queue': row(everybody), "another's": row(nobody) },
    deleteQueue: { 'own queue': row(everybody), "another's": row(nobody) },
  },
  streams: {
    subscribe: {
      creating: row(maySubscribeOthers, {
        'stream create': allMembers,
        'stream occupy': allMembers,
        'subscription add': self,
        'subscription peer_add': others(allMembers),
      }),
      oneself: row(
        either(isSubscribed, both(not(isPrivate), isMember)),
        {
          'subscription add': (...of) => self(...of) && !isSubscribed(of[0], of[2]),
          'subscription peer_add': (who, by, what) =>
            others(streamSeers)(who, by, what) && !isSubscribed(by, what),
        },
        {
          on: activeStreams,
          code: (who, what) => (isPrivate(who, what) ? 'NONE' : 'BAD_REQUEST'),
        },
      ),
      another: row(
        both(maySubscribeOthers, either(isSubscribed, not(isPrivate))),
        {
          'subscription add': only('bystander'),
          'subscription peer_add': (who, by, what) =>
            streamSeers(who, by, what) && who.name !== 'bystander',
        },
        {
          on: activeStreams,
          code: (...of) => (both(isPrivate, maySubscribeOthers)(...of) ? 'NONE' : 'BAD_REQUEST'),
        },
      ),
    },
    subscriptions: row(everybody, {}, { on: streams, shows: isSubscribed }),
    list: {
      plainly: row(
        everybody,
        {},
        {
          on: streams,
          shows: either(isSubscribed, both(seesStream, not(isPrivate))),
        },
      ),
      'with archived ones': row(isAdmin, {}, { on: archivedStreams, shows: everybody }),
    },
    get: row(seesStream, {}, ofStream),
    findId: row(seesStream, {}, { ...ofStream, on: activeStreams }),
    members: row(seesStream, {}, ofStream),
    isSubscribed: row(seesStream, {}, ofStream),
    emailAddress: row(seesStream, {}, ofStream),
    topics: row(seesStream, {}, { ...ofStream, shows: either(holds, readsHistory) }),
  },
  subscriptions: {
    unsubscribe: {
      oneself: row(seesStream, leaving, { on: streams, code: 'STREAM_DOES_NOT_EXIST' }),
      another: row(
        both(isAdmin, seesStream),
        {
          'subscription remove': only('resident'),
          'subscription peer_remove': (who, by, what) =>
            streamSeers(who, by, what) && who.name !== 'resident',
        },
        {
          on: streams,
          code: (...of) => (isAdmin(...of) ? 'STREAM_DOES_NOT_EXIST' : 'BAD_REQUEST'),
        },
      ),
    },
    change: row(seesStream, leaving, { on: activeStreams, code: 'STREAM_DOES_NOT_EXIST' }),
    setProperties: row(isSubscribed, { 'subscription update': self }, { on: streams }),
    muteTopic: row(isSubscribed, { muted_topics: self }, ofStream),
  },
  streamAdmin: {
    update: {
      description: row(
        both(isAdmin, seesStream),
        { 'stream update': and(streamSeers, subscribers) },
        adminOfStream,
      ),
      'to private': row(
        both(isAdmin, seesStream),
        {
          'stream update': (...of) => seesPrivate(of[0], of[2]),
          'stream delete': (...of) => streamSeers(...of) && !seesPrivate(of[0], of[2]),
        },
        { ...adminOfStream, on: activeStreams.filter(({ place }) => place === 'public') },
      ),
      'to public': row(
        both(isAdmin, isSubscribed),
        {
          'stream create': (...of) => !streamSeers(...of) && allMembers(...of),
          'stream update': and(allMembers, subscribers),
        },
        { on: activeStreams.filter(({ place }) => place !== 'public') },
      ),
      'to archived': row(
        both(isAdmin, seesStream),
        { 'subscription remove': subscribers, 'stream delete': streamSeers },
        adminOfStream,
      ),
      'to no longer archived': row(
        isAdmin,
        {
          'stream create': seersOfReturned,
          'stream occupy': (...of) => seersOfReturned(...of) && !isPrivate(of[0], of[2]),
          'subscription add': returning,
          'subscription peer_add': seersOfReturned,
        },
        { on: archivedStreams, knows: isAdmin },
      ),
    },
    archive: row(
      both(isAdmin, seesStream),
      { 'subscription remove': subscribers, 'stream delete': streamSeers },
      adminOfStream,
    ),
    addDefault: row(
      both(isAdmin, seesStream, not(isPrivate)),
      { default_streams: allMembers },
      { on: streams },
    ),
    removeDefault: row(isAdmin, { default_streams: allMembers }),
  },
};

/** GET //user_uploads: by its uploader, and by whoever may see a message that links to it. */
export const downloads = row(either(is('author'), reads), {}, { on: messages });
