/** What Hearth adds of its own, for its own client: nothing changes for those who do not ask for it. */
import { type Reference, type Rows, table } from './row.ts';

const reach = 'service/api/reading/reach.test.ts';
const relevance = 'service/api/reading/relevance.test.ts';
const unindexed = 'service/api/reading/search-unindexed.test.ts';
const sent = 'service/api/messages/sent.test.ts';
const localIds = 'service/api/messages/local-ids.test.ts';
const source = 'service/api/messages/source.test.ts';

const names = 'service/api/people/visible-names.test.ts';
const archived = 'service/api/streams/archived-streams.test.ts';

const told: Reference = [source, '%j is told in a page, alone and in an event'];
const unasked: Reference = [
  source,
  'clients that do not ask see nothing of the source, whoever is told the same beside them',
  'clients that do not ask',
];
const refused: Reference = [source, 'another value of with_source is refused'];
const edited: Reference = [source, 'an edit of a message tells what the message has from then on'];

export const own: readonly Rows[] = [
  table("Hearth's own", {
    'names: what nobody sees (API decisions 2.5)': [
      [names, 'a new name in %s %j is refused with a sentence that says which'],
      [names, 'topics of bots are cleaned, to nothing but their name for none'],
      [
        names,
        'what exists under such a name stays as it is called, is used as before, and is listed for administrators',
      ],
      [
        names,
        'files and devices are called as is seen, with the joiners that scripts and emoji need',
      ],
    ],
    'POST /messages: local_id': [
      [localIds, '%s is posted and announced once, however often it is sent'],
      [localIds, 'the UUID of a message cannot be sent with another %s'],
      [
        localIds,
        'a repeated UUID is answered with the id of its message after that was deleted, and it stays deleted',
      ],
      [localIds, 'a UUID is remembered after a restart'],
      [localIds, '%j: every send is a message, in one queue and in another'],
      [
        localIds,
        'sends of one unique local id at once post one message, those of other ids one each',
      ],
      [
        'launch/crash-local-ids.test.ts',
        'messages that are sent again after each kill are there exactly once (CRASH_SEED=%i)',
      ],
    ],
    'Narrow: sent-after, sent-before, sent-within': [
      [sent, '%s finds what was sent then, whatever the clock did'],
      [sent, '%s: a page ends where its time does'],
      [sent, 'times of sending narrow a search for words, too'],
      [sent, 'a time of sending tells of given messages whether they were sent then'],
      [sent, '%s is BAD_NARROW and says what to give'],
      [sent, 'times of sending are no filter of an event queue'],
    ],
    'GET /messages: order': [
      [relevance, '%j: the best comes first'],
      [relevance, 'hits by relevance are marked, and have what every message has'],
      [
        relevance,
        'hits by relevance that are too many for the page are left out at the end, and said to be',
      ],
      [relevance, 'hits come in the order of time where nothing else is asked for'],
      [relevance, 'hits by relevance are sought among the newest of them only'],
      [relevance, '%s is refused with a reason'],
      [relevance, 'another order is refused'],
    ],
    'Page of a search: indexed_from': [
      [
        unindexed,
        'a search in an index that is not whole says so, also by relevance, and other pages do not',
      ],
      [
        unindexed,
        'a client that pages until the oldest hit waits where nothing new came, and comes to all of them',
      ],
    ],
    'GET /messages: reach': [
      [reach, 'a search by %s reaches what is %s'],
      [reach, 'a search reaches as far with %j'],
      ['service/api/reading/reach.property.test.ts', 'every reach shows what one may read (%i)'],
      [
        reach,
        'a message in reach is read and historical where it was not received, and nobody holds it afterwards',
      ],
      [reach, 'a page of a reach begins at what is unread where that is asked for'],
      [
        reach,
        'a message in reach is starred like anything that may be read, which makes a copy of that alone',
      ],
      [reach, 'the history of a stream that was archived is no longer in reach'],
      [
        reach,
        'a client that asks for no reach is answered the same bytes as one that asks for what it holds',
      ],
      [reach, 'another reach is refused'],
    ],
    'GET /streams: include_archived': [
      [
        archived,
        'the list of streams has archived ones, private ones too, where an administrator asks for them',
      ],
      [archived, 'the list of streams is what it was where nobody asks for archived ones'],
      [archived, '%s may not list archived streams'],
      [archived, 'whoever brings a stream back is in it even where nobody wrote down who was'],
    ],
    'GET /messages: with_source': [told, unasked, refused],
    'GET /messages/{message_id}: with_source': [told, unasked],
    'POST /register: with_source': [
      told,
      edited,
      unasked,
      [source, 'a queue goes on telling messages with their source after a restart'],
      [source, 'a queue that GET /events registered tells messages with their source'],
      refused,
    ],
    'Message: source': [
      told,
      [source, 'a message has no second source where its content is the source'],
    ],
    'Message: has_link': [told],
    'Message: has_image': [told],
    'Message: has_attachment': [told],
    'Message: is_held': [
      [
        source,
        'messages with their source tell apart what the account holds and history that it never received',
      ],
    ],
    'Message: edited_parts': [
      [
        source,
        'messages with their source tell whether they were edited or moved, also where no history is shown',
      ],
    ],
    'update_message: has_link, has_image, has_attachment': [edited, unasked],
  }),
];
