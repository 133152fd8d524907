/** API decisions 8.2: the payloads of events and who gets them. */
import { type Rows, table } from './row.ts';

const bots = 'service/api/bots/bots.test.ts';
const deletion = 'service/api/messages/delete.test.ts';
const edit = 'service/api/messages/edit.test.ts';
const events = 'service/api/events/events.test.ts';
const fields = 'service/api/messages/fields.test.ts';
const marks = 'service/api/reading/mark-read.test.ts';
const profileFields = 'service/api/people/profile-fields.test.ts';
const people = 'service/api/people/user-admin.test.ts';
const queues = 'service/api/events/queues.test.ts';
const realm = 'service/api/organization/realm.test.ts';
const settings = 'service/api/people/settings.test.ts';
const streamAdmin = 'service/api/streams/stream-admin.test.ts';
const properties = 'service/api/streams/subscription-properties.test.ts';
const unsubscribing = 'service/api/streams/unsubscribe.test.ts';

const aboutMessages = table('API decisions 8.2', {
  message: [
    [events, 'a message in an event is as GET /messages has it, without flags: %j'],
    [events, 'a message event has the flags of %s'],
    [events, 'a message event carries the local id only in the queue that the sender named'],
    [events, '%s', 'who hears of a message'],
    [events, 'a member hears what it does not hold, without flags'],
  ],
  heartbeat: [
    [
      queues,
      'a heartbeat ends a fetch that has nothing to say, in every queue, with an id that is used once',
    ],
  ],
  update_message: [
    [
      edit,
      'the event of a content edit carries both versions, and goes to whoever holds the message',
    ],
    [edit, 'the event of a topic edit lists what was moved, and says nothing of content'],
    [edit, 'the event of an edit of a private message goes to its participants, without a stream'],
    [edit, 'the event of a topic edit in a public stream also goes to those who subscribed later'],
    [
      'service/api/messages/move.test.ts',
      'an account without access loses a moved message with every trace, and is told that it was deleted',
    ],
  ],
  delete_message: [
    [deletion, 'the event of a deletion in a stream goes to whoever holds the message'],
    [deletion, 'the deletion of a private message is told to its participants'],
  ],
  update_message_flags: [
    [
      'service/api/reading/flags.test.ts',
      '%s is set and taken away for the caller alone, and only changes are told',
    ],
    [marks, 'everything unread anywhere becomes read, for the caller alone, and that is told once'],
    [
      marks,
      'a stream marked as read becomes read and no other does, and the caller is told which messages',
    ],
  ],
  'reaction add, remove': [
    [
      'service/api/messages/reactions.test.ts',
      'the participants of a private conversation are told, and nobody else',
    ],
  ],
  messages_recovered: [
    [
      'service/api/messages/recovery.test.ts',
      'a lost message comes back as it was: number, author, time, place; read, marked, found, and told to our clients',
    ],
  ],
  submessage: [
    [
      'service/api/messages/submessages.test.ts',
      'the holders of the message are told, and nobody else',
    ],
    ['service/api/messages/submessages.test.ts', 'whoever made a copy by starring is told too'],
  ],
});

const aboutStreams = table('API decisions 8.2', {
  'subscription add': [
    [events, 'a subscription is told as /register tells it'],
    [events, 'subscribers are ids, for a queue that asked for them'],
    [events, 'a new public stream: members of its creation, its subscribers of themselves'],
  ],
  'subscription remove': [
    [unsubscribing, 'the events have these keys'],
    [unsubscribing, 'a public stream: members, guests only of themselves'],
    [streamAdmin, 'a public one: subscribers hear that they left, members that it is deleted'],
  ],
  'subscription update': [
    [properties, 'the account alone hears of a change, in these keys'],
    [properties, 'setting %s to %j is told as %j'],
  ],
  'subscription peer_add, peer_remove': [
    [events, 'a peer names one stream and one account, in old and new keys'],
    [events, 'coming into a private stream: its subscribers and the administrators'],
    [unsubscribing, 'the events have these keys'],
    [unsubscribing, 'a public stream: members, guests only of themselves'],
  ],
  'stream create': [
    [events, 'a stream is told with everything that /register knows of it'],
    [events, 'a new public stream: members of its creation, its subscribers of themselves'],
    [events, 'a new private stream: its subscribers and the administrators'],
    [streamAdmin, 'one that becomes public is created for the members who did not see it'],
  ],
  'stream delete': [
    [streamAdmin, 'a public one: subscribers hear that they left, members that it is deleted'],
    [streamAdmin, 'a private one: its subscribers and administrators'],
    [streamAdmin, 'an empty one'],
  ],
  'stream update': [
    [
      streamAdmin,
      'each property is one event, with the old name and its extra keys, the name last',
    ],
    [streamAdmin, 'a public stream: members, and guests that are in it'],
    [streamAdmin, 'a private stream: its subscribers and administrators'],
  ],
  'stream occupy, vacate': [
    [events, 'the first subscriber of a stream that all have left: members'],
    [events, 'a stream is told with everything that /register knows of it'],
    [unsubscribing, 'a public stream: members, guests only of themselves'],
  ],
  default_streams: [
    [
      'service/api/streams/default-streams.test.ts',
      'a change of default streams is announced to members as the whole list',
    ],
  ],
  muted_topics: [
    ['service/api/streams/muted-topics.test.ts', 'the account alone hears the whole list'],
  ],
});

