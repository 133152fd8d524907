/** Who may come to the organization of this computer: nobody, or whoever is in a network that is agreed to. */
import type { AddressCheck, LocalNetwork, NetworkAccess } from '#shared/bridge/models/hosting.ts';
import type { Clock, ServerIdentityPort } from '#client/ports.ts';
import { inLink, type OwnAddresses, type OwnNetwork } from '#node/network/own-addresses.ts';
import type { HostListeners, Hosting } from './hosting.ts';

/** What was said of it, once and for the next starts. */
export interface NetworkChoices {
  readonly isOpen: boolean;
  /** By the id of each. */
  readonly networks: Readonly<Record<string, boolean>>;
}

export interface NetworkAccessParts {
  readonly hosting: Pick<Hosting, 'running' | 'status' | 'onStatus'>;
  readonly offices: Pick<ServerIdentityPort, 'identify' | 'wordsOf'>;
  readonly clock: Pick<Clock, 'wait'>;
  /** Undefined where nothing was said yet. */
  readonly readChoices: () => Promise<NetworkChoices | undefined>;
  readonly saveChoices: (choices: NetworkChoices) => Promise<void>;
  readonly networks: () => readonly OwnNetwork[];
  readonly names: () => OwnAddresses['names'];
  /** As `gatewayOf` of `system/gateways.ts` gives it. */
  readonly gatewayOf: (subnet: string) => Promise<string | undefined>;
  readonly system: NetworkAccess['system'];
}

export interface NetworkAccessControl {
  /** As it is now; looks first. */
  readonly refresh: () => Promise<NetworkAccess>;
  /** Agrees to the networks of now too, but to those of which somebody said no. */
  readonly setOpen: (isOpen: boolean) => Promise<NetworkAccess>;
  readonly agree: (networkId: string, isAgreed: boolean) => Promise<NetworkAccess>;
  /** Connects to each address as a colleague would. A firewall between here and there is not seen. */
  readonly check: () => Promise<readonly AddressCheck[]>;
  /** Told of every change; returns the function that ends the listening. */
  readonly onChange: (listener: (reach: NetworkAccess) => void) => () => void;
  /** Looks from now on, until it is stopped. */
  readonly begin: () => void;
  readonly stop: () => void;
}

/** Cables are pulled, routers give other addresses. */
const LOOK_MS = 3_000;
const CHECK_LIMIT_MS = 5_000;

const nobody: NetworkChoices = { isOpen: false, networks: {} };
const noDoors: HostListeners = { closed: [], visitors: [] };

export const createNetworkAccess = (parts: NetworkAccessParts): NetworkAccessControl =>
  new HostNetworkAccess(parts);

interface KnownNetworks extends OwnNetwork {
  readonly id: string;
}

class HostNetworkAccess implements NetworkAccessControl {
  readonly #parts: NetworkAccessParts;
  readonly #listeners = new Set<(reach: NetworkAccess) => void>();
  readonly #ended = new AbortController();
  #choices: (NetworkChoices & { readonly isDecided: boolean }) | undefined;
  /** Ids by interface and subnet: a router that is silent for a while is still the same. */
  #ids = new Map<string, string>();
  #words: { readonly fingerprint: string; readonly words: string } | undefined;
  #told = '';
  #work: Promise<unknown> = Promise.resolve();

  constructor(parts: NetworkAccessParts) {
    this.#parts = parts;
  }

  readonly refresh: NetworkAccessControl['refresh'] = () => this.#queue(() => this.#apply());

