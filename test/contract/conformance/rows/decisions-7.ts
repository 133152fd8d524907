/** API decisions 7: the endpoints that clients need beside those of the specification. */
import { type Reference, type Rows, table } from './row.ts';

const accounts = 'service/api/people/accounts.test.ts';
const avatars = 'service/api/people/avatars.test.ts';
const bots = 'service/api/bots/bots.test.ts';
const edit = 'service/api/messages/edit.test.ts';
const editHistory = 'service/api/messages/edit-history.test.ts';
const emoji = 'service/api/organization/emoji.test.ts';
const events = 'service/api/events/events.test.ts';
const flags = 'service/api/reading/flags.test.ts';
const linkifiers = 'service/api/organization/linkifiers.test.ts';
const move = 'service/api/messages/move.test.ts';
const people = 'service/api/people/user-admin.test.ts';
const pointer = 'service/api/reading/pointer.test.ts';
const presence = 'service/api/people/presence.test.ts';
const reactions = 'service/api/messages/reactions.test.ts';
const settings = 'service/api/people/settings.test.ts';
const storage = 'service/api/bots/bot-storage.test.ts';
const streamAdmin = 'service/api/streams/stream-admin.test.ts';
const archived = 'service/api/streams/archived-streams.test.ts';
const streams = 'service/api/streams/streams.test.ts';
const typing = 'service/api/messages/typing.test.ts';
const uploads = 'service/api/files/uploads.test.ts';
const words = 'service/api/people/alert-words.test.ts';
const defaults = 'service/api/streams/default-streams.test.ts';

const messages = table('API decisions 7.1', {
  'GET /messages/{id}': [
    [editHistory, 'a single message is answered as a page answers it, with what was typed'],
    [editHistory, 'a single message has its content as it was typed where that is asked for'],
    [editHistory, 'a message of a public stream may be seen by members who do not hold it'],
    [editHistory, 'a message that was private may be seen by its participants alone'],
  ],
  'PATCH /messages/{id}': [
    [
      edit,
      'the content of a message is changed by its author, with everything that follows from it',
    ],
    [edit, 'the content of a message is for its author alone to change'],
    [
      edit,
      'the content of a message may be changed for as long as the organization says, and twenty seconds more',
    ],
    [
      edit,
      'the topic of a message may be changed by any member for a day, unless the organization leaves it to authors',
    ],
    [edit, 'the topic of an edit has two names, which may not differ'],
    [edit, 'a change of topic with %s reaches the right messages'],
    [
      edit,
      'the event of a content edit carries both versions, and goes to whoever holds the message',
    ],
    [move, 'a message is moved to another stream with its topic, or to another topic'],
    [move, 'a move to another stream is refused to everybody but administrators'],
  ],
  'POST /messages/flags': [
    [flags, '%s is set and taken away for the caller alone, and only changes are told'],
    [flags, '%s is refused as not editable'],
    [flags, 'ids that do not exist or are hidden are echoed and passed over'],
    [flags, 'a message that is not held becomes a historical copy, read, by being starred'],
  ],
  'POST /messages/{id}/reactions': [
    [reactions, '%s is enough'],
    [reactions, '%s is refused'],
    [reactions, 'reacting twice is refused, under another name too'],
    [reactions, 'the second person keeps the name of the first'],
    [reactions, 'the participants of a private conversation are told, and nobody else'],
  ],
  'DELETE /messages/{id}/reactions': [
    [reactions, 'a reaction is taken back by %s'],
    [reactions, 'the removal of a reaction needs a name or a code of a reaction of the caller'],
    [reactions, 'the participants of a private conversation are told, and nobody else'],
  ],
  'POST /messages/render': [
    [editHistory, 'a text is rendered as it would be in a message of the caller, and is not sent'],
    [editHistory, 'a text to render may be empty, but not too long'],
  ],
  'POST /typing': [
    [typing, 'a typing notice to %s reaches the participants and nobody else'],
    [typing, 'a typing notice says when typing stops'],
    [typing, 'a typing notice with %s is refused'],
  ],
});

