import { z } from 'zod';
import { text } from '#shared/api/codecs.ts';
import { PICTURE_MIB, PICTURE_SIDE } from '#shared/api/bounds.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { RealmEmoji } from '#shared/api/models/emoji.ts';
import { required, wire } from '#shared/api/wire.ts';

export const emoji = {
  list: endpoint({
    method: 'GET',
    path: '/realm/emoji',
    auth: 'user',
    params: wire({}),
    result: z.object({ emoji: RealmEmoji }),
    errors: [],
    summary: "List the organization's own emoji.",
    spec: 'API decisions 7.6 and 9.3',
  }),
  add: endpoint({
    method: 'POST',
    path: '/realm/emoji/:name',
    auth: 'user',
    access: 'member',
    takesFiles: 'picture',
    params: wire({ name: required(text, 'text') }),
    result: z.object({}),
    errors: ['BAD_REQUEST', 'BAD_IMAGE', 'REALM_UPLOAD_QUOTA'],
    summary: `Add an emoji: one image of at most ${String(PICTURE_MIB)} MiB and ${String(PICTURE_SIDE)} x ${String(PICTURE_SIDE)} pixels.`,
    spec: 'API decisions 7.6',
  }),
  deactivate: endpoint({
    method: 'DELETE',
    path: '/realm/emoji/:name',
    auth: 'user',
    params: wire({ name: required(text, 'text') }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'Deactivate an emoji (its author, administrators).',
    spec: 'API decisions 7.6',
  }),
};
