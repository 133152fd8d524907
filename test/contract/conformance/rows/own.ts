/** What Hearth adds of its own, for its own client: nothing changes for those who do not ask for it. */
import { type Reference, type Rows, table } from './row.ts';

const reach = 'service/api/reading/reach.test.ts';
const relevance = 'service/api/reading/relevance.test.ts';
const sent = 'service/api/messages/sent.test.ts';
const localIds = 'service/api/messages/local-ids.test.ts';
const source = 'service/api/messages/source.test.ts';

const archived = 'service/api/streams/archived-streams.test.ts';

const told: Reference = [source, '%j is told in a page, alone and in an event'];
const unasked: Reference = [
  source,
  'see nothing of it, whoever is told the same beside them',
  'clients that do not ask',
];
const refused: Reference = [source, 'another value of with_source is refused'];
const edited: Reference = [source, 'are edited with what they have from then on'];

export const own: readonly Rows[] = [
  table("Hearth's own", {
    'POST /messages: local_id': [
      [localIds, '%s is posted and announced once, however often it is sent'],
      [localIds, 'cannot be sent with another %s'],
      [localIds, 'is answered with its id after it was deleted, and stays deleted'],
      [localIds, 'is remembered after a restart'],
      [localIds, '%j: every send is a message, in one queue and in another'],
      [localIds, 'of a local id that is unique post one message, others one each'],
      [
        'launch/crash-local-ids.test.ts',
        'messages that are sent again after each kill are there exactly once (CRASH_SEED=%i)',
      ],
    ],
    'Narrow: sent-after, sent-before, sent-within': [
      [sent, '%s finds what was sent then, whatever the clock did'],
      [sent, '%s: a page ends where its time does'],
      [sent, 'are sought in with words, too'],
      [sent, 'tell of given messages whether they were sent then'],
      [sent, '%s is BAD_NARROW and says what to give'],
      [sent, 'are no filter of an event queue'],
    ],
    'GET /messages: order': [
      [relevance, '%j: the best comes first'],
      [relevance, 'are marked, and have what every message has'],
      [relevance, 'that are too many for the page are left out at the end, and said to be'],
      [relevance, 'are those of time where nothing else is asked for'],
      [relevance, 'are sought among the newest of them only'],
      [relevance, '%s is refused with a reason'],
      [relevance, 'another order is refused'],
    ],
    'GET /messages: reach': [
      [reach, 'of %s reaches what is %s'],
      [reach, 'reaches as far with %j'],
      ['service/api/reading/reach.property.test.ts', 'every reach shows what one may read (%i)'],
      [reach, 'is read and historical where it was not received, and nobody holds it afterwards'],
      [reach, 'begins at what is unread where that is asked for'],
      [reach, 'is starred as anything that may be read, which makes a copy of that alone'],
      [reach, 'is no longer the history of a stream that was archived'],
      [reach, 'are answered the same bytes as those that ask for what they hold'],
      [reach, 'another reach is refused'],
    ],
    'GET /streams: include_archived': [
      [archived, 'has archived ones, private ones too, where an administrator asks for them'],
      [archived, 'is what it was where nobody asks for them'],
      [archived, '%s may not list archived streams'],
      [archived, 'also where nobody wrote down who was in it'],
    ],
    'GET /messages: with_source': [told, unasked, refused],
    'GET /messages/{message_id}: with_source': [told, unasked],
    'POST /register: with_source': [
      told,
      edited,
      unasked,
      [source, 'go on in the queue after a restart'],
      [source, 'are told in a queue that GET /events registered'],
      refused,
    ],
    'Message: source': [told, [source, 'have no second one where the content is the source']],
    'Message: has_link': [told],
    'Message: has_image': [told],
    'Message: has_attachment': [told],
    'Message: is_held': [
      [source, 'tell apart what the account holds from history that it never received'],
    ],
    'update_message: has_link, has_image, has_attachment': [edited, unasked],
  }),
];
