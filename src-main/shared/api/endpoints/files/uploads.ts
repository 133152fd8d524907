import { z } from 'zod';
import { positiveInt } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { Attachment } from '#shared/api/models/attachment.ts';
import { required, wire } from '#shared/api/wire.ts';

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