const own = table('API decisions 7.3', {
  'POST /fetch_api_key': [
    [accounts, 'every exchange gives the same key, which works; so does a multipart form'],
    [accounts, '%s is refused', 'a password for a key'],
    [settings, 'a password sign-in is refused while the organization has it switched off'],
    [
      'service/api/organization/closing.test.ts',
      'passwords are exchanged for no key, and wrong ones called wrong',
    ],
  ],
  'POST /users/me/presence': [
    [presence, 'a report of presence is answered with what everybody reported, by client'],
    [presence, 'a ping answers nothing, and is noted all the same'],
    [presence, 'people are told when somebody comes, wakes or returns, and of nothing else'],
    [presence, 'a report of presence with %s is refused'],
    [presence, 'a guest is seen by others as everybody is'],
    [presence, 'a bot may not'],
  ],
  'GET /users/{id or email}/presence': [
    [presence, 'the presence of a person is found by address without case and by id'],
    [presence, 'a person is offline after 140 seconds, while their clients keep what they said'],
    [presence, 'the presence of %s is refused'],
  ],
  'GET /realm/presence': [
    [presence, 'a report of presence is answered with what everybody reported, by client'],
    [presence, 'the presence of a person is forgotten after 14 days'],
  ],
  'GET /users/me/pointer; PUT or POST same': [
    [pointer, 'nothing is set at first'],
    [pointer, '%s moves it forward, and tells the account alone'],
    [pointer, '%s is refused'],
  ],
  'GET/POST/DELETE /users/me/alert_words (PUT = POST)': [
    [words, 'alert words are added by %s, told to the caller alone, and kept'],
    [words, 'alert words are removed without case, and those not in the list are passed over'],
  ],
  'POST /users': [
    [accounts, 'a new account is a member of the default streams, and its password works at once'],
    [accounts, 'a new account takes a short name'],
    [accounts, '%s is refused', 'creating an account'],
    [events, 'everybody hears of a new account, and members of its default streams'],
  ],
  'GET /users/{id}': [
    [people, 'an account is shown to everybody like a member of the list'],
    [
      people,
      'a single account leaves its gravatar to clients that compute it, and has profile fields when asked for',
    ],
  ],
  'PATCH /users/{id}': [
    [people, 'an account is given another name, %s'],
    [people, 'an account is given the role of %s'],
    [people, 'a change of an account refuses %s'],
    [
      'service/api/people/profile-fields.test.ts',
      'administrators answer for others, but not for bots',
    ],
    [people, 'a change of an account is not for %s', 'changing an account'],
  ],
  'DELETE /users/{id}': [
    [people, 'a deactivated account takes its bots along, and everybody is told'],
    [people, 'a deactivated account loses its queues, and its key is refused'],
    [people, 'a deactivation is not for %s', 'deactivating an account'],
  ],
  'POST /users/{id}/reactivate': [
    [people, 'reactivating an account announces it anew, without its bots'],
    [people, 'a reactivation is not for %s', 'reactivating an account'],
  ],
  'POST /users/me/api_key/regenerate': [
    [
      people,
      'a new key that an account makes for itself replaces the old one at once; queues stay',
    ],
    [people, 'a bot may not make itself a new key'],
  ],
  'PATCH /settings': [
    [settings, 'an account takes the name %s'],
    [settings, 'an account takes another password where the old one is given'],
    [settings, 'an account takes another address, which brings another gravatar'],
    [settings, 'an account refuses %s'],
    [settings, 'account settings are not for bots: %s'],
  ],
});

const ownStorage: Reference = [storage, 'bot storage keeps texts under keys, each account its own'];

const botRows = table('API decisions 7.4', {
  'POST /bots': [
    [
      bots,
      'creating a bot announces it to everybody, and with its key to its owner and to administrators',
    ],
    [bots, 'a new bot can be given the streams that it sends to and listens to'],
    [bots, 'a new outgoing webhook bot takes the address to deliver to'],
    [bots, 'a new bot may come with a picture, which then shows wherever the bot does'],
    [bots, 'bot creation refuses %s', 'creating a bot'],
    [bots, 'bot creation follows the policy of the organization'],
  ],
  'GET /bots': [[bots, 'the list of bots has only those of the caller, with their keys']],
  'PATCH /bots/{id}': [
    [
      'service/webhooks/inbox.test.ts',
      'a bot that is handed over keeps its key where that is asked for, and its services go on',
    ],
    [bots, 'a new name of a bot is told to everybody'],
    [bots, 'a change of %s is told to the owner of the bot and to administrators'],
    [bots, 'a change of the address of a bot tells all of its services'],
    [bots, 'a change of owner moves a bot from one list to the other'],
    [bots, 'a change of a bot refuses %s', 'changing a bot'],
  ],
  'POST /bots/{id}/api_key/regenerate': [
    [
      bots,
      'the new key of a bot replaces the old one, and is told to the owner of the bot and to all administrators',
    ],
    [bots, 'the new key of a bot is not for %s', "a bot's new key"],
  ],
  'DELETE /bots/{id}': [
    [bots, 'the deactivation of a bot is told to everybody, and to those who manage it'],
    [bots, 'the deactivation of a bot is not for %s', 'deactivating a bot'],
  ],
  'PUT /bot_storage': [
    ownStorage,
    [storage, 'bot storage holds 1 MiB of keys and texts in all, counted in bytes'],
    [storage, 'bot storage refuses %s'],
  ],
  'GET /bot_storage': [
    ownStorage,
    [storage, 'a read of bot storage answers the wanted keys, or is an error where one is missing'],
  ],
  'DELETE /bot_storage': [
    [storage, 'bot storage deletes the wanted keys, or none where one is missing'],
    [storage, 'bot storage deletes everything of one account where no key is named'],
  ],
});

