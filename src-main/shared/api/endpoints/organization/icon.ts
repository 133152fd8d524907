import { z } from 'zod';
import { PICTURE_MIB, PICTURE_SIDE } from '#shared/api/bounds.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { wire } from '#shared/api/wire.ts';

const path = '/realm/icon';
/** Where the picture is now. */
const result = z.object({ icon_url: z.string() });

/** Beside the endpoint table: GET leads whoever asks, without a key, to the picture. */
export const realmIconPath = path;

export const realmIcon = {
  set: endpoint({
    method: 'POST',
    path,
    auth: 'user',
    access: 'admin',
    takesFiles: 'picture',
    params: wire({}),
    result,
    errors: ['BAD_REQUEST', 'BAD_IMAGE', 'REALM_UPLOAD_QUOTA'],
    summary: `Set the picture of the organization: one image of at most ${String(PICTURE_MIB)} MiB and ${String(PICTURE_SIDE)} x ${String(PICTURE_SIDE)} pixels.`,
    spec: 'API decisions 7.6 and 9.5',
  }),
  remove: endpoint({
    method: 'DELETE',
    path,
    auth: 'user',
    access: 'admin',
    params: wire({}),
    result,
    errors: ['BAD_REQUEST'],
    summary: 'Remove the picture of the organization.',
    spec: 'API decisions 7.6 and 9.5',
  }),
};
