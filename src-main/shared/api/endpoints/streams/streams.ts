import { z } from 'zod';
import { bool, json, positiveInt, principalList, text } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { ListedStream, Stream, Subscription } from '#shared/api/models/stream.ts';
import { optional, required, wire, withDefault } from '#shared/api/wire.ts';

const StreamRequest = z.object({
  name: z.string(),
  description: z.string().optional(),
  color: z.string().optional(),
});

/** A stream to subscribe to, or to create. */
export type StreamRequest = z.infer<typeof StreamRequest>;

export const streamRequests = json<readonly StreamRequest[]>(
  'a list of objects with a name',
  z.array(StreamRequest),
);

export const namesByEmail = z.record(z.string(), z.array(z.string()));

export const streams = {
  subscribe: endpoint({
    method: 'POST',
    path: '/users/me/subscriptions',
    auth: 'user',
    params: wire({
      subscriptions: required(streamRequests),
      inviteOnly: withDefault(bool, false),
      principals: withDefault(principalList, []),
      authorizationErrorsFatal: withDefault(bool, true),
      historyPublicToSubscribers: optional(bool),
      isAnnouncementOnly: withDefault(bool, false),
      announce: withDefault(bool, false),
    }),
    result: z.object({
      subscribed: namesByEmail,
      already_subscribed: namesByEmail,
      unauthorized: z.array(z.string()).optional(),
    }),
    errors: ['BAD_REQUEST', 'NONE', 'UNAUTHORIZED_PRINCIPAL'],
    summary: 'Subscribe accounts to streams; missing streams are created.',
    spec: 'specification 4, POST /users/me/subscriptions; API decisions 7.5, 10.4 and 10.5',
  }),
  subscriptions: endpoint({
    method: 'GET',
    path: '/users/me/subscriptions',
    auth: 'user',
    params: wire({ includeSubscribers: withDefault(bool, false) }),
    result: z.object({ subscriptions: z.array(Subscription) }),
    errors: [],
    summary: "List the caller's subscriptions.",
    spec: 'specification 4, GET /users/me/subscriptions; API decisions 9.2',
  }),
  list: endpoint({
    method: 'GET',
    path: '/streams',
    auth: 'user',
    params: wire({
      includePublic: withDefault(bool, true),
      includeSubscribed: withDefault(bool, true),
      includeAllActive: withDefault(bool, false),
      includeDefault: withDefault(bool, false),
      includeOwnerSubscribed: withDefault(bool, false),
      includeArchived: withDefault(bool, false),
    }),
    result: z.object({ streams: z.array(Stream) }),
    errors: ['BAD_REQUEST'],
    summary: 'List the streams that the caller may see.',
    spec: 'specification 4, GET /streams; API decisions 7.5, Archived streams, and 9.2',
  }),
  get: endpoint({
    method: 'GET',
    path: '/streams/:stream_id',
    auth: 'user',
    params: wire({ streamId: required(positiveInt) }),
    result: z.object({ stream: ListedStream }),
    errors: ['BAD_REQUEST'],
    summary: 'One stream.',
    spec: 'API decisions 7.5, GET /streams/{id}',
  }),
  findId: endpoint({
    method: 'GET',
    path: '/get_stream_id',
    auth: 'user',
    params: wire({ stream: required(text, 'text') }),
    result: z.object({ stream_id: z.int() }),
    errors: ['BAD_REQUEST'],
    summary: 'The id of the stream with a name.',
    spec: 'API decisions 7.5, GET /get_stream_id',
  }),
  members: endpoint({
    method: 'GET',
    path: '/streams/:stream_id/members',
    auth: 'user',
    params: wire({ streamId: required(positiveInt) }),
    result: z.object({ subscribers: z.array(z.string()) }),
    errors: ['BAD_REQUEST'],
    summary: "List the e-mail addresses of a stream's subscribers.",
    spec: 'API decisions 7.5, GET /streams/{id}/members',
  }),
  isSubscribed: endpoint({
    method: 'GET',
    path: '/users/:user_id/subscriptions/:stream_id',
    auth: 'user',
    params: wire({ userId: required(positiveInt), streamId: required(positiveInt) }),
    result: z.object({ is_subscribed: z.boolean() }),
    errors: ['BAD_REQUEST'],
    summary: 'Whether an account is subscribed to a stream.',
    spec: 'API decisions 7.5, GET /users/{user_id}/subscriptions/{stream_id}',
  }),
  emailAddress: endpoint({
    method: 'GET',
    path: '/streams/:stream_id/email_address',
    auth: 'user',
    params: wire({ streamId: required(positiveInt) }),
    result: z.object({ email: z.string() }),
    errors: ['BAD_REQUEST'],
    summary: 'The address of a stream for e-mail: empty, because this service takes none.',
    spec: 'API decisions 7.5, GET /streams/{id}/email_address',
  }),
  topics: endpoint({
    method: 'GET',
    path: '/users/me/:stream_id/topics',
    auth: 'user',
    params: wire({ streamId: required(positiveInt) }),
    result: z.object({ topics: z.array(z.object({ name: z.string(), max_id: z.int() })) }),
    errors: ['BAD_REQUEST'],
    summary: "List a stream's topics, newest first.",
    spec: 'API decisions 7.5',
  }),
};
