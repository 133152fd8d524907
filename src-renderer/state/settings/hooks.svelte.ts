/** The services that deliver here, and the bots that were set up for them. */
import { INCOMING_WEBHOOK_BOT } from '#shared/api/bot-types.ts';
import type { HookBot, HookSetup, Integration } from '#shared/api/models/integration.ts';
import type { LoggedDelivery } from '#shared/api/models/delivery.ts';
import { type Outcome, success } from '#shared/bridge/outcome.ts';
import { settingsWords } from '#renderer/i18n/settings/settings.ts';
import type { SettingsWrites } from './settings-writes.ts';

type Writes = Pick<SettingsWrites, 'request'>;

export interface NewHook {
  readonly fullName: string;
  readonly setup: HookSetup;
  /** Empty for none. */
  readonly secret: string;
}

/** Addresses of bots are made of it: several may be for the same service. */
function shortNameOf({ integration }: HookSetup): string {
  const [number = 0] = crypto.getRandomValues(new Uint32Array(1));
  return `${integration.replaceAll('_', '-')}-${number.toString(36).slice(0, 5)}`;
}

export class Hooks {
  readonly #writes: Writes;
  #integrations = $state.raw<readonly Integration[] | null>(null);
  #bots = $state.raw<readonly HookBot[] | null>(null);
  #failure = $state('');
  /** A bot that was made and is not set up yet: what failed then is tried again with it. */
  #begun: { readonly fullName: string; readonly botId: number } | null = null;

  constructor(writes: Writes) {
    this.#writes = writes;
  }

  /** Null until they are here. */
  get integrations(): readonly Integration[] | null {
    return this.#integrations;
  }

  get bots(): readonly HookBot[] | null {
    return this.#bots;
  }

  get failure(): string {
    return this.#failure;
  }

  titleOf({ setup, full_name: name }: HookBot): string {
    const known = this.#integrations?.find((each) => each.name === setup?.integration);
    return known?.title ?? name;
  }

  async load(): Promise<void> {
    const [integrations, bots] = await Promise.all([
      this.#writes.request('integrations.list', {}),
      this.#writes.request('integrations.bots', {}),
    ]);
    this.#failure = '';
    for (const outcome of [integrations, bots]) {
      if (!outcome.ok) this.#failure = settingsWords.loadFailed(outcome.failure.message);
    }
    if (integrations.ok) this.#integrations = integrations.value.integrations;
    if (bots.ok) this.#bots = bots.value.bots;
  }

  /** Answers the id of the bot. */
  async create({ fullName, setup, secret }: NewHook): Promise<Outcome<number>> {
    const begun = await this.#begin(fullName, setup);
    if (!begun.ok) return begun;
    const botId = begun.value;
    const { integration, stream, topic, only_events: onlyEvents } = setup;
    const args = { botId, integration, stream, topic, onlyEvents: [...onlyEvents] };
    const set = await this.#writes.request('integrations.setUp', args);
    if (!set.ok) return set;
    if (secret !== '') {
      const kept = await this.#writes.request('bots.update', { botId, webhookSecret: secret });
      if (!kept.ok) return kept;
    }
    this.#begun = null;
    await this.load();
    return success(botId);
  }

  async #begin(fullName: string, setup: HookSetup): Promise<Outcome<number>> {
    if (this.#begun?.fullName === fullName) return success(this.#begun.botId);
    const made = await this.#writes.request('bots.create', {
      fullName,
      shortName: shortNameOf(setup),
      botType: INCOMING_WEBHOOK_BOT,
    });
    if (!made.ok) return made;
    this.#begun = { fullName, botId: made.value.user_id };
    return success(made.value.user_id);
  }

  async renewKey(botId: number): Promise<Outcome<unknown>> {
    return this.#changed(await this.#writes.request('bots.regenerateKey', { botId }));
  }

  async pause(botId: number, isPaused: boolean): Promise<Outcome<unknown>> {
    return this.#changed(await this.#writes.request('integrations.pause', { botId, isPaused }));
  }

  async remove(botId: number): Promise<Outcome<unknown>> {
    return this.#changed(await this.#writes.request('bots.deactivate', { botId }));
  }

  async #changed(outcome: Outcome<unknown>): Promise<Outcome<unknown>> {
    if (outcome.ok) await this.load();
    return outcome;
  }
}

const LOOK_AGAIN_MS = 1500;

/** What was delivered to one bot: looked at again and again as long as somebody looks. */
export class Deliveries {
  readonly #writes: Writes;
  readonly #botId: number;
  #entries = $state.raw<readonly LoggedDelivery[] | null>(null);
  #failure = $state('');

  constructor(writes: Writes, botId: number) {
    this.#writes = writes;
    this.#botId = botId;
  }

  /** The newest first; null until they are here. */
  get entries(): readonly LoggedDelivery[] | null {
    return this.#entries;
  }

  get failure(): string {
    return this.#failure;
  }

  async load(): Promise<void> {
    const outcome = await this.#writes.request('deliveries.list', { botId: this.#botId });
    this.#failure = outcome.ok ? '' : settingsWords.loadFailed(outcome.failure.message);
    if (outcome.ok) this.#entries = outcome.value.deliveries;
  }

  /** Answers what ends it. */
  watch(): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isWatched = true;
    const look = async (): Promise<void> => {
      if (!document.hidden) await this.load();
      if (isWatched) timer = setTimeout(() => void look(), LOOK_AGAIN_MS);
    };
    void look();
    return () => {
      isWatched = false;
      clearTimeout(timer);
    };
  }
}
