import type { AccountKey, Device } from '#shared/api/models/device.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import type { RequestResult } from '#shared/bridge/requestable.ts';
import { settingsWords } from '#renderer/i18n/settings/settings.ts';
import type { SettingsWrites } from './settings-writes.ts';

const lastUse = ({ last_used: used, signed_in: since }: Device): number => used ?? since;

/** Where an account is signed in: no event tells of it, so that it is asked for anew after every change. */
export class SignIns {
  readonly #writes: Pick<SettingsWrites, 'request'>;
  readonly #userId: number | null;
  #answer = $state.raw<RequestResult<'devices.list'> | null>(null);
  #failure = $state('');

  /** @param userId  of somebody else, as an administrator sees it; null for oneself */
  constructor(writes: Pick<SettingsWrites, 'request'>, userId: number | null) {
    this.#writes = writes;
    this.#userId = userId;
  }

  /** The one that asks, then those that were used last; null until they are here. */
  get devices(): readonly Device[] | null {
    if (this.#answer === null) return null;
    return this.#answer.devices.toSorted(
      (a, b) => Number(b.is_current) - Number(a.is_current) || lastUse(b) - lastUse(a),
    );
  }

  get others(): readonly Device[] {
    return (this.devices ?? []).filter((device) => !device.is_current);
  }

  /** The one key that the account has beside those of its devices. */
  get accountKey(): AccountKey | null {
    return this.#answer?.account_key ?? null;
  }

  /** Why they are not here; empty otherwise. */
  get failure(): string {
    return this.#failure;
  }

  async load(): Promise<void> {
    const [writes, userId] = [this.#writes, this.#userId];
    const outcome = await (userId === null
      ? writes.request('devices.list', {})
      : writes.request('devices.listOf', { userId }));
    this.#failure = outcome.ok ? '' : settingsWords.loadFailed(outcome.failure.message);
    if (outcome.ok) this.#answer = outcome.value;
  }

  end(deviceId: number): Promise<Outcome<unknown>> {
    return this.#change(() => this.#end(deviceId));
  }

  /** All but the one that asks. It stops at the first that is refused. */
  endOthers(): Promise<Outcome<unknown>> {
    return this.#change(async () => {
      let outcome: Outcome<unknown> = { ok: true, value: null };
      for (const { id } of this.others) {
        outcome = await this.#end(id);
        if (!outcome.ok) break;
      }
      return outcome;
    });
  }

  /** A new key for other programs; devices keep theirs. */
  renewOwnKey(): Promise<Outcome<unknown>> {
    return this.#change(() => this.#writes.request('userAdmin.regenerateKey', {}));
  }

  /** Somebody else is signed out everywhere. */
  endAll(userId: number): Promise<Outcome<unknown>> {
    return this.#change(() => this.#writes.request('devices.renewKeys', { userId }));
  }

  #end(deviceId: number): Promise<Outcome<unknown>> {
    const userId = this.#userId;
    return userId === null
      ? this.#writes.request('devices.end', { deviceId })
      : this.#writes.request('devices.endOf', { userId, deviceId });
  }

  async #change(make: () => Promise<Outcome<unknown>>): Promise<Outcome<unknown>> {
    const outcome = await make();
    // Also where it failed: some may have ended, or be gone by themselves.
    await this.load();
    return outcome;
  }
}