  readonly setOpen: NetworkAccessControl['setOpen'] = (isOpen) =>
    this.#queue(async () => {
      const { networks } = await this.#chosen();
      const ids = isOpen ? (await this.#known()).map(({ id }) => id) : [];
      const added = Object.fromEntries(ids.map((id) => [id, networks[id] ?? true]));
      await this.#keep({ isOpen, networks: { ...networks, ...added } });
      return this.#apply();
    });

  readonly agree: NetworkAccessControl['agree'] = (networkId, isAgreed) =>
    this.#queue(async () => {
      const { isOpen, networks } = await this.#chosen();
      await this.#keep({ isOpen, networks: { ...networks, [networkId]: isAgreed } });
      return this.#apply();
    });

  readonly check: NetworkAccessControl['check'] = async () => {
    const { addresses, identity } = await this.refresh();
    const own = addresses.filter((address) => /^https:\/\/[[\d]/.test(address));
    return Promise.all(own.map((address) => this.#checkOne(address, identity?.fingerprint)));
  };

  readonly onChange: NetworkAccessControl['onChange'] = (listener) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly begin = (): void => {
    this.#parts.hosting.onStatus(() => void this.refresh());
    void this.#keepLooking();
  };

  readonly stop = (): void => this.#ended.abort();

  async #keepLooking(): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      if ((await this.#chosen()).isOpen) await this.refresh();
      await this.#parts.clock.wait(LOOK_MS, signal);
    }
  }

  #queue<T>(run: () => Promise<T>): Promise<T> {
    const result = this.#work.then(run);
    this.#work = result.catch(() => undefined);
    return result;
  }

  async #chosen(): Promise<NetworkChoices & { readonly isDecided: boolean }> {
    if (this.#choices !== undefined) return this.#choices;
    const kept = await this.#parts.readChoices();
    return (this.#choices = { ...(kept ?? nobody), isDecided: kept !== undefined });
  }

  async #keep(choices: NetworkChoices): Promise<void> {
    this.#choices = { ...choices, isDecided: true };
    await this.#parts.saveChoices(choices);
  }

  /** The networks of now whose router is known. */
  async #known(): Promise<readonly KnownNetworks[]> {
    const found = this.#parts.networks();
    const ids = new Map<string, string>();
    const known: KnownNetworks[] = [];
    for (const network of found) {
      const { interfaceName, subnet } = network;
      const place = `${interfaceName} ${subnet}`;
      const id = this.#ids.get(place) ?? (await this.#idOf(subnet));
      if (id === undefined) continue;
      ids.set(place, id);
      known.push({ ...network, id });
    }
    this.#ids = ids;
    return known;
  }

  async #idOf(subnet: string): Promise<string | undefined> {
    const gateway = await this.#parts.gatewayOf(subnet);
    return gateway === undefined ? undefined : `${subnet} ${gateway}`.trim();
  }

  async #apply(): Promise<NetworkAccess> {
    const { isOpen, isDecided, networks: choices } = await this.#chosen();
    const known = isOpen ? await this.#known() : [];
    const agreed = known.filter(({ id }) => choices[id] === true);
    const running = this.#parts.hosting.running();
    const wanted = agreed.flatMap(({ addresses }) => addresses);
    const doors = (await running?.listenOn(wanted)) ?? noDoors;
    const reach: NetworkAccess = {
      isOpen,
      isDecided,
      networks: known.map((network) => networkOf(network, choices[network.id] ?? null, doors)),
      addresses: running === undefined ? [] : this.#addressesOf(wanted, doors),
      remoteClients: doors.visitors,
      identity:
        isOpen && running !== undefined ? await this.#identityOf(running.fingerprint) : null,
      system: this.#parts.system,
    };
    this.#tell(reach);
    return reach;
  }

  #addressesOf(wanted: readonly string[], { closed }: HostListeners): readonly string[] {
    const status = this.#parts.hosting.status();
    if (status.phase !== 'running') return [];
    const { port } = new URL(status.address);
    const open = wanted.filter((address) => closed.every((each) => each.address !== address));
    const names = open.length === 0 ? [] : this.#parts.names();
    return [...open, ...names].map((each) => `https://${inLink(each)}:${port}`);
  }

  /** Words take a while to make, on purpose. */
  async #identityOf(
    fingerprint: string,
  ): Promise<{ readonly fingerprint: string; readonly words: string }> {
    if (this.#words?.fingerprint !== fingerprint) {
      this.#words = { fingerprint, words: await this.#parts.offices.wordsOf(fingerprint) };
    }
    return this.#words;
  }

  #tell(reach: NetworkAccess): void {
    const text = JSON.stringify(reach);
    if (text === this.#told) return;
    this.#told = text;
    for (const listener of [...this.#listeners]) listener(reach);
  }

  async #checkOne(address: string, pin: string | undefined): Promise<AddressCheck> {
    const late = new AbortController();
    const settled = new AbortController();
    void this.#parts.clock.wait(CHECK_LIMIT_MS, settled.signal).then(() => late.abort());
    const found = await this.#parts.offices.identify(address, late.signal);
    settled.abort();
    if (found === null) return { address, result: 'nobody' };
    return { address, result: found.fingerprint === pin ? 'reached' : 'somebody-else' };
  }
}

function networkOf(
  known: KnownNetworks,
  isAllowed: boolean | null,
  doors: HostListeners,
): LocalNetwork {
  const { id, subnet, interfaceName, addresses } = known;
  const closed = doors.closed.filter(({ address }) => addresses.includes(address));
  const problem =
    isAllowed !== true || closed.length < addresses.length
      ? null
      : closed.some(({ code }) => code === 'EADDRINUSE')
        ? 'port-taken'
        : 'failed';
  return { id, subnet, interfaceName, isAllowed, problem };
}
