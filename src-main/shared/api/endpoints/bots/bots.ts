import { z } from 'zod';
import {
  bool,
  int,
  json,
  jsonOrRawText,
  oneOfInts,
  positiveInt,
  stringList,
  text,
} from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { NewBot, OwnBot } from '#shared/api/models/bot.ts';
import { optional, required, wire, withDefault } from '#shared/api/wire.ts';

export const bots = {
  create: endpoint({
    method: 'POST',
    path: '/bots',
    auth: 'user',
    access: 'member-person',
    /** A picture may come along. */
    takesFiles: 'picture',
    params: wire({
      fullName: required(jsonOrRawText, 'text'),
      shortName: required(text, 'text'),
      /** 1 generic, 2 incoming webhook, 3 outgoing webhook. */
      botType: withDefault(int, 1),
      /** Where an outgoing webhook bot is delivered to. */
      payloadUrl: optional(jsonOrRawText, 'text'),
      /** 1 generic, 2 Slack. */
      interfaceType: withDefault(oneOfInts([1, 2]), 1),
      defaultSendingStream: optional(text, 'text'),
      defaultEventsRegisterStream: optional(text, 'text'),
      defaultAllPublicStreams: withDefault(bool, false),
    }),
    result: NewBot,
    errors: ['BAD_REQUEST', 'REQUEST_VARIABLE_MISSING', 'BAD_IMAGE', 'REALM_UPLOAD_QUOTA'],
    summary: 'Create a bot.',
    spec: 'API decisions 7.4',
  }),
  list: endpoint({
    method: 'GET',
    path: '/bots',
    auth: 'user',
    params: wire({}),
    result: z.object({ bots: z.array(OwnBot) }),
    errors: [],
    summary: "List the caller's own bots.",
    spec: 'API decisions 7.4',
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/bots/:bot_id',
    auth: 'user',
    access: 'person',
    takesFiles: 'picture',
    params: wire({
      botId: required(positiveInt),
      fullName: optional(jsonOrRawText, 'text'),
      botOwnerId: optional(positiveInt),
      /** With another owner: leaves an incoming webhook bot its key, so that services go on delivering. */
      keepKey: withDefault(bool, false),
      /** Empty for none. */
      defaultSendingStream: optional(text, 'text'),
      defaultEventsRegisterStream: optional(text, 'text'),
      defaultAllPublicStreams: optional(bool),
      servicePayloadUrl: optional(jsonOrRawText, 'text'),
      serviceInterface: optional(oneOfInts([1, 2])),
      /** By which what third-party services deliver is verified; empty for none. */
      webhookSecret: optional(text, 'text'),
    }),
    /** Only what changed. */
    result: z.object({
      full_name: z.string().optional(),
      bot_owner_id: z.int().optional(),
      bot_owner: z.string().optional(),
      default_sending_stream: z.string().nullable().optional(),
      default_events_register_stream: z.string().nullable().optional(),
      default_all_public_streams: z.boolean().optional(),
      service_payload_url: z.string().optional(),
      service_interface: z.int().optional(),
    }),
    errors: ['BAD_REQUEST'],
    summary: 'Change a bot (its owner and administrators).',
    spec: 'API decisions 7.4',
  }),
  regenerateKey: endpoint({
    method: 'POST',
    path: '/bots/:bot_id/api_key/regenerate',
    auth: 'user',
    access: 'person',
    params: wire({ botId: required(positiveInt) }),
    result: z.object({ api_key: z.string() }),
    errors: ['BAD_REQUEST'],
    summary: "Replace a bot's API key (its owner and administrators).",
    spec: 'API decisions 7.4',
  }),
  deactivate: endpoint({
    method: 'DELETE',
    path: '/bots/:bot_id',
    auth: 'user',
    access: 'person',
    params: wire({ botId: required(positiveInt) }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'Deactivate a bot (its owner and administrators).',
    spec: 'API decisions 7.4',
  }),
};

const texts = z.record(z.string(), z.string());

export const botStorage = {
  put: endpoint({
    method: 'PUT',
    path: '/bot_storage',
    auth: 'user',
    params: wire({
      storage: required(
        json<Readonly<Record<string, string>>>('an object whose values are strings', texts),
      ),
    }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: "Store texts under keys in the caller's own storage.",
    spec: 'API decisions 7.4',
  }),
  get: endpoint({
    method: 'GET',
    path: '/bot_storage',
    auth: 'user',
    params: wire({ keys: optional(stringList) }),
    result: z.object({ storage: texts }),
    errors: ['BAD_REQUEST'],
    summary: "Read the caller's own storage, all of it or some keys.",
    spec: 'API decisions 7.4',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/bot_storage',
    auth: 'user',
    params: wire({ keys: optional(stringList) }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: "Delete keys of the caller's own storage, or all of them.",
    spec: 'API decisions 7.4',
  }),
};
