/** Offices that are heard of in the networks of this computer: where to look for those that are known by their key. */
import type { Account } from '#shared/bridge/models/client.ts';
import { fingerprintsOf } from './next-identity-keys.ts';
import type { Clock, DiscoveryPort, DiscoveredService } from '../ports.ts';

/** Whoever is in the network can make up as many as they like. */
const MAX_OFFICES = 100;
/** Of one office, whoever they were heard from. */
const MAX_ADDRESSES = 24;
/** Nobody is made to look again and again by what somebody says, the less so where it is nothing new. */
const LIMIT_MS = 30_000;
const MAX_NEWS = 5;
/** Somebody who looks around asks again every few seconds. */
const LOOK_MS = 60_000;

export interface DiscoveredServicesParts {
  readonly discovery: DiscoveryPort;
  readonly clock: Pick<Clock, 'now'>;
  /** The office of an account may be elsewhere: it is to be looked for at once. */
  readonly wake: (accountId: string) => void;
  /** Accounts of offices that are not on this computer, with whether they are connected. */
  readonly accounts: () => readonly { readonly account: Account; readonly isLive: boolean }[];
}

export class DiscoveredServices {
  readonly #parts: DiscoveredServicesParts;
  /** By fingerprint and sender: nobody takes the place of what another one has said. */
  readonly #discoveredServices = new Map<
    string,
    { readonly office: DiscoveredService; readonly sender: string }
  >();
  /** When each account was made to look, not long ago. */
  readonly #wokenAtMs = new Map<string, readonly number[]>();
  #stop: (() => void) | undefined;
  #lookedAtMs = -Infinity;

  constructor(parts: DiscoveredServicesParts) {
    this.#parts = parts;
  }

  /** While there is somebody whose office may be in a network here, or who looks around. */
  follow(): void {
    const isLookedFor = this.#parts.clock.now() - this.#lookedAtMs < LOOK_MS;
    const isKnown = this.#parts.accounts().some(({ account }) => account.pin !== undefined);
    if (isKnown || isLookedFor)
      this.#stop ??= this.#parts.discovery.listen((office, sender) => this.#hear(office, sender));
    else this.stop();
  }

  /** Those that were heard of so far; asks again. */
  lookAround(): readonly DiscoveredService[] {
    this.#lookedAtMs = this.#parts.clock.now();
    this.follow();
    this.ask();
    const nearby = new Map<string, DiscoveredService>();
    for (const { office } of this.#discoveredServices.values()) {
      const { addresses = [] } = nearby.get(office.fingerprintStart) ?? {};
      nearby.set(office.fingerprintStart, {
        ...office,
        addresses: [...new Set([...office.addresses, ...addresses])],
      });
    }
    return [...nearby.values()];
  }

  ask(): void {
    this.#parts.discovery.ask();
  }

  /** Addresses of an office, by the keys that it has or may go on with. */
  addressesOf(...pins: readonly string[]): readonly string[] {
    return [...this.#discoveredServices.values()]
      .flatMap(({ office: { fingerprintStart, addresses } }) =>
        pins.some((pin) => pin.startsWith(fingerprintStart)) ? addresses : [],
      )
      .slice(-MAX_ADDRESSES);
  }

  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#discoveredServices.clear();
  }

  #hear(office: DiscoveredService, sender: string): void {
    const key = `${office.fingerprintStart} ${sender}`;
    const before = this.#discoveredServices.get(key)?.office.addresses.join(' ');
    const most = before === office.addresses.join(' ') ? 1 : MAX_NEWS;
    // The newest stay: an office that moves is heard of again.
    this.#discoveredServices.delete(key);
    this.#discoveredServices.set(key, { office, sender });
    if (this.#discoveredServices.size > MAX_OFFICES) this.#forgetOne();
    for (const { account, isLive } of this.#parts.accounts()) {
      if (!fingerprintsOf(account).some((pin) => pin.startsWith(office.fingerprintStart))) continue;
      const isThere = office.addresses.includes(account.address);
      if (!(isThere && isLive)) this.#wake(account.id, most);
    }
  }

  /** The oldest of the sender who has said most. */
  #forgetOne(): void {
    const keysOf = new Map<string, string[]>();
    for (const [key, { sender }] of this.#discoveredServices)
      keysOf.set(sender, [...(keysOf.get(sender) ?? []), key]);
    const [[oldest = ''] = []] = [...keysOf.values()].toSorted((a, b) => b.length - a.length);
    this.#discoveredServices.delete(oldest);
  }

  /** @param most  unless it looked as often already */
  #wake(accountId: string, most: number): void {
    const nowMs = this.#parts.clock.now();
    const times = this.#wokenAtMs.get(accountId) ?? [];
    const recent = times.filter((atMs) => nowMs - atMs < LIMIT_MS);
    if (recent.length >= most) return;
    this.#wokenAtMs.set(accountId, [...recent, nowMs]);
    this.#parts.wake(accountId);
  }
}