const aboutAccounts = table('API decisions 8.2', {
  'realm_user add': [
    [events, 'everybody hears of a new account, and members of its default streams'],
    [events, 'a person is told as /register tells it, with the gravatar as the queue wants it'],
    [people, 'reactivating an account announces it anew, without its bots'],
  ],
  'realm_user remove': [
    [people, 'a deactivated account takes its bots along, and everybody is told'],
  ],
  'realm_user update': [
    [profileFields, '%s is told to everybody once and shown in every profile'],
    [people, 'an account is given another name, %s'],
    [people, 'an account is given the role of %s'],
    [settings, 'the time zone is told to everybody'],
    [settings, 'an account takes another address, which brings another gravatar'],
    [
      'service/api/people/avatars.test.ts',
      'a picture is replaced and removed with its file, and everybody is told',
    ],
    [bots, 'a change of owner moves a bot from one list to the other'],
  ],
  'realm_bot add / update / remove / delete': [
    [
      bots,
      'creating a bot announces it to everybody, and with its key to its owner and to administrators',
    ],
    [bots, 'a change of %s is told to the owner of the bot and to administrators'],
    [bots, 'the deactivation of a bot is told to everybody, and to those who manage it'],
    [bots, 'a change of owner moves a bot from one list to the other'],
  ],
  update_global_notifications: [
    [settings, '%s can be changed', 'notification settings'],
    [settings, 'notification settings answer only what changed; what did not brings no event'],
  ],
  update_display_settings: [
    [settings, '%s can be changed', 'display settings'],
    [settings, 'the language comes with its name'],
  ],
  'user_settings update': [
    [
      settings,
      'notification settings reach queues that list user_settings in its form, and only those',
    ],
    [settings, 'display settings reach queues that list user_settings in its form'],
  ],
  presence: [
    [
      'service/api/people/presence.test.ts',
      'people are told when somebody comes, wakes or returns, and of nothing else',
    ],
  ],
  'typing start, stop': [
    [
      'service/api/messages/typing.test.ts',
      'a typing notice to %s reaches the participants and nobody else',
    ],
    ['service/api/messages/typing.test.ts', 'a typing notice says when typing stops'],
    ['service/api/messages/typing.test.ts', 'a typing notice leaves no trace where nobody listens'],
  ],
  pointer: [
    ['service/api/reading/pointer.test.ts', '%s moves it forward, and tells the account alone'],
  ],
  alert_words: [
    [
      'service/api/people/alert-words.test.ts',
      'alert words are added by %s, told to the caller alone, and kept',
    ],
  ],
  user_status: [
    [
      'service/api/people/statuses.test.ts',
      'everybody is told what changed, and /register has what holds',
    ],
  ],
  'attachment add, update, remove': [
    [fields, 'a queue is told of a file with all that the list of files says of it'],
    [
      'service/api/files/uploads.test.ts',
      'the owner of an upload, and nobody else, is told once it is there and once it is gone',
    ],
    [
      'service/api/files/uploads.test.ts',
      'a message that links to a file is named in the list of files, and the owner alone is told',
    ],
  ],
  'user_group add / update / add_members / remove_members / remove': [
    [
      'service/api/people/user-groups.test.ts',
      'it is listed with its members, in /register too, also after a restart',
    ],
    [
      'service/api/people/user-groups.test.ts',
      'everybody is told what changed, and nobody of what did not',
    ],
    [
      'service/api/people/user-groups.test.ts',
      'people are put in and taken out, and everybody is told of both',
    ],
    ['service/api/people/user-groups.test.ts', 'a removed group is gone, and everybody is told'],
  ],
});

const aboutTheOrganization = table('API decisions 8.2', {
  'realm_emoji update': [
    ['service/api/organization/emoji.test.ts', 'everybody is told the whole list'],
  ],
  realm_filters: [
    ['service/api/organization/linkifiers.test.ts', 'everybody hears the whole list'],
  ],
  'realm update': [
    [realm, '%s may be set to %j, is told everybody, and holds'],
    [realm, 'an event has these keys'],
  ],
  'realm update_dict': [
    [realm, 'those about editing messages are told together'],
    [
      'service/api/organization/realm-icon.test.ts',
      'a picture of the organization shows to everybody, who is told, also after a restart',
    ],
  ],
  custom_profile_fields: [
    [profileFields, 'it comes after the others, in /register too, also after a restart'],
    [profileFields, 'everybody is told the whole list, and nothing of what stayed'],
  ],
  invites_changed: [
    [
      'service/api/people/invitations.test.ts',
      'everybody named is invited once, and administrators are told',
    ],
    [
      'service/api/people/invitations.test.ts',
      'who invited and administrators may; the link is no longer good',
    ],
  ],
  join_requests: [
    [
      'service/api/people/join-requests.test.ts',
      'administrators alone are told that somebody asks, and alone see who',
    ],
    [
      'service/api/people/join-requests.test.ts',
      'whoever is accepted joins as if invited, by the address that they gave',
    ],
  ],
  'realm deactivated': [
    [
      'service/api/organization/closing.test.ts',
      'whoever waits is told, and from then on every key is refused, also after a restart',
    ],
  ],
  restart: [
    [fields, 'a queue is told of a restart with a number for the new life of the server'],
    [queues, 'a restart keeps queues: they go on where they were and hear of it'],
  ],
});

export const decisions8: readonly Rows[] = [
  aboutMessages,
  aboutStreams,
  aboutAccounts,
  aboutTheOrganization,
];
