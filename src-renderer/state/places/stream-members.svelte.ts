import { fold } from '#shared/text/fold.ts';
import { untrack } from 'svelte';
import type { Person } from '#shared/bridge/models/client-state.ts';
import type { Bridge } from '#preload/bridge.ts';
import { settled } from '../calls.ts';
import type { Workspace } from '../workspace.ts';

/** Who is in one stream. Events tell only that it changed, so that it is asked for again then. */
export class StreamMembers {
  readonly #bridge: Pick<Bridge, 'request'>;
  readonly #accountId: string;
  #emails = $state.raw<ReadonlySet<string> | null>(null);
  #failure = $state('');
  #streamId: number | null = null;
  #isAsking = false;
  #isOutdated = false;

  constructor(bridge: Pick<Bridge, 'request'>, accountId: string) {
    this.#bridge = bridge;
    this.#accountId = accountId;
  }

  /** Whether it is known who they are. */
  get isKnown(): boolean {
    return this.#emails !== null;
  }

  /** Why they could not be asked for the last time; empty otherwise. */
  get failure(): string {
    return this.#failure;
  }

  /** False for everybody until it is known. */
  has({ email }: Pick<Person, 'email'>): boolean {
    return this.#emails?.has(fold(email)) === true;
  }

  /** Settles when nothing newer than this look has to be asked for. */
  async look(streamId: number | null): Promise<void> {
    if (streamId !== this.#streamId) {
      this.#streamId = streamId;
      this.#emails = null;
      this.#failure = '';
    }
    this.#isOutdated = true;
    if (this.#isAsking) return;
    this.#isAsking = true;
    // Many people who come at once are asked for twice, and not once for each of them.
    while (this.#isOutdated) {
      this.#isOutdated = false;
      await this.#ask();
    }
    this.#isAsking = false;
  }

  async #ask(): Promise<void> {
    const streamId = this.#streamId;
    if (streamId === null) return;
    const outcome = await settled(() =>
      this.#bridge.request(this.#accountId, 'streams.members', { streamId }),
    );
    if (streamId !== this.#streamId) return;
    this.#failure = outcome.ok ? '' : outcome.failure.message;
    if (!outcome.ok) return;
    this.#emails = new Set(outcome.value.subscribers.map(fold));
  }
}

/** The members of the stream that a view shows, for as long as it shows it. */
export function followMembers(
  {
    bridge,
    account,
    organization,
    link,
  }: Pick<Workspace, 'bridge' | 'account' | 'organization' | 'link'>,
  shown: () => number | null,
): StreamMembers {
  const members = new StreamMembers(bridge, account.id);
  const streamId = $derived(shown());
  const changes = $derived(streamId === null ? 0 : organization.memberChangesOf(streamId));
  const wanted = $derived({ streamId, changes });
  $effect(() => {
    const { streamId: id } = wanted;
    untrack(() => void members.look(id));
  });
  // What could not be loaded comes when the connection is back.
  $effect(() => {
    if (link.connection.state !== 'live') return;
    untrack(() => {
      if (members.failure !== '') void members.look(streamId);
    });
  });
  return members;
}
