/** What Hearth adds of its own, for its own client: nothing changes for those who do not ask for it. */
import { type Rows, table } from './row.ts';

const told = 'source.has-fields';
const unasked = 'source.clients-not-ask';
const refused = 'source.another-value-refused';
const edited = 'source.edit-message';

export const own: readonly Rows[] = [
  table("Hearth's own", {
    'names: what nobody sees (API decisions 2.5)': [
      'visible-names.new-refused-sentence',
      'visible-names.topics-bots-cleaned',
      'visible-names.exists-stays-called',
      'visible-names.files-devices-called',
    ],
    'POST /messages: local_id': [
      'local-ids.posted-announced-once',
      'local-ids.uuid-message-cannot',
      'local-ids.repeated-uuid-answered',
      'local-ids.uuid-remembered-restart',
      'local-ids.send-message-queue',
      'local-ids.sends-unique-once',
      'crash-local-ids.messages-sent-again',
    ],
    'POST /messages: widget_content': [
      'send.widget-attached',
      'send.widget-absent',
      'send.widget-refused',
    ],
    'Narrow: sent-after, sent-before, sent-within': [
      'sent.finds-clock-did',
      'sent.page-ends-time',
      'sent.times-sending-narrow',
      'sent.time-sending-given',
      'sent.bad-narrow-give',
      'sent.times-sending-no',
    ],
    'GET /messages: order': [
      'relevance.best-comes-first',
      'relevance.hits-marked-message',
      'relevance.hits-too-many',
      'relevance.hits-come-order',
      'relevance.hits-sought-among',
      'relevance.refused-reason',
      'relevance.another-order-refused',
    ],
    'Page of a search: indexed_from': [
      'search-unindexed.index-not-whole',
      'search-unindexed.client-pages-oldest',
    ],
    'GET /messages: reach': [
      'reach.search-reaches',
      'reach.search-reaches-far',
      'reach.shows-read',
      'reach.message-read-historical',
      'reach.page-begins-unread',
      'reach.message-starred-like',
      'reach.history-stream-archived',
      'reach.client-asks-no',
      'reach.another-refused',
    ],
    'GET /streams: include_archived': [
      'archived-streams.list-ones-private',
      'archived-streams.list-nobody-asks',
      'archived-streams.listing-refused',
      'archived-streams.brings-back-even',
    ],
    'GET /messages: with_source': [told, unasked, refused],
    'GET /messages/{message_id}: with_source': [told, unasked],
    'POST /register: with_source': [
      told,
      edited,
      unasked,
      'source.queue-goes-telling',
      'source.queue-get-events',
      refused,
    ],
    'Message: source': [told, 'source.message-no-second'],
    'Message: has_link': [told],
    'Message: has_image': [told],
    'Message: has_attachment': [told],
    'Message: is_held': ['source.messages-tell-apart'],
    'Message: edited_parts': ['source.messages-tell-edited'],
    'update_message: has_link, has_image, has_attachment': [edited, unasked],
  }),
];
