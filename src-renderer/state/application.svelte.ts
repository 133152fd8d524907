import type {
  Account,
  ConnectRequest,
  HostRequest,
} from '../../src-main/contract/models/client.ts';
import type { Outcome } from '../../src-main/contract/outcome.ts';
import type { Bridge, StartProblem, StartState } from '../../src-preload/bridge.ts';
import { words } from '../text/words.ts';
import { Outside } from './outside.svelte.ts';
import { Preferences } from './preferences.svelte.ts';

type Calls = Pick<
  Bridge,
  | 'start'
  | 'retryStart'
  | 'hostOrganization'
  | 'connect'
  | 'signOut'
  | 'preferences'
  | 'setPreferences'
  | 'on'
  | 'keptPlace'
  | 'keepPlace'
  | 'pageReady'
  | 'readyToClose'
>;

/** Which accounts this window holds, and the one it shows. */
export class Application {
  readonly #bridge: Calls;
  readonly preferences: Preferences;
  readonly outside: Outside;
  #start = $state.raw<StartState | null>(null);
  #problem = $state.raw<StartProblem | null>(null);
  #accounts = $state.raw<readonly Account[]>([]);
  #accountId = $state<string | null>(null);
  #isAdding = $state(false);
  /** A computer hosts one organization: with the first one here, or without it, the answer of the start is outdated. */
  readonly #startState = $derived.by((): StartState | null => {
    const start = this.#start;
    if (start?.shell !== 'desktop') return start;
    return { ...start, canHost: !this.#accounts.some(({ isHosted }) => isHosted) };
  });
  readonly #account = $derived(
    this.#accounts.find((account) => account.id === this.#accountId) ?? this.#accounts[0] ?? null,
  );

  constructor(bridge: Calls) {
    this.#bridge = bridge;
    this.preferences = new Preferences(bridge);
    this.outside = new Outside(bridge, (accountId) => this.choose(accountId));
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

  async start(): Promise<void> {
    // Nothing is painted before the look of it is known.
    const looks = this.preferences.load();
    const left = this.outside.load();
    await this.#load(async () => {
      const [outcome, , accountId] = await Promise.all([this.#bridge.start(), looks, left]);
      this.#accountId ??= accountId;
      return outcome;
    });
    this.outside.ready();
  }

  async retry(): Promise<void> {
    await this.#load(() => this.#bridge.retryStart());
  }

  async host(request: HostRequest): Promise<Outcome<Account>> {
    return this.#join(await this.#bridge.hostOrganization(request));
  }

  async connect(request: ConnectRequest): Promise<Outcome<Account>> {
    return this.#join(await this.#bridge.connect(request));
  }

  choose(accountId: string): void {
    this.#accountId = accountId;
  }

  async signOut(accountId: string): Promise<Outcome<null>> {
    const outcome = await this.#bridge.signOut(accountId);
    if (!outcome.ok) return outcome;
    this.#accounts = this.#accounts.filter((account) => account.id !== accountId);
    // Whether an organization can be created here may have changed since the window opened.
    if (this.#accounts.length === 0) await this.start();
    return outcome;
  }

  async #load(call: Calls['start']): Promise<void> {
    try {
      const outcome = await call();
      if (!outcome.ok) {
        this.#problem = outcome.failure;
        return;
      }
      this.#start = outcome.value;
      this.#problem = outcome.value.problem;
      this.#accounts = outcome.value.accounts;
    } catch {
      // A rejection is a bug on the other side, which logs it. The window can only offer to try again.
      this.#problem = { code: 'INTERNAL_ERROR', message: words.bug };
    }
  }

  #join(outcome: Outcome<Account>): Outcome<Account> {
    if (outcome.ok) {
      const others = this.#accounts.filter((account) => account.id !== outcome.value.id);
      this.#accounts = [...others, outcome.value];
      this.#accountId = outcome.value.id;
      this.#isAdding = false;
      this.outside.dismissSuggestion();
    }
    return outcome;
  }
}
