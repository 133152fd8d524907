/** Who is there: what the reports of clients add up to (API decisions 7.3, 9.4 and 13). */
import { PRESENCE_SECONDS } from '#shared/api/bounds.ts';
import type { ClientPresence, Presences, PresenceStatus } from '#shared/api/models/presence.ts';
import type { PresenceRow } from '#service/db/port.ts';

export const FORGOTTEN_SECONDS = 14 * 86_400;

type Report = Pick<PresenceRow, 'client' | 'status' | 'updated_at'>;
type State = PresenceStatus | 'offline';

const ranks: Readonly<Record<State, number>> = { offline: 0, idle: 1, active: 2 };

/** What a report is worth now. */
export const stateOf = ({ status, updated_at: at }: Report, nowSeconds: number): State =>
  nowSeconds - at > PRESENCE_SECONDS ? 'offline' : status;

/**
 * Whether others have to be told: the person was offline and no longer is, or was idle and is active. A person is
 * as present as the most present client.
 */
export function isNews(
  before: readonly Report[],
  status: PresenceStatus,
  nowSeconds: number,
): boolean {
  return before.every((report) => ranks[stateOf(report, nowSeconds)] < ranks[status]);
}

/** The newest of a person's reports; of those of one second the most present. */
export const newestOf = <R extends Report>(reports: readonly R[]): R | undefined =>
  reports.reduce<R | undefined>((best, each) => {
    const order =
      each.updated_at - (best?.updated_at ?? -1) ||
      ranks[each.status] - ranks[best?.status ?? 'offline'];
    return order > 0 ? each : best;
  }, undefined);

export const clientShape = (report: Report): ClientPresence => ({
  client: report.client,
  status: report.status,
  timestamp: report.updated_at,
  pushable: false,
});

/** The name under which the newest report stands beside the clients; no client can be called so. */
export const AGGREGATED = 'aggregated';

/** Everybody's reports by e-mail address. */
export function presencesShape(rows: readonly PresenceRow[]): Presences {
  const people = new Map<string, PresenceRow[]>();
  for (const row of rows) {
    const known = people.get(row.email);
    if (known === undefined) people.set(row.email, [row]);
    else known.push(row);
  }
  return Object.fromEntries(
    [...people].flatMap(([email, reports]) => {
      const newest = newestOf(reports);
      if (newest === undefined) return [];
      const clients = Object.fromEntries(reports.map((row) => [row.client, clientShape(row)]));
      const { client, status, timestamp } = clientShape(newest);
      return [[email, { ...clients, [AGGREGATED]: { client, status, timestamp } }] as const];
    }),
  ) as Presences;
}
