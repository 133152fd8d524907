import type { AuditEntry } from '#shared/api/models/audit.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import type { RequestArguments } from '#shared/bridge/requestable.ts';
import { asLocalDay, dayBounds } from '#renderer/i18n/dates.ts';
import { auditKinds, type AuditKind } from '#renderer/i18n/settings/audit-log.ts';
import { settingsWords } from '#renderer/i18n/settings/settings.ts';
import type { SettingsWrites } from './settings-writes.ts';

/** Which entries are wanted; days as a date field has them, `2026-11-22`, empty for any. */
export interface AuditWish {
  readonly kind: AuditKind | '';
  readonly userId: number | null;
  readonly from: string;
  readonly to: string;
}

type Filter = RequestArguments<'auditLog.export'>;

interface AuditExport {
  readonly csv: readonly string[];
  readonly isComplete: boolean;
}

const PAGE = 50;
/** Limits an export: what is more than a hundred thousand entries takes a shorter time. */
const MAX_PARTS = 20;

/** A date alone is read as one of UTC. */
const secondsOf = (day: string): number => asLocalDay(Date.parse(day) / 1000);

const filterOf = ({ kind, userId, from, to }: AuditWish): Filter => ({
  ...(kind === '' ? {} : { types: [...auditKinds[kind].types] }),
  ...(userId === null ? {} : { userId }),
  ...(from === '' ? {} : { since: secondsOf(from) }),
  ...(to === '' ? {} : { until: dayBounds(secondsOf(to)).until }),
});

/** The audit log as far as it was read, the newest first. */
export class AuditLog {
  readonly #writes: Pick<SettingsWrites, 'request'>;
  #wish: AuditWish = { kind: '', userId: null, from: '', to: '' };
  #entries = $state.raw<readonly AuditEntry[] | null>(null);
  #hasMore = $state(false);
  #isBusy = $state(false);
  #failure = $state('');
  #run = 0;

  constructor(writes: Pick<SettingsWrites, 'request'>) {
    this.#writes = writes;
  }

  /** Null until they are here. */
  get entries(): readonly AuditEntry[] | null {
    return this.#entries;
  }

  get hasMore(): boolean {
    return this.#hasMore;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  get failure(): string {
    return this.#failure;
  }

  /** Reads from the newest one on. */
  async show(wish: AuditWish): Promise<void> {
    this.#wish = wish;
    await this.#read([]);
  }

  /** What comes after; where that failed, once more. */
  async more(): Promise<void> {
    if (!this.#isBusy) await this.#read(this.#entries ?? []);
  }

  /** All entries that are wished for, as CSV in parts. */
  async export(): Promise<Outcome<AuditExport>> {
    const filter = filterOf(this.#wish);
    const csv: string[] = [];
    let before: number | undefined;
    while (csv.length < MAX_PARTS) {
      const args = before === undefined ? filter : { ...filter, before };
      const outcome = await this.#writes.request('auditLog.export', args);
      if (!outcome.ok) return outcome;
      csv.push(outcome.value.csv);
      if (outcome.value.next_before === null) return { ok: true, value: { csv, isComplete: true } };
      before = outcome.value.next_before;
    }
    return { ok: true, value: { csv, isComplete: false } };
  }

  async #read(known: readonly AuditEntry[]): Promise<void> {
    const run = (this.#run += 1);
    const before = known.at(-1)?.id;
    this.#isBusy = true;
    const args = { ...filterOf(this.#wish), limit: PAGE };
    const outcome = await this.#writes.request(
      'auditLog.list',
      before === undefined ? args : { ...args, before },
    );
    // Something else was asked for meanwhile.
    if (run !== this.#run) return;
    this.#isBusy = false;
    this.#failure = outcome.ok ? '' : settingsWords.loadFailed(outcome.failure.message);
    if (!outcome.ok) {
      if (known.length === 0) this.#entries = null;
      return;
    }
    this.#entries = [...known, ...outcome.value.entries];
    this.#hasMore = outcome.value.has_more;
  }
}
