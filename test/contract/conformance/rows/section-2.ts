/** Specification 2: resources and their fields. */
import { alike, type Reference, type Rows, table } from './row.ts';

const accounts = 'service/api/people/accounts.test.ts';
const fields = 'service/api/messages/fields.test.ts';
const history = 'service/api/reading/history.test.ts';
const properties = 'service/api/streams/subscription-properties.test.ts';
const streams = 'service/api/streams/streams.test.ts';

const streamMessage: Reference = [history, 'a stream message has every key of its kind'];
const privateMessage: Reference = [
  history,
  'a private message names its participants, sorted by address, and no stream',
];
const rawMessage: Reference = [history, 'raw content is Markdown and says so'];
const sender: Reference = [
  fields,
  'a message carries the name, address and id of its sender, of a bot as well as of a person',
];

const message = table('specification 2, Message', {
  id: [[fields, 'a message has an id above those of all earlier ones, in streams and in private']],
  type: [streamMessage, privateMessage],
  content: [rawMessage],
  content_type: [rawMessage],
  display_recipient: [streamMessage, privateMessage],
  recipient_id: [
    [
      fields,
      'a message has the recipient id of its stream or conversation, all of them from one number space',
    ],
    [
      'service/api/messages/send.test.ts',
      'both sides of a conversation are one, and a note to oneself is another',
    ],
  ],
  ...alike(
    ['sender_id', 'sender_email', 'sender_full_name', 'sender_short_name', 'sender_realm_str'],
    [streamMessage, sender],
  ),
  avatar_url: [
    [history, 'a client that computes gravatars gets null for them'],
    [
      'service/api/people/avatars.test.ts',
      'a picture shows wherever the account does, to clients that compute gravatars too',
    ],
  ],
  client: [
    ['service/api/messages/send.test.ts', 'the user agent %j is the client %s'],
    ['service/api/messages/send.test.ts', '%s is accepted'],
  ],
  flags: [
    [history, 'the flags of %s'],
    [
      'service/api/reading/flags.test.ts',
      '%s is set and taken away for the caller alone, and only changes are told',
    ],
  ],
  is_me_message: [[history, '%j is a status message: %s']],
  reactions: [
    [
      'service/api/messages/reactions.test.ts',
      'a reaction stands on the message, in the order of adding',
    ],
  ],
  stream_id: [streamMessage, privateMessage],
  subject: [
    streamMessage,
    privateMessage,
    [history, 'the topic is spelled as its message spells it'],
  ],
  subject_links: [
    streamMessage,
    [
      'service/api/messages/rendering.test.ts',
      'linkifiers count in topics, in history and in events',
    ],
  ],
  submessages: [
    streamMessage,
    [
      'service/api/messages/submessages.test.ts',
      'a message shows what was attached to it, in order, also after a restart',
    ],
  ],
  timestamp: [streamMessage],
});

const snapshots: readonly Reference[] = [
  [
    'service/api/messages/edit-history.test.ts',
    'the history of a message tells what every edit changed, and survives a restart',
  ],
];
const original: Reference = [
  'service/api/messages/edit-history.test.ts',
  'the history of a message that was never edited is the original alone',
];

const snapshot = table('specification 2, Edit-history snapshot', {
  ...alike(
    [
      'topic',
      'content',
      'rendered_content',
      'prev_content',
      'prev_rendered_content',
      'prev_topic',
      'content_html_diff',
    ],
    [...snapshots, original],
  ),
  ...alike(
    ['user_id', 'timestamp'],
    [
      ...snapshots,
      original,
      [fields, 'a version of a message says in seconds when it was made, and by whom'],
    ],
  ),
});

const listed: Reference = [fields, 'a stream is listed with its id, name, description and privacy'];

