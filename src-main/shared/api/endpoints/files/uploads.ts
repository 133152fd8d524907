import { z } from 'zod';
import { positiveInt, text } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { Attachment } from '#shared/api/models/attachment.ts';
import { optional, required, wire } from '#shared/api/wire.ts';

const UploadState = z.object({
  upload_id: z.string(),
  size: z.int(),
  offset: z.int(),
  expires: z.int(),
});

export const uploads = {
  upload: endpoint({
    method: 'POST',
    path: '/user_uploads',
    auth: 'user',
    params: wire({}),
    takesFiles: 'upload',
    result: z.object({ uri: z.string(), url: z.string() }),
    errors: ['BAD_REQUEST', 'REALM_UPLOAD_QUOTA'],
    summary: 'Upload one file, to link to it in a message.',
    spec: 'API decisions 7.6',
  }),
  begin: endpoint({
    method: 'POST',
    path: '/uploads',
    auth: 'user',
    params: wire({
      name: required(text, 'text'),
      size: required(positiveInt),
      contentType: optional(text, 'text'),
    }),
    result: UploadState,
    errors: ['BAD_REQUEST', 'REALM_UPLOAD_QUOTA'],
    summary: 'Begin a file that comes in pieces.',
    spec: 'API decisions 15.21',
  }),
  state: endpoint({
    method: 'GET',
    path: '/uploads/:upload_id',
    auth: 'user',
    params: wire({ uploadId: required(text, 'text') }),
    result: UploadState,
    errors: ['BAD_REQUEST'],
    summary: 'Ask how much of a file that comes in pieces is there.',
    spec: 'API decisions 15.21',
  }),
  piece: endpoint({
    method: 'PATCH',
    path: '/uploads/:upload_id',
    auth: 'user',
    params: wire({ uploadId: required(text, 'text'), offset: required(positiveInt) }),
    takesPiece: true,
    result: UploadState,
    errors: ['BAD_REQUEST', 'REALM_UPLOAD_QUOTA', 'PAYLOAD_TOO_LARGE'],
    summary: 'Send the next piece of a file: the body as it is.',
    spec: 'API decisions 15.21',
  }),
  finish: endpoint({
    method: 'POST',
    path: '/uploads/:upload_id/finish',
    auth: 'user',
    params: wire({ uploadId: required(text, 'text') }),
    result: z.object({ uri: z.string(), url: z.string() }),
    errors: ['BAD_REQUEST'],
    summary: 'Make a file of its pieces, to link to it in a message.',
    spec: 'API decisions 15.21',
  }),
  abandon: endpoint({
    method: 'DELETE',
    path: '/uploads/:upload_id',
    auth: 'user',
    params: wire({ uploadId: required(text, 'text') }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'Give up a file that comes in pieces.',
    spec: 'API decisions 15.21',
  }),
  list: endpoint({
    method: 'GET',
    path: '/attachments',
    auth: 'user',
    params: wire({}),
    result: z.object({ attachments: z.array(Attachment), upload_space_used: z.int() }),
    errors: [],
    summary: 'List the files that the caller uploaded.',
    spec: 'API decisions 7.6',
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/attachments/:attachment_id',
    auth: 'user',
    params: wire({ attachmentId: required(positiveInt) }),
    result: z.object({}),
    errors: ['BAD_REQUEST'],
    summary: 'Delete a file of the caller or their bots; administrators delete any.',
    spec: 'API decisions 15.18',
  }),
};
