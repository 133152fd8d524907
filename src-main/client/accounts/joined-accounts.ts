/** The accounts of this computer, each with its session. */
import type { ClientState } from '#shared/bridge/models/client-state.ts';
import type {
  Account,
  Connection,
  NearbyOrganization,
  View,
} from '#shared/bridge/models/client.ts';
import type { HostingStatus } from '#shared/bridge/models/hosting.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import { success } from '#shared/bridge/outcome.ts';
import type { BridgeEvents, StartProblem } from '#shared/bridge/bridge.ts';
import type { Emitter } from '../emitter.ts';
import { Badges } from '../notifications/badges.ts';
import { NotificationLog } from '../notifications/notification-log.ts';
import { AccountList, connecting, type Entry } from './account-list.ts';
import { DiscoveredServices } from './discovered-services.ts';
import { forwardedEvents } from './forwarded-events.ts';
import { hostingFailure, hostedNetwork, withCurrentAddress } from './hosted-account.ts';
import { withKnownAddresses, withAddress } from './known-addresses.ts';
import { pinnedNetwork } from './server-identity.ts';
import { fingerprintsOf, withNextKeyInUse, withNextKey } from './next-identity-keys.ts';
import { withKeychain } from './keychain.ts';
import { refusedNetwork } from './signed-out-network.ts';
import type { ClientPorts, DiscoveryPort } from '../ports.ts';
import type { ServerAddress } from '../session/service-rediscovery.ts';
import type { SessionListener } from '../session/session-listener.ts';
import { Session } from '../session/session.ts';
import type { JoinedAccount } from './sign-in.ts';
import { findPerson } from '../sync/state/people.ts';
import { clientWords } from '#shared/i18n/client-words.ts';

type SignedOut = Extract<Connection, { readonly state: 'signed-out' }>;

const isAtSamePlace = (one: Account, other: Account): boolean =>
  one.address === other.address && one.isHosted === other.isHosted && one.pin === other.pin;

export class JoinedAccounts {
  readonly #ports: ClientPorts;
  readonly #emit: Emitter<BridgeEvents>['emit'];
  readonly notificationLog: NotificationLog;
  readonly #badges: Badges;
  readonly #list: AccountList;
  readonly #discoveredServices: DiscoveredServices | undefined;
  /** What the window shows; a session that is opened later is told. */
  #shown: { readonly accountId: string; readonly view: View | null } | null = null;
  /** Changes of the list happen one after the other: each writes the whole list. */
  #changes: Promise<unknown> = Promise.resolve();

  constructor(ports: ClientPorts, emit: Emitter<BridgeEvents>['emit']) {
    this.#ports = ports;
    this.#emit = emit;
    this.#list = new AccountList(ports, emit);
    this.notificationLog = new NotificationLog(ports.notificationLog, ports.clock);
    this.#badges = new Badges(ports.attention.setBadge);
    this.#discoveredServices = ports.discovery && this.#createHeard(ports.discovery);
    ports.hosting?.onStatus((status) => {
      this.#followHost(status);
    });
  }

  list(): readonly Account[] {
    return this.#list.accounts();
  }

  /** The fingerprint of the office that accounts at this address belong to. */
  readonly knownFingerprint = (address: string): string | undefined =>
    this.list().find((account) => account.address === address)?.pin;

  /** What somebody who signs in has to go on. */
  readonly trust = {
    knownFingerprint: this.knownFingerprint,
    nextKeysAt: (address: string): readonly string[] =>
      this.list().find((account) => account.address === address)?.successors ?? [],
    isRevoked: (pin: string): boolean =>
      this.list().some(({ revoked = [] }) => revoked.includes(pin)),
  };

  /** Those that were heard of so far, but for the one that is hosted here. */
  nearbyOrganizations(): readonly NearbyOrganization[] {
    const own = this.list().find(({ isHosted }) => isHosted)?.pin;
    return (this.#discoveredServices?.lookAround() ?? []).flatMap(
      ({ name, fingerprintStart, addresses }) => {
        const [address] = addresses;
        return address === undefined || own?.startsWith(fingerprintStart) === true
          ? []
          : [{ name, address }];
      },
    );
  }

  /** Where an office was heard of, which is asked for again. */
  nearbyAddressesOf(pin: string): readonly string[] {
    this.#discoveredServices?.lookAround();
    return this.#discoveredServices?.addressesOf(pin) ?? [];
  }

  sessions(): readonly Session[] {
    return this.#list.entries().flatMap(({ session }) => session ?? []);
  }

  find(accountId: string): Entry | undefined {
    return this.#list.find(accountId);
  }

  /** Settles when an account that is being opened is open, or is known to stay closed; undefined for all others. */
  opening(accountId: string): Promise<unknown> | undefined {
    const entry = this.find(accountId);
    return entry?.session === null && entry.connection === connecting ? this.#changes : undefined;
  }

