import { z } from 'zod';
import { json, positiveInt } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { AuditEntry, auditTypes } from '#shared/api/models/audit.ts';
import { optional, wire, withDefault } from '#shared/api/wire.ts';

/** Which entries; what is left out leaves none out. */
const filters = {
  types: optional(json('a list of types of entries', z.array(z.enum(auditTypes)))),
  /** Who did it, or to whom it was done. */
  userId: optional(positiveInt),
  /** UNIX seconds, inclusive. */
  since: optional(positiveInt),
  /** UNIX seconds, exclusive. */
  until: optional(positiveInt),
  /** Only entries with a smaller id: where the page before ended. */
  before: optional(positiveInt),
};

/** What administrators and whoever had a key or a password did to the organization. Nothing changes an entry. */
export const auditLog = {
  list: endpoint({
    method: 'GET',
    path: '/audit_log',
    auth: 'user',
    access: 'admin',
    params: wire({ ...filters, limit: withDefault(positiveInt, 100) }),
    result: z.object({ entries: z.array(AuditEntry), has_more: z.boolean() }),
    errors: ['BAD_REQUEST'],
    summary: 'List entries of the audit log, the newest first (administrators).',
    spec: 'API decisions 15.9',
  }),
  export: endpoint({
    method: 'POST',
    path: '/audit_log/export',
    auth: 'user',
    access: 'admin',
    params: wire(filters),
    result: z.object({ csv: z.string(), next_before: z.int().nullable() }),
    errors: ['BAD_REQUEST'],
    summary: 'Write entries of the audit log as CSV, a part at a time (administrators).',
    spec: 'API decisions 15.9',
  }),
};
