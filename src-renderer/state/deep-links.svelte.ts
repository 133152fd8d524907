import type { Conversation } from '#shared/bridge/models/conversation.ts';
import type { JoinLink } from '#shared/join-link.ts';
import type { CommandId, SavedPlace } from '#shared/bridge/models/shell.ts';
import type { PasswordLink } from '../lib/links/password-link.ts';
import type { Bridge } from '#preload/bridge.ts';

/** Where a link or a notification from outside of the window leads. */
export type DeepLinkTarget =
  /** `#narrow/…`, or empty for the organization as it is. Null: the account that the page has, or is about to have. */
  | { readonly accountId: string | null; readonly link: string }
  | {
      readonly accountId: string;
      readonly conversation: Conversation;
      readonly messageId: number | null;
    };

type Calls = Pick<Bridge, 'on' | 'savedPlace' | 'savePlace' | 'pageReady' | 'readyToClose'>;

/** What the shell around the window asks of it. It waits here until somebody can answer it. */
export class DeepLinks {
  readonly #bridge: Calls;
  #target = $state.raw<DeepLinkTarget | null>(null);
  #suggestedAddress = $state<string | null>(null);
  #passwordLink = $state.raw<PasswordLink | null>(null);
  #invitation = $state.raw<JoinLink | null>(null);
  /** By account: whoever comes back to an organization finds it as it was left. */
  readonly #kept = new Map<string, string>();
  #command: CommandId | null = null;
  #run: ((command: CommandId) => void) | null = null;
  readonly #handOvers = new Set<() => Promise<unknown>>();
  readonly stop: () => void;

  /** @param choose  shows another account */
  constructor(bridge: Calls, choose: (accountId: string) => void) {
    this.#bridge = bridge;
    const aim = (target: DeepLinkTarget): void => {
      this.#target = target;
      if (target.accountId !== null) choose(target.accountId);
    };
    const stops = [
      bridge.on('conversationOpened', aim),
      bridge.on('linkOpened', ({ accountId, fragment }) => aim({ accountId, link: fragment })),
      bridge.on('connectSuggested', ({ address, fragment }) => {
        this.#suggestedAddress = address;
        aim({ accountId: null, link: fragment });
      }),
      bridge.on('passwordLinkOpened', (link) => this.openPasswordLink(link)),
      bridge.on('invitationOpened', (link) => this.openInvitation(link)),
      bridge.on('commandRun', ({ command }) => this.#runCommand(command)),
      bridge.on('windowClosing', () => void this.#handOver()),
    ];
    this.stop = () => {
      for (const stop of stops) stop();
    };
  }

  get target(): DeepLinkTarget | null {
    return this.#target;
  }

  /** The address of an organization that a link led to and that is not joined. */
  get suggestedAddress(): string | null {
    return this.#suggestedAddress;
  }

  /** By which somebody is about to choose a new password. */
  get passwordLink(): PasswordLink | null {
    return this.#passwordLink;
  }

  openPasswordLink(link: PasswordLink): void {
    this.#passwordLink = link;
  }

  /** By which somebody is about to join. */
  get invitation(): JoinLink | null {
    return this.#invitation;
  }

  openInvitation(link: JoinLink): void {
    this.#invitation = link;
  }

  /** A link that waited for an account leads into this one. */
  joined(accountId: string): void {
    const target = this.#target;
    if (target?.accountId === null) this.#target = { ...target, accountId };
    this.dismissSuggestion();
  }

  dismissSuggestion(): void {
    // A link into an organization that is not joined leads nowhere else.
    if (this.#suggestedAddress !== null && this.#target?.accountId === null) this.#target = null;
    this.#suggestedAddress = null;
    this.#passwordLink = null;
    this.#invitation = null;
  }

  /** Whoever shows it takes it: it is shown once. */
  takeTarget(): void {
    this.#target = null;
  }

  /** What the account showed when the window was left. */
  savedPlace(accountId: string): string | null {
    return this.#kept.get(accountId) ?? null;
  }

  /** What an account shows now. */
  savePlace(kept: SavedPlace): void {
    this.#kept.set(kept.accountId, kept.place);
    void this.#bridge.savePlace(kept);
  }

  /** Settles with the account that was shown last, where that is known. */
  async load(): Promise<string | null> {
    try {
      const outcome = await this.#bridge.savedPlace();
      if (!outcome.ok || outcome.value === null) return null;
      const { accountId, place } = outcome.value;
      this.#kept.set(accountId, place);
      return accountId;
    } catch {
      // A rejection is a bug on the other side, which logs it; the window opens at the beginning.
      return null;
    }
  }

  /** What waits outside may come now. */
  ready(): void {
    void this.#bridge.pageReady();
  }

  /** Who runs commands from now on; returns the function that ends it. */
  onCommand(run: (command: CommandId) => void): () => void {
    this.#run = run;
    const waiting = this.#command;
    this.#command = null;
    if (waiting !== null) run(waiting);
    return () => {
      if (this.#run === run) this.#run = null;
    };
  }

  /** What has to be done before the page may be freed; returns the function that ends it. */
  onClosing(handOver: () => Promise<unknown>): () => void {
    this.#handOvers.add(handOver);
    return () => this.#handOvers.delete(handOver);
  }

  #runCommand(command: CommandId): void {
    if (this.#run === null) this.#command = command;
    else this.#run(command);
  }

  async #handOver(): Promise<void> {
    await Promise.allSettled([...this.#handOvers].map((handOver) => handOver()));
    await this.#bridge.readyToClose();
  }
}
