import type {
  Account,
  ConnectRequest,
  HostRequest,
  InvitationRequest,
  InvitationView,
  NearbyOrganization,
  PasswordLinkRequest,
} from '#shared/bridge/models/client.ts';
import type { CheckSubject, ConnectionReport } from '#shared/bridge/models/connection-check.ts';
import type { JoinLink } from '#shared/join-link.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import type { Bridge, StartProblem, StartState } from '#preload/bridge.ts';
import { passwordLinkIn } from '../lib/links/password-link.ts';
import { words } from '../i18n/common.ts';
import { Hosting } from './hosting/hosting.svelte.ts';
import type { MigrationCalls } from './hosting/migration.svelte.ts';
import { DeepLinks } from './deep-links.svelte.ts';
import { Preferences } from './settings/preferences.svelte.ts';
import { UserActivity } from './user-activity.ts';

type Calls = MigrationCalls &
  Pick<
    Bridge,
    | 'start'
    | 'retryStart'
    | 'hostOrganization'
    | 'connect'
    | 'nearbyOrganizations'
    | 'checkConnection'
    | 'choosePassword'
    | 'requestToJoin'
    | 'pendingJoinRequests'
    | 'dropJoinRequest'
    | 'invitation'
    | 'acceptInvitation'
    | 'makePasswordLinkHere'
    | 'signOut'
    | 'preferences'
    | 'setPreferences'
    | 'on'
    | 'savedPlace'
    | 'savePlace'
    | 'pageReady'
    | 'reportActivity'
    | 'readyToClose'
    | 'hosting'
    | 'startHosting'
    | 'networkAccess'
    | 'openToNetwork'
    | 'allowNetwork'
    | 'chooseArchive'
    | 'inspectArchive'
    | 'restoreArchive'
    | 'missing'
    | 'openRestored'
    | 'unlockHosting'
    | 'startHostingWithNewKeys'
  >;

/** What somebody is shown who has just created an organization, or has just joined one. */
export type Greeting = 'firstSteps' | 'introduction';

