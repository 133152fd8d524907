import { z } from 'zod';
import { bool, positiveInt, stringList, text } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { HookBot, Integration } from '#shared/api/models/integration.ts';
import { LoggedDelivery, WholeDelivery } from '#shared/api/models/delivery.ts';
import { optional, required, wire } from '#shared/api/wire.ts';

export const integrations = {
  list: endpoint({
    method: 'GET',
    path: '/integrations',
    auth: 'user',
    params: wire({}),
    result: z.object({ integrations: z.array(Integration) }),
    errors: [],
    summary: 'List the services that can deliver here.',
    spec: 'API decisions 15.12',
  }),
  bots: endpoint({
    method: 'GET',
    path: '/integrations/bots',
    auth: 'user',
    access: 'person',
    params: wire({}),
    result: z.object({ bots: z.array(HookBot) }),
    errors: ['BAD_REQUEST'],
    summary: "List the caller's own incoming webhook bots, with how each was set up.",
    spec: 'API decisions 15.12',
  }),
  setUp: endpoint({
    method: 'PUT',
    path: '/bots/:bot_id/integration',
    auth: 'user',
    access: 'person',
    params: wire({
      botId: required(positiveInt),
      integration: required(text, 'text'),
      /** Empty, or absent: to the owner in private. */
      stream: optional(text, 'text'),
      /** Empty, or absent: the integration's own. */
      topic: optional(text, 'text'),
      /** Empty, or absent: all. */
      onlyEvents: optional(stringList),
    }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary:
      'Remember for which service an incoming webhook bot is, and where it posts (its owner).',
    spec: 'API decisions 15.12',
  }),
  pause: endpoint({
    method: 'POST',
    path: '/bots/:bot_id/pause',
    auth: 'user',
    access: 'person',
    params: wire({ botId: required(positiveInt), isPaused: required(bool) }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary:
      'Keep what is delivered to an incoming webhook bot without posting it, or go on (its owner).',
    spec: 'API decisions 15.12',
  }),
};

export const deliveries = {
  list: endpoint({
    method: 'GET',
    path: '/bots/:bot_id/deliveries',
    auth: 'user',
    access: 'person',
    params: wire({ botId: required(positiveInt) }),
    result: z.object({ deliveries: z.array(LoggedDelivery) }),
    errors: ['BAD_REQUEST'],
    summary: 'List what was delivered to a bot, or by it, the newest first (its owner).',
    spec: 'API decisions 15.12',
  }),
  get: endpoint({
    method: 'GET',
    path: '/bots/:bot_id/deliveries/:delivery_id',
    auth: 'user',
    access: 'person',
    params: wire({ botId: required(positiveInt), deliveryId: required(positiveInt) }),
    result: z.object({ delivery: WholeDelivery }),
    errors: ['BAD_REQUEST'],
    summary: 'One delivery whole (the owner of its bot).',
    spec: 'API decisions 15.12',
  }),
  again: endpoint({
    method: 'POST',
    path: '/bots/:bot_id/deliveries/:delivery_id/again',
    auth: 'user',
    access: 'person',
    params: wire({
      botId: required(positiveInt),
      deliveryId: required(positiveInt),
      /** In place of what the delivery named. */
      stream: optional(text, 'text'),
      topic: optional(text, 'text'),
    }),
    result: z.object({ delivery: WholeDelivery }),
    errors: ['BAD_REQUEST'],
    summary: 'Send a kept delivery again (the owner of its bot).',
    spec: 'API decisions 15.12',
  }),
};
