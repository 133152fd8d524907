import { z } from 'zod';
import { bool, int, positiveInt, stringList, text } from '../codecs.ts';
import { endpoint } from '../endpoint.ts';
import { Event } from '../events.ts';
import { QueueNarrowParam } from '../narrow.ts';
import { optional, required, wire, withDefault } from '../wire.ts';

const registerParams = {
  applyMarkdown: withDefault(bool, false),
  clientGravatar: withDefault(bool, false),
  eventTypes: optional(stringList),
  fetchEventTypes: optional(stringList),
  allPublicStreams: optional(bool),
  includeSubscribers: withDefault(bool, false),
  narrow: withDefault(QueueNarrowParam, []),
  queueLifespanSecs: optional(positiveInt),
  /** Not of the specification: messages as GET /messages gives them with it. */
  withSource: withDefault(bool, false),
};

export const events = {
  register: endpoint({
    method: 'POST',
    path: '/register',
    auth: 'user',
    params: wire(registerParams),
    /** Beside these keys stand those of the requested types (API decisions 9). */
    result: z.looseObject({
      queue_id: z.string(),
      last_event_id: z.int(),
      zulip_version: z.string(),
    }),
    errors: ['BAD_REQUEST', 'RATE_LIMIT_HIT'],
    summary: 'Register an event queue and fetch the state it starts from.',
    spec: 'specification 4, POST /register; API decisions 8.1 and 9',
  }),
  poll: endpoint({
    method: 'GET',
    path: '/events',
    auth: 'user',
    limit: 'event-fetch',
    params: wire({
      queueId: optional(text),
      lastEventId: optional(int),
      dontBlock: withDefault(bool, false),
      ...registerParams,
    }),
    result: z.object({
      queue_id: z.string(),
      events: z.array(Event),
      /** Present only when this call registered the queue. */
      last_event_id: z.int().optional(),
    }),
    errors: ['BAD_EVENT_QUEUE_ID', 'BAD_REQUEST', 'RATE_LIMIT_HIT'],
    summary: 'Wait for the events of a queue.',
    spec: 'specification 4, GET /events; API decisions 8.1',
  }),
  acknowledge: endpoint({
    method: 'POST',
    path: '/events/acknowledge',
    auth: 'user',
    params: wire({ queueId: required(text, 'text'), lastEventId: required(int) }),
    result: z.object({}),
    errors: ['BAD_EVENT_QUEUE_ID', 'BAD_REQUEST'],
    summary: 'Say which events of a stream have arrived.',
    spec: 'API decisions 8.4',
  }),
  deleteQueue: endpoint({
    method: 'DELETE',
    path: '/events',
    auth: 'user',
    params: wire({ queueId: required(text, 'text') }),
    result: z.object({}),
    errors: ['BAD_EVENT_QUEUE_ID', 'BAD_REQUEST'],
    summary: 'Delete an event queue.',
    spec: 'specification 4, DELETE /events',
  }),
};

/** Of GET /events/stream, whose answer is no JSON and which is therefore in no table (API decisions 8.4). */
export const eventStreamParams = wire({
  queueId: required(text, 'text'),
  lastEventId: required(int),
});
export const eventStreamPath = '/events/stream';