const stream = table('specification 2, Stream', {
  stream_id: [listed],
  name: [listed, [streams, 'an existing stream is joined under its own name']],
  description: [
    listed,
    [streams, 'a stream that is missing is created, and subscribing again changes nothing'],
  ],
  invite_only: [
    listed,
    [streams, 'a new stream that is %s'],
    [streams, 'a private stream is refused without a code, and named'],
  ],
});

const subscriptionKeys: Reference = [
  streams,
  'a subscription has every key, and the notification keys are never null',
];
const property: Reference = [properties, '%s may be set to %j'];

const subscription = table('specification 2, Subscription', {
  ...alike(
    ['desktop_notifications', 'push_notifications', 'audible_notifications', 'pin_to_top'],
    [subscriptionKeys, property],
  ),
  email_address: [subscriptionKeys],
  in_home_view: [
    subscriptionKeys,
    property,
    [fields, 'a stream that is muted does not count towards what is unread in all'],
  ],
  color: [
    [properties, 'the colour %s is echoed as sent and kept as %s'],
    [
      streams,
      'colours are accepted in four forms and listed in one; a missing one is not used yet',
    ],
  ],
  subscribers: [[streams, 'subscribers are addresses, and only there when asked for']],
});

const person: Reference = [accounts, 'a person who asks for their profile gets these keys'];
const bot: Reference = [
  accounts,
  'a bot that asks for its profile gets its owner and no profile fields',
];
const everybody: Reference = [
  accounts,
  'the list of accounts has everybody, bots and deactivated accounts included',
];
const roles: Reference = [accounts, 'the profile of the caller tells their role'];
const botTypes: Reference = [
  fields,
  'an account is listed with the type of bot that it is, and with its owner',
];

const user = table('specification 2, User', {
  ...alike(['user_id', 'email', 'full_name'], [person, everybody]),
  is_admin: [person, roles],
  is_bot: [person, bot, everybody],
  is_active: [everybody],
  is_guest: [person, roles],
  bot_type: [botTypes],
  bot_owner: [bot, botTypes],
  avatar_url: [
    person,
    [accounts, 'the list of accounts leaves gravatars to a client that computes them'],
    [
      'service/api/people/avatars.test.ts',
      'a picture shows wherever the account does, to clients that compute gravatars too',
    ],
  ],
  timezone: [person, ['service/api/people/settings.test.ts', 'the time zone is told to everybody']],
  date_joined: [[fields, 'an account says when it was created, in ISO 8601']],
  profile_data: [
    [accounts, 'the list of accounts has profile fields of people only when asked for'],
    [
      'service/api/people/profile-fields.test.ts',
      '%s is told to everybody once and shown in every profile',
    ],
  ],
});

const inProse = table('specification 2, in prose', {
  'Profile pointer': [
    person,
    ['service/api/reading/pointer.test.ts', '%s moves it forward, and tells the account alone'],
  ],
  'Profile max_message_id': [
    person,
    [accounts, 'the profile of the caller has the newest message that they hold, whoever sent it'],
  ],
  'Profile client_id': [
    [accounts, 'the profile of the caller has another client id in every answer'],
  ],
  'Profile short_name': [person, [accounts, 'a new account takes a short name']],
});

const allKeys: Reference = [accounts, 'every key, those of the organization included'];

const server = table('specification 2, Server settings', {
  ...alike(
    [
      'authentication_methods',
      'chat_version',
      'push_notifications_enabled',
      'is_incompatible',
      'email_auth_enabled',
      'require_email_format_usernames',
      'realm_uri',
      'external_authentication_methods',
    ],
    [allKeys],
  ),
  ...alike(
    ['realm_name', 'realm_description'],
    [
      allKeys,
      [
        'service/api/organization/realm.test.ts',
        'the name and the description are those of the server settings',
      ],
    ],
  ),
  realm_icon: [
    allKeys,
    [fields, 'the logo of the organization is a square picture that is built into the interface'],
  ],
});

export const section2: readonly Rows[] = [
  message,
  snapshot,
  stream,
  subscription,
  user,
  inProse,
  server,
];
