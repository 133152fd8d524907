import { z } from 'zod';
import { anchor, anything, bool, json, oneOf, positiveInt, text } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { Message } from '#shared/api/models/message.ts';
import { NarrowParam, historyScopes } from '#shared/api/narrow.ts';
import { optional, required, wire, withDefault } from '#shared/api/wire.ts';

/** What a bot of the time offers to click. It is attached to the message as a submessage of the type `widget`. */
const Widget = z.object({
  widget_type: z.string().min(1),
  extra_data: z.record(z.string(), z.unknown()).nullable(),
});

export const messages = {
  send: endpoint({
    method: 'POST',
    path: '/messages',
    auth: 'sender',
    params: wire(
      {
        type: required(oneOf(['stream', 'private', 'channel', 'direct']), 'text'),
        /** Its form depends on `type` (API decisions 2.3). */
        to: required(anything, 'text'),
        topic: optional(text, 'text'),
        content: required(text, 'text'),
        queueId: optional(text, 'text'),
        /**
         * The client's own id. One that is a UUID of version 4 or 7 (RFC 9562) is accepted once from each sender, for at
         * least 30 days: the same message sent again, from whatever queue, is not posted but answered with the id of
         * the first, even if that was deleted; another message is BAD_REQUEST. Other ids may be used again.
         */
        localId: optional(text, 'text'),
        client: optional(text, 'text'),
        deliveryType: optional(text, 'text'),
        deliverAt: optional(text, 'text'),
        widgetContent: optional(json('an object with widget_type and extra_data', Widget)),
      },
      { topic: ['subject'] },
    ),
    result: z.object({ id: z.int() }),
    errors: ['STREAM_DOES_NOT_EXIST', 'BAD_REQUEST', 'REQUEST_CONFUSING_VAR'],
    summary: 'Send a message to a stream or to users.',
    spec: 'specification 4, POST /messages; API decisions 2.3 and 2.4',
  }),
  page: endpoint({
    method: 'GET',
    path: '/messages',
    auth: 'user',
    params: wire({
      anchor: optional(anchor),
      useFirstUnreadAnchor: withDefault(bool, false),
      numBefore: required(positiveInt),
      numAfter: required(positiveInt),
      narrow: withDefault(NarrowParam, []),
      clientGravatar: withDefault(bool, false),
      applyMarkdown: withDefault(bool, true),
      /**
       * Not of the specification. `relevance`: the best of the newest 1,000 hits of a search come first, at most
       * `num_before` of them; `found_oldest` says whether these are all hits.
       */
      order: withDefault(oneOf(['newest', 'relevance']), 'newest'),
      /**
       * Not of the specification. Which messages the narrow selects from: what the account holds, as the specification
       * has it, or also history that it may read (`HistoryScope`). Nothing becomes held by it, and what is not has the flags
       * `read` and `historical`.
       */
      reach: withDefault(oneOf(historyScopes), 'held'),
      /** Not of the specification: for clients that search what they keep as the service does. */
      withSource: withDefault(bool, false),
    }),
    result: z.object({
      /** The numeric anchor that was used; the sentinel is beyond the safe integers. */
      anchor: z.number(),
      found_anchor: z.boolean(),
      found_oldest: z.boolean(),
      found_newest: z.boolean(),
      history_limited: z.literal(false),
      /**
       * Not of the specification. Only while the search index is made anew: what is older was not searched, and the page
       * does not reach the oldest hit.
       */
      indexed_from: z.number().int().optional(),
      messages: z.array(Message),
    }),
    errors: ['BAD_REQUEST', 'BAD_NARROW'],
    summary: 'Fetch a page of message history around an anchor.',
    spec: 'specification 4, GET /messages; API decisions 3 and 4',
  }),
  render: endpoint({
    method: 'POST',
    path: '/messages/render',
    auth: 'user',
    params: wire({ content: required(text, 'text') }),
    result: z.object({ rendered: z.string() }),
    errors: ['BAD_REQUEST'],
    summary: 'Render a text as it would look in a message.',
    spec: 'API decisions 7.1',
  }),
};
