/** The audit log as administrators read it, and its end by age (API decisions 15.9). */
import type { api } from '#shared/api/endpoints/index.ts';
import type { ParamsOf, ResultOf } from '#shared/api/endpoint.ts';
import { refusal } from '#shared/api/refusal.ts';
import type { AuditDetails, AuditEntry } from '#shared/api/models/audit.ts';
import type { CallerActionSource } from '#service/core/ports/handlers.ts';
import type { AccountRow, AuditRow, Store } from '#service/db/port.ts';
import { change } from '#service/core/change.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import { auditEntryMaker } from '../rules/audit.ts';
import { csvLine } from '../rules/csv.ts';
import { realmSettings } from '#service/core/rules/organization-settings.ts';

type ListRequest = ParamsOf<typeof api.auditLog.list>;
type ExportRequest = ParamsOf<typeof api.auditLog.export>;

export interface AuditLogOperations {
  /** @throws BAD_REQUEST for a limit that is 0 or above 500 */
  readonly listEntries: (request: ListRequest) => Promise<ResultOf<typeof api.auditLog.list>>;
  /** A part of at most 5000 entries; the first one is itself remembered. */
  readonly exportEntries: (
    source: CallerActionSource,
    request: ExportRequest,
  ) => Promise<ResultOf<typeof api.auditLog.export>>;
  /** Ends the entries that are older than the organization keeps them. */
  readonly trim: () => Promise<void>;
}

const MAX_LIMIT = 500;
const EXPORT_ENTRIES = 5000;
/** In one write: others wait for it. */
const TRIM_ENTRIES = 1000;
const DAY = 86_400;

const HEADER = [
  'id',
  'time',
  'type',
  'actor_id',
  'actor',
  'address',
  'client',
  'user_id',
  'user',
  'stream_id',
  'count',
  'details',
];

const entryOf = ({ at, details, ...row }: AuditRow): AuditEntry => ({
  ...row,
  time: at,
  details: JSON.parse(details) as AuditDetails,
});

function csvOf(rows: readonly AuditRow[], users: readonly AccountRow[]): string {
  const emails = new Map(users.map(({ id, email }) => [id, email]));
  const who = (id: number | null): readonly [string | number, string] => [
    id ?? '',
    emails.get(id ?? 0) ?? '',
  ];
  return rows
    .map((row) =>
      csvLine([
        row.id,
        new Date(row.at * 1000).toISOString(),
        row.type,
        ...who(row.actor_id),
        row.address,
        row.client,
        ...who(row.user_id),
        row.stream_id ?? '',
        row.count,
        row.details,
      ]),
    )
    .join('');
}

export const auditLogOperations = (
  store: Store,
  context: Pick<DomainContext, 'nowSeconds'>,
): AuditLogOperations => ({
  async listEntries({ limit, ...filter }) {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw refusal('audit_limit_invalid', { highest: MAX_LIMIT });
    }
    const rows = await store.listAuditEntries(filter, limit + 1);
    return { entries: rows.slice(0, limit).map(entryOf), has_more: rows.length > limit };
  },
  async exportEntries(source, filter) {
    const isFirst = filter.before === undefined;
    const found = await store.listAuditEntries(filter, EXPORT_ENTRIES + 1);
    const rows = found.slice(0, EXPORT_ENTRIES);
    if (isFirst) {
      await change(store, source.caller, (tx) =>
        tx.record(auditEntryMaker(context, source)('log_exported')),
      );
    }
    return {
      csv: `${isFirst ? csvLine(HEADER) : ''}${csvOf(rows, await store.listUsers())}`,
      next_before: found.length > rows.length ? (rows.at(-1)?.id ?? null) : null,
    };
  },
  async trim() {
    const { audit_log_retention_days: days } = realmSettings(await store.findRealm());
    const before = context.nowSeconds() - days * DAY;
    while ((await store.trimAuditLog(before, TRIM_ENTRIES)) === TRIM_ENTRIES);
  },
});
