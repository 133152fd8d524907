import { type Outcome, success } from '#shared/bridge/outcome.ts';
import type { Hosting } from '../hosting/hosting.svelte.ts';
import { SettingsWrites } from '../settings/settings-writes.ts';
import type { Workspace } from '../workspace.ts';
import { invitationText } from './invitation-text.ts';

const MEMBER = 1;

/** One invitation for many, made and copied at once. */
export class QuickInvitation {
  readonly #workspace: Workspace;
  readonly #writes: SettingsWrites;
  readonly #hosting: Hosting;
  readonly #onmade: () => Promise<void>;
  #link: string | null = null;
  #failure = $state('');
  #isBusy = $state(false);
  #isCopied = $state(false);
  #shown = $state('');

  /** @param onmade  an invitation is made */
  constructor(workspace: Workspace, hosting: Hosting, onmade: () => Promise<void>) {
    this.#workspace = workspace;
    this.#writes = new SettingsWrites(workspace);
    this.#hosting = hosting;
    this.#onmade = onmade;
  }

  get failure(): string {
    return this.#failure;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  get isCopied(): boolean {
    return this.#isCopied;
  }

  /** For copying by hand; empty where that is not needed. */
  get shown(): string {
    return this.#isCopied ? '' : this.#shown;
  }

  async copy(): Promise<void> {
    this.#isBusy = true;
    this.#isCopied = false;
    const made = await this.#linkForMany();
    this.#isBusy = false;
    this.#failure = made.ok ? '' : made.failure.message;
    if (!made.ok) return;
    const { account, organization } = this.#workspace;
    const invitation = invitationText(made.value, account, organization.name, this.#hosting);
    try {
      await navigator.clipboard.writeText(invitation);
      this.#isCopied = true;
    } catch {
      // The clipboard may be closed to pages.
      this.#shown = invitation;
    }
  }

  /** The same one for as long as the page is open. */
  async #linkForMany(): Promise<Outcome<string>> {
    if (this.#link !== null) return success(this.#link);
    const args = { inviteAs: MEMBER, validDays: 7, maxUses: 50 } as const;
    const made = await this.#writes.request('invitations.inviteMany', args);
    if (!made.ok) return made;
    this.#link = made.value.invite_link;
    await this.#onmade();
    return success(this.#link);
  }
}