  /** Opens what is stored and not open yet. Answers the first reason why something is not. */
  open(): Promise<StartProblem | null> {
    return this.#change(async () => {
      const loaded = await this.#list.load();
      if (!loaded.ok) return loaded.failure;
      let problem: StartProblem | null = null;
      for (const { account, key } of this.#list.entries()) {
        if (key !== null) continue;
        const opened = await this.#openStored(account);
        if (!opened.ok) problem ??= opened.failure;
      }
      return problem;
    });
  }

  /** How fresh what is shown of an account is; undefined for one that is not here. */
  connection(accountId: string): Connection | undefined {
    const entry = this.find(accountId);
    if (entry === undefined) return undefined;
    const { account, key, session, connection } = entry;
    return this.#explained(account, (key === null ? undefined : session?.connection) ?? connection);
  }

  /** Keeps a new account and opens it; one that was joined before is replaced. */
  join({ account: joined, key }: JoinedAccount): Promise<Outcome<Account>> {
    return this.#change(async () => {
      const { keys, hosting } = this.#ports;
      const account = this.#list.named(
        hosting === undefined ? joined : withCurrentAddress(joined, hosting.status()),
      );
      const kept = await withKeychain(() => keys.save(account.id, key));
      if (!kept.ok) return kept;
      const others = this.list().filter(({ id }) => id !== account.id);
      const saved = await this.#list.save([...others, account]);
      if (!saved.ok) {
        await withKeychain(() => keys.remove(account.id));
        return saved;
      }
      const previous = this.find(account.id)?.session;
      await previous?.stop();
      this.#start(account, key, previous !== undefined);
      return success(account);
    });
  }

  signOut(accountId: string): Promise<Outcome<null>> {
    return this.#change(async () => {
      const { keys } = this.#ports;
      const removed = await withKeychain(() => keys.remove(accountId));
      if (!removed.ok) return removed;
      const session = this.find(accountId)?.session;
      this.#list.delete(accountId);
      this.#badges.removed(accountId);
      this.#discoveredServices?.follow();
      const saved = await this.#list.save();
      if (session === undefined || session === null) {
        this.notificationLog.forget(accountId);
        await Promise.all([this.notificationLog.save(), this.#ports.storage.remove(accountId)]);
      } else await session.forget();
      return saved;
    });
  }

  async stop(): Promise<void> {
    this.#discoveredServices?.stop();
    await Promise.all(this.sessions().map((session) => session.stop()));
    await this.notificationLog.stop();
  }

  /** A window shows one account: of the others it then shows nothing. */
  show(accountId: string, view: View | null): void {
    if (view === null && this.#shown?.accountId !== accountId) return;
    this.#shown = { accountId, view };
    for (const { account, session } of this.#list.entries()) {
      session?.show(account.id === accountId ? view : null);
    }
  }

  #change<T>(run: () => Promise<T>): Promise<T> {
    const result = this.#changes.then(run);
    // The caller gets the error; the next change does not depend on this one.
    this.#changes = result.catch(() => null);
    return result;
  }

  async #openStored(account: Account): Promise<Outcome<null>> {
    const key = await withKeychain(() => this.#ports.keys.find(account.id));
    const before = this.find(account.id)?.session;
    await before?.stop();
    const isResumed = before !== null && before !== undefined;
    if (!key.ok) {
      const { message: reason } = key.failure;
      this.#startReading(account, { state: 'signed-out', reason, isLocked: true }, isResumed);
      return key;
    }
    if (key.value !== undefined) this.#start(account, key.value, isResumed);
    else {
      const reason = clientWords('key_gone').message;
      this.#startReading(account, { state: 'signed-out', reason }, isResumed);
    }
    return success(null);
  }

  #createHeard(discovery: DiscoveryPort): DiscoveredServices {
    return new DiscoveredServices({
      discovery,
      clock: this.#ports.clock,
      wake: (accountId) => this.find(accountId)?.session?.wake(),
      accounts: () =>
        this.#list.entries().map(({ account, session }) => ({
          account,
          isLive: session?.connection.state === 'live',
        })),
    });
  }

  #followHost(status: HostingStatus): void {
    if (status.phase === 'running') {
      // The service of this computer may run on another port than last time.
      void this.reassignHost((account) => withCurrentAddress(account, status));
      return;
    }
    if (status.phase === 'starting') return;
    for (const { account, session } of this.#list.entries()) {
      if (!account.isHosted || session === null) continue;
      if (session.connection.state === 'offline') {
        this.#tellConnection(account.id, session.connection);
      } else {
        // A connection that is left open would not tell of it.
        session.wake();
      }
    }
  }

  /** What each account is from now on; those that are at another place have another session. */
  reassignHost(change: (account: Account) => Account): Promise<void> {
    return this.#change(() => this.#restart(change));
  }

  async #restart(change: (account: Account) => Account): Promise<void> {
    for (const entry of this.#list.entries()) {
      const account = change(entry.account);
      if (isAtSamePlace(account, entry.account)) {
        if (account.isHosted) entry.session?.wake();
        continue;
      }
      await entry.session?.stop();
      if (entry.key !== null) this.#start(account, entry.key, true);
      else if (entry.connection.state === 'signed-out') {
        this.#startReading(account, entry.connection, true);
      } else this.#list.set({ ...entry, account });
      this.#emit('accountChanged', account);
      await this.#list.save();
    }
  }

  /** What is known of where its office is, as it is changed by what was learned. */
  #learn(accountId: string, change: (account: Account) => Account): void {
    void this.#change(async () => {
      const account = this.find(accountId)?.account;
      if (account === undefined) return;
      const changed = change(account);
      if (JSON.stringify(changed) !== JSON.stringify(account))
        await this.#list.alter(accountId, changed);
    });
  }

  /** What the organization and the person are called, and its picture, here or elsewhere. */
  #followNames(accountId: string, changes: Partial<ClientState>): void {
    const entry = this.find(accountId);
    if (entry === undefined) return;
    const { account } = entry;
    const { people, organization } = changes;
    const own = people && findPerson(people, account.userId);
    const named = {
      realmName: organization?.settings.name ?? account.realmName,
      fullName: own?.fullName ?? account.fullName,
      iconUrl: organization === undefined ? account.iconUrl : (organization.iconUrl ?? undefined),
    };
    const isSame = JSON.stringify({ ...account, ...named }) === JSON.stringify(account);
    if (isSame) return;
    void this.#change(() => this.#list.alter(accountId, named));
  }

  #explained(account: Account, connection: Connection): Connection {
    const { hosting } = this.#ports;
    return account.isHosted && hosting !== undefined
      ? hostingFailure(connection, hosting.status())
      : connection;
  }

  #tellConnection(accountId: string, reported: Connection): void {
    const account = this.find(accountId)?.account;
    if (account === undefined) return;
    const connection = this.#explained(account, reported);
    this.#emit('connectionChanged', { accountId, connection });
    this.#badges.connectionChanged(account, connection);
  }

  #networkOf({ isHosted, pin }: Account): Partial<Pick<ClientPorts, 'http' | 'fetchFile'>> {
    const { hosting } = this.#ports;
    if (isHosted && hosting !== undefined) return hostedNetwork(hosting, this.#ports);
    return pin === undefined ? {} : pinnedNetwork(this.#ports, pin);
  }

  #placeOf({ id, address }: Account): ServerAddress {
    const known = (): Account | undefined => this.find(id)?.account;
    return {
      address,
      others: () => [
        ...(this.#discoveredServices?.addressesOf(...fingerprintsOf(known())) ?? []),
        ...(known()?.addresses ?? []),
      ],
      nextKeys: () => known()?.successors ?? [],
      nextKeyAddresses: () =>
        this.#discoveredServices?.addressesOf(...(known()?.successors ?? [])) ?? [],
      requestDiscovery: () => this.#discoveredServices?.ask(),
    };
  }

  /** What is kept of the account can be read, and nothing is sent. @param isResumed  as `#start` has it */
  #startReading(account: Account, closed: SignedOut, isResumed: boolean): void {
    this.#start(account, '', isResumed, closed);
  }

  /** @param isResumed  the window shows the account already, from an earlier session */
  #start(account: Account, key: string, isResumed = false, closed?: SignedOut): void {
    const accountId = account.id;
    const listener = this.#listenTo(account, closed, () => session.state);
    const network = closed === undefined ? this.#networkOf(account) : refusedNetwork(closed.reason);
    const own = { ...network, serverAddress: this.#placeOf(account) };
    const parts = { ...this.#ports, ...own, account, key, notificationLog: this.notificationLog };
    const session = new Session(parts, listener);
    this.#list.set({
      account,
      key: closed === undefined ? key : null,
      session,
      connection: closed ?? connecting,
    });
    this.#discoveredServices?.follow();
    listener.connection(connecting);
    if (isResumed) listener.reset();
    if (this.#shown?.accountId === accountId) session.show(this.#shown.view);
    void session.run();
  }

  #listenTo(
    account: Account,
    closed: SignedOut | undefined,
    state: () => ClientState | null,
  ): SessionListener {
    const accountId = account.id;
    return {
      ...forwardedEvents(this.#emit, accountId),
      state: (changes) => {
        this.#emit('stateChanged', { accountId, changes });
        this.#badges.stateChanged(accountId, changes, state());
        this.#followNames(accountId, changes);
      },
      moved: (email) => {
        void this.#change(() => this.#list.alter(accountId, { email }));
      },
      rekeyed: (next) => {
        void this.#change(() => this.#list.keepKey(accountId, next));
      },
      renewed: (epoch) => {
        void this.#change(() => this.#list.alter(accountId, { epoch }));
      },
      nextKeyAnnounced: (pin) => this.#learn(accountId, (known) => withNextKey(known, pin)),
      nextKeyInUse: (pin, at) => {
        // All of that office at once: nobody asks the old key for another one's sake.
        void this.reassignHost((each) =>
          each.pin === account.pin ? withNextKeyInUse(each, pin, at) : each,
        );
      },
      relocated: (address) => {
        this.#learn(accountId, (known) => withAddress(known, address));
      },
      reachable: (addresses) => {
        this.#learn(accountId, (known) => withKnownAddresses(known, addresses));
      },
      connection: (connection) => {
        this.#tellConnection(accountId, closed ?? connection);
      },
    };
  }
}
