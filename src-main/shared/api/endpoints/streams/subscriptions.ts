import { z } from 'zod';
import { json, positiveInt, principalList, stringList, text } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { optional, required, wire, withDefault } from '#shared/api/wire.ts';
import { namesByEmail, streamRequests } from './streams.ts';

/** One setting of one subscription; what else is in it is echoed. */
const SettingRequest = z.looseObject({
  stream_id: z.int(),
  property: z.string(),
  value: z.union([z.string(), z.boolean()]),
});

export type SettingRequest = z.infer<typeof SettingRequest>;

const removal = { removed: z.array(z.string()), not_removed: z.array(z.string()) };

export const subscriptions = {
  unsubscribe: endpoint({
    method: 'DELETE',
    path: '/users/me/subscriptions',
    auth: 'user',
    params: wire({
      subscriptions: required(stringList),
      principals: withDefault(principalList, []),
    }),
    result: z.object(removal),
    errors: ['STREAM_DOES_NOT_EXIST', 'BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
    summary: 'Unsubscribe from streams; administrators may unsubscribe others.',
    spec: 'specification 4, DELETE /users/me/subscriptions',
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/users/me/subscriptions',
    auth: 'user',
    params: wire({
      add: withDefault(streamRequests, []),
      delete: withDefault(stringList, []),
    }),
    result: z.object({ subscribed: namesByEmail, already_subscribed: namesByEmail, ...removal }),
    errors: ['STREAM_DOES_NOT_EXIST', 'BAD_REQUEST', 'NONE'],
    summary: 'Unsubscribe from some streams and subscribe to others at once.',
    spec: 'API decisions 7.3',
  }),
  setProperties: endpoint({
    method: 'POST',
    path: '/users/me/subscriptions/properties',
    auth: 'user',
    params: wire({
      subscriptionData: required(
        json<readonly SettingRequest[]>(
          'a list of objects with stream_id, property and value',
          z.array(SettingRequest),
        ),
      ),
    }),
    result: z.object({ subscription_data: z.array(SettingRequest) }),
    errors: ['BAD_REQUEST'],
    summary: "Change the caller's own settings of streams.",
    spec: 'specification 4, POST /users/me/subscriptions/properties; API decisions 7.5',
  }),
  muteTopic: endpoint({
    method: 'PATCH',
    path: '/users/me/subscriptions/muted_topics',
    auth: 'user',
    params: wire({
      stream: optional(text, 'text'),
      streamId: optional(positiveInt),
      topic: required(text, 'text'),
      op: required(text, 'text'),
    }),
    result: z.object({}),
    errors: ['BAD_REQUEST', 'NONE'],
    summary: 'Mute or unmute a topic.',
    spec: 'specification 3 and 4, PATCH /users/me/subscriptions/muted_topics',
  }),
};
