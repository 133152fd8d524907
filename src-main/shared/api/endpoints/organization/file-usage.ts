import { z } from 'zod';
import { positiveInt } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { OrganizationFile } from '#shared/api/models/file-usage.ts';
import { wire, withDefault } from '#shared/api/wire.ts';

const params = wire({ limit: withDefault(positiveInt, 100) });
const result = z.object({
  files: z.array(OrganizationFile),
  /** Of all such files, those that are not listed among them. */
  count: z.int(),
  bytes: z.int(),
  /** How many bytes they may have; null where nothing limits them. */
  limit_bytes: z.int().nullable(),
});

/** Where the room for uploads went, and what to delete to have some again. */
export const officeFiles = {
  listOwn: endpoint({
    method: 'GET',
    path: '/office/files/own',
    auth: 'user',
    params,
    result,
    errors: ['BAD_REQUEST'],
    summary: 'List the files of the caller and their bots, the largest first.',
    spec: 'API decisions 15.18',
  }),
  listAll: endpoint({
    method: 'GET',
    path: '/office/files',
    auth: 'user',
    access: 'admin',
    params,
    result,
    errors: ['BAD_REQUEST'],
    summary: 'List the files of everybody, the largest first (administrators).',
    spec: 'API decisions 15.18',
  }),
};
