import { z } from 'zod';
import { bool, jsonOrRawText, positiveInt, text } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { optional, required, wire } from '#shared/api/wire.ts';

const streamReference = wire({
  streamId: optional(positiveInt),
  streamName: optional(text, 'text'),
});

export const streamAdmin = {
  update: endpoint({
    method: 'PATCH',
    path: '/streams/:stream_id',
    auth: 'user',
    access: 'admin',
    params: wire({
      streamId: required(positiveInt),
      description: optional(jsonOrRawText, 'text'),
      newName: optional(jsonOrRawText, 'text'),
      isPrivate: optional(bool),
      isAnnouncementOnly: optional(bool),
      historyPublicToSubscribers: optional(bool),
      isArchived: optional(bool),
    }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary:
      "Change a stream's name, description, privacy and who may post, archive it or bring it back.",
    spec: 'API decisions 7.5, PATCH /streams/{id}, and 10.5',
  }),
  archive: endpoint({
    method: 'DELETE',
    path: '/streams/:stream_id',
    auth: 'user',
    access: 'admin',
    params: wire({ streamId: required(positiveInt) }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'Archive a stream: everybody is unsubscribed and its name is free again.',
    spec: 'API decisions 7.5, DELETE /streams/{id}',
  }),
  addDefault: endpoint({
    method: 'POST',
    path: '/default_streams',
    auth: 'user',
    access: 'admin',
    params: streamReference,
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'Subscribe new accounts to a public stream.',
    spec: 'API decisions 7.5, /default_streams',
  }),
  removeDefault: endpoint({
    method: 'DELETE',
    path: '/default_streams',
    auth: 'user',
    access: 'admin',
    params: streamReference,
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'No longer subscribe new accounts to a stream.',
    spec: 'API decisions 7.5, /default_streams',
  }),
};
