import { z } from 'zod';
import { PICTURE_MIB, PICTURE_SIDE } from '#shared/api/bounds.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { wire } from '#shared/api/wire.ts';

const path = '/users/me/avatar';
/** Where the picture is now: on this server, or a gravatar. */
const result = z.object({ avatar_url: z.string() });

export const avatars = {
  set: endpoint({
    method: 'PUT',
    path,
    auth: 'user',
    access: 'person',
    takesFiles: 'picture',
    params: wire({}),
    result,
    errors: ['BAD_REQUEST', 'BAD_IMAGE', 'REALM_UPLOAD_QUOTA'],
    summary: `Set the caller's picture: one image of at most ${String(PICTURE_MIB)} MiB and ${String(PICTURE_SIDE)} x ${String(PICTURE_SIDE)} pixels.`,
    spec: 'API decisions 5 and 7.3',
  }),
  remove: endpoint({
    method: 'DELETE',
    path,
    auth: 'user',
    access: 'person',
    params: wire({}),
    result,
    errors: ['BAD_REQUEST'],
    summary: "Remove the caller's picture; the gravatar holds again.",
    spec: 'API decisions 5 and 7.3',
  }),
};