const streamRows = table('API decisions 7.5', {
  'GET /get_stream_id': [
    [streamAdmin, 'its id is found by its name, without case'],
    [streamAdmin, 'a name that is unknown or hidden is refused in the same words'],
  ],
  'GET /users/me/{stream_id}/topics': [
    [streams, 'each topic once, newest first, spelled as in its newest message'],
    [streams, 'without open history only topics of what the account holds are listed'],
  ],
  'GET /streams/{id}/members': [
    [streamAdmin, 'its members are listed by address, deactivated accounts left out'],
    [streamAdmin, '%s: sees public ones, private ones'],
  ],
  'PATCH /streams/{id}': [
    [streamAdmin, 'every property, all at once, and it holds after a restart'],
    [streamAdmin, 'texts may be quoted as JSON'],
    [
      streamAdmin,
      'only a subscriber makes a private stream public; its name an administrator may change',
    ],
    [streamAdmin, 'a change of a stream is refused: %s', 'changing a stream'],
    [
      streamAdmin,
      'each property is one event, with the old name and its extra keys, the name last',
    ],
    [
      archived,
      'the list of streams has archived ones, private ones too, where an administrator asks for them',
    ],
    [
      archived,
      'a restored stream has those who were in it, their settings, and the id and the text that it had',
    ],
    [
      archived,
      'a restored stream shows what it showed: nothing became read, and the mute of a topic is kept',
    ],
    [archived, 'a restored stream keeps a private history closed to those who were not there'],
    [archived, 'whoever is deactivated comes back with their account, from the next message on'],
    [archived, 'a private stream tells its new member nothing of before, nor lets them open it'],
    [archived, 'the restoration of a stream is refused: %s'],
    [archived, 'a public one: as of a new one, and who muted a topic of it'],
    [archived, 'an active stream is archived by the same argument, given alone'],
  ],
  'DELETE /streams/{id}': [
    [
      streamAdmin,
      'archiving a stream unsubscribes everybody, frees the name, and leaves messages with those who hold them',
    ],
    [streamAdmin, 'a public one: subscribers hear that they left, members that it is deleted'],
    [streamAdmin, 'the archiving of a stream is refused: %s', 'archiving a stream'],
  ],
  'POST or DELETE /default_streams': [
    [defaults, 'a default stream is added by its id or by its name, and removed again'],
    [defaults, 'a change of default streams is announced to members as the whole list'],
    [defaults, '%s'],
  ],
  'GET /users/{user_id}/subscriptions/{stream_id}': [
    [streamAdmin, 'whether an account is subscribed'],
    [streamAdmin, '%s: sees public ones, private ones'],
  ],
});

const organization = table('API decisions 7.6', {
  'GET /realm/emoji': [
    [emoji, 'it is listed under its id, in /register too, also after a restart'],
    [emoji, 'its author does; it stays listed and served, and its name is free again'],
  ],
  'POST /realm/emoji/{name}': [
    [emoji, 'a %s is listed and served to everybody'],
    [emoji, 'the name %s is refused'],
    [emoji, 'exactly one file of at most 5 MiB is taken'],
    [emoji, 'guests may not, and members only where the organization lets them'],
    [emoji, 'everybody is told the whole list'],
  ],
  'DELETE /realm/emoji/{name}': [
    [emoji, 'its author does; it stays listed and served, and its name is free again'],
    [emoji, 'so do administrators, and nobody else'],
  ],
  'GET /realm/filters': [
    [linkifiers, 'an added one is listed in both shapes and in the initial state, for everybody'],
  ],
  'POST /realm/filters': [
    [linkifiers, 'an added one is listed in both shapes and in the initial state, for everybody'],
    [linkifiers, '%s'],
    [linkifiers, 'everybody hears the whole list'],
    [
      'service/api/messages/rendering.test.ts',
      'linkifiers count from the moment they are there until they are removed',
    ],
  ],
  'DELETE /realm/filters/{id}': [
    [linkifiers, 'everybody hears the whole list'],
    [linkifiers, 'removing an unknown one, or by somebody else'],
  ],
  'POST /user_uploads': [
    [uploads, 'an upload is answered with its address, listed, and fetched as it was sent'],
    [uploads, 'an upload of %j gets the safe name %j and keeps the name %j'],
    [uploads, 'an upload is refused without a file, with two files, and when it is too large'],
  ],
  'GET //user_uploads/...': [
    [uploads, 'an uploaded file is seen by its uploader alone until a message links to it'],
    [
      uploads,
      'a file in a private stream is seen by those who held the message or may read its history',
    ],
    [uploads, 'a key in the address opens a file, but not the key of an incoming webhook bot'],
    [uploads, 'a download of %j sent as %j is %j, %s'],
  ],
  'GET //user_avatars/..., //avatar/{email or id}': [
    [avatars, 'a picture shows wherever the account does, to clients that compute gravatars too'],
    [avatars, 'the picture of nobody is nowhere'],
    [avatars, 'a %s is stored and served with turn and profile alone'],
    [avatars, 'the address of a picture tells nothing of person, picture or time'],
    [emoji, 'a %s is listed and served to everybody'],
  ],
});

export const decisions7: readonly Rows[] = [messages, own, botRows, streamRows, organization];