/** Which accounts this window holds, and the one it shows. */
export class Application {
  readonly #bridge: Calls;
  readonly preferences: Preferences;
  readonly deepLinks: DeepLinks;
  readonly hosting: Hosting;
  readonly userActivity: UserActivity;
  #start = $state.raw<StartState | null>(null);
  #problem = $state.raw<StartProblem | null>(null);
  #accounts = $state.raw<readonly Account[]>([]);
  #accountId = $state<string | null>(null);
  #isAdding = $state(false);
  #unfinished = $state.raw<ConnectRequest | null>(null);
  /** That moment comes once for each account, so there is nothing to remember. */
  #greeting: { readonly accountId: string; readonly kind: Greeting } | null = null;
  /** A computer hosts one organization: with the first one here, or without it, the answer of the start is outdated. */
  readonly #startState = $derived.by((): StartState | null => {
    const start = this.#start;
    if (start?.shell !== 'desktop') return start;
    const hasHosted = this.#accounts.some(({ isHosted }) => isHosted);
    const hosted = hasHosted ? null : start.hosted;
    return { ...start, hosted, canHost: !hasHosted && hosted === null };
  });
  readonly #account = $derived(
    this.#accounts.find((account) => account.id === this.#accountId) ?? this.#accounts[0] ?? null,
  );

  constructor(bridge: Calls) {
    this.#bridge = bridge;
    this.preferences = new Preferences(bridge);
    this.userActivity = new UserActivity(bridge);
    this.deepLinks = new DeepLinks(bridge, (accountId) => this.choose(accountId));
    // What lives here can say what it is called only while it runs.
    this.hosting = new Hosting(bridge, ({ phase }) => {
      const isWaiting = this.#startState?.hosted?.realmName === '';
      if (phase === 'running' && isWaiting) void this.#refresh();
    });
    bridge.on('startChanged', (start) => this.#began(start));
    bridge.on('accountChanged', (changed) => {
      this.#accounts = this.#accounts.map((each) => (each.id === changed.id ? changed : each));
    });
  }

  /** Null until the window knows where it runs. */
  get startState(): StartState | null {
    return this.#startState;
  }

  get problem(): StartProblem | null {
    return this.#problem;
  }

  get accounts(): readonly Account[] {
    return this.#accounts;
  }

  /** The account that is shown; null asks how to start. */
  get account(): Account | null {
    return this.#account;
  }

  /** One more organization is about to be joined: the window asks how. */
  get isAdding(): boolean {
    return this.#isAdding;
  }

  startAdding(): void {
    this.#isAdding = true;
  }

  stopAdding(): void {
    this.#isAdding = false;
  }

  /** A sign-in that goes on when the person has chosen a password in place of the one that they were given. */
  get unfinished(): ConnectRequest | null {
    return this.#unfinished;
  }

  dropUnfinished(): void {
    this.#unfinished = null;
  }

  async start(): Promise<void> {
    // Nothing is painted before the look of it is known.
    const looks = this.preferences.load();
    const left = this.deepLinks.load();
    const hosting = this.hosting.load();
    await this.#load(async () => {
      const begun = this.#bridge.start();
      const [outcome, , accountId] = await Promise.all([begun, looks, left, hosting]);
      this.#accountId ??= accountId;
      return outcome;
    });
    this.deepLinks.ready();
  }

  async retry(): Promise<void> {
    await this.#load(() => this.#bridge.retryStart());
  }

  /** What is kept can be read without the keychain; the window says so above it. */
  get canReadCached(): boolean {
    return this.#problem?.code === 'NO_KEYCHAIN' && this.#accounts.length > 0;
  }

  readCached(): void {
    this.#problem = null;
  }

  async host(request: HostRequest): Promise<Outcome<Account>> {
    return this.#greeted(this.#join(await this.#bridge.hostOrganization(request)), 'firstSteps');
  }

  async connect(request: ConnectRequest): Promise<Outcome<Account>> {
    const outcome = await this.#bridge.connect(request);
    if (!outcome.ok && outcome.failure.code === 'PASSWORD_GIVEN') this.#unfinished = request;
    const joined = this.#join(outcome);
    // Whoever begins with a password that they were given is here for the first time.
    return request.newPassword === undefined ? joined : this.#greeted(joined, 'introduction');
  }

  async choosePassword(request: PasswordLinkRequest): Promise<Outcome<Account>> {
    return this.#join(await this.#bridge.choosePassword(request));
  }

  nearbyOrganizations(): Promise<Outcome<readonly NearbyOrganization[]>> {
    return this.#bridge.nearbyOrganizations();
  }

  checkConnection(subject: CheckSubject): Promise<Outcome<ConnectionReport>> {
    return this.#bridge.checkConnection(subject);
  }

  invitation(link: JoinLink, safetyWords: string | null): Promise<Outcome<InvitationView>> {
    return this.#bridge.invitation(link, safetyWords);
  }

  /** What concerns a request to join. */
  get joining(): Pick<Bridge, 'requestToJoin' | 'pendingJoinRequests' | 'dropJoinRequest'> {
    return this.#bridge;
  }

  async acceptInvitation(request: InvitationRequest): Promise<Outcome<Account>> {
    const joined = this.#join(await this.#bridge.acceptInvitation(request));
    return this.#greeted(joined, 'introduction');
  }

  /** On the computer that hosts: goes on with the form for a new password. */
  async replacePassword(email: string): Promise<Outcome<string>> {
    const outcome = await this.#bridge.makePasswordLinkHere(email);
    const link = outcome.ok ? passwordLinkIn(outcome.value) : null;
    if (link !== null) this.deepLinks.openPasswordLink(link);
    return outcome;
  }

  /** With what the account is to be greeted; null from the second time on. */
  takeGreeting(accountId: string): Greeting | null {
    if (this.#greeting?.accountId !== accountId) return null;
    const { kind } = this.#greeting;
    this.#greeting = null;
    return kind;
  }

  choose(accountId: string): void {
    this.#accountId = accountId;
  }

  async signOut(accountId: string): Promise<Outcome<null>> {
    const wasHosted = this.#accounts.some(({ id, isHosted }) => id === accountId && isHosted);
    const outcome = await this.#bridge.signOut(accountId);
    if (!outcome.ok) return outcome;
    const others = this.#accounts.filter((account) => account.id !== accountId);
    // What was hosted goes on living here and is what one comes back to; elsewhere one may have been created meanwhile.
    if (wasHosted || others.length === 0) await this.#refresh();
    this.#accounts = others;
    return outcome;
  }

  /** An organization has come to this computer. */
  lookAgain(): Promise<void> {
    return this.#refresh();
  }

  /** What is said of this computer may have changed since; a failure is told where something depends on it. */
  async #refresh(): Promise<void> {
    try {
      const outcome = await this.#bridge.start();
      if (outcome.ok) this.#start = outcome.value;
    } catch {
      // A rejection is a bug on the other side, which logs it; what was known before stays.
    }
  }

  async #load(call: Calls['start']): Promise<void> {
    try {
      const outcome = await call();
      if (!outcome.ok) {
        this.#problem = outcome.failure;
        return;
      }
      this.#began(outcome.value);
    } catch {
      // A rejection is a bug on the other side, which logs it. The window can only offer to try again.
      this.#problem = { code: 'INTERNAL_ERROR', message: words.bug };
    }
  }

  #began(start: StartState): void {
    this.#start = start;
    this.#problem = start.problem;
    this.#accounts = start.accounts;
  }

  #greeted(joined: Outcome<Account>, kind: Greeting): Outcome<Account> {
    if (joined.ok) this.#greeting = { accountId: joined.value.id, kind };
    return joined;
  }

  #join(outcome: Outcome<Account>): Outcome<Account> {
    if (outcome.ok) {
      const { value } = outcome;
      const isKnown = this.#accounts.some(({ id }) => id === value.id);
      // Whoever signs in again stands where they stood: the keys of the others stay theirs.
      this.#accounts = isKnown
        ? this.#accounts.map((account) => (account.id === value.id ? value : account))
        : [...this.#accounts, value];
      this.#accountId = value.id;
      this.#isAdding = false;
      this.#unfinished = null;
      this.deepLinks.joined(value.id);
    }
    return outcome;
  }
}
