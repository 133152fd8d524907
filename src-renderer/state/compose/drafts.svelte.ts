import type { PrivateView, StoredDraft, StreamView } from '#shared/bridge/models/client.ts';
import type { Bridge } from '#preload/bridge.ts';
import { words } from '#renderer/i18n/common.ts';
import { viewKey } from '../places/places.ts';
import type { OrganizationState } from '../organization.svelte.ts';

/** Where something can be written. */
export type ComposeDestination = StreamView | PrivateView;

/** What is being written in one place. */
export interface DraftText {
  /** Null while nobody has touched it: then it is that of the view. */
  readonly topic: string | null;
  readonly content: string;
}

interface Edit extends DraftText {
  readonly view: ComposeDestination;
  readonly changedAtSeconds: number;
}

type Calls = Pick<Bridge, 'saveDraft' | 'on'>;
type State = Pick<OrganizationState, 'isLoaded' | 'state'>;

const none: DraftText = { topic: null, content: '' };
/** From the first letter that is not on the disk. */
const SAVE_AFTER_MS = 300;

/**
 * Unsent text by view key. What is typed here counts at once and goes to the session behind; what changed there (another
 * tab, the list of drafts) counts as soon as nothing of here is on its way.
 */
export class Drafts {
  readonly #bridge: Calls;
  readonly #accountId: string;
  #edits = $state.raw<ReadonlyMap<string, Edit>>(new Map());
  #failure = $state('');
  readonly #unsaved = new Set<string>();
  readonly #held = new Map<string, Promise<unknown>>();
  readonly #saving = new Map<string, Promise<unknown>>();
  #timer: ReturnType<typeof setTimeout> | null = null;
  readonly #organization: State;
  readonly #stored = $derived(this.#readStored());
  readonly #end: () => void;

  constructor(bridge: Calls, accountId: string, organization: State) {
    this.#bridge = bridge;
    this.#accountId = accountId;
    this.#organization = organization;
    this.#end = bridge.on('stateChanged', (event) => {
      if (event.accountId === accountId && event.changes.drafts !== undefined) this.#letGo();
    });
  }

  of(key: string): DraftText {
    return this.#edits.get(key) ?? this.#stored.get(key) ?? none;
  }

  has(key: string): boolean {
    return this.of(key).content.trim() !== '';
  }

  /** Why the newest text could not be put on the disk; empty while it could. */
  get failure(): string {
    return this.#failure;
  }

  write(view: ComposeDestination, change: Partial<DraftText>): void {
    const key = viewKey(view);
    const { topic, content } = { ...this.of(key), ...change };
    const edit = { topic, content, view, changedAtSeconds: Math.floor(Date.now() / 1000) };
    this.#edits = new Map(this.#edits).set(key, edit);
    this.#unsaved.add(key);
    this.#timer ??= setTimeout(() => void this.#saveAll(), SAVE_AFTER_MS);
  }

  /**
   * Saves nothing under the key until the call settles: what sends a text removes its draft from the disk itself, and
   * until then the disk shall keep it.
   */
  async holding<T>(key: string, call: () => Promise<T>): Promise<T> {
    const running = call();
    this.#held.set(key, running);
    try {
      return await running;
    } finally {
      this.#held.delete(key);
      if (this.#unsaved.has(key)) this.#timer ??= setTimeout(() => void this.#saveAll(), 0);
    }
  }

  /** @returns why what is written there is not on the disk now; null when it is */
  async save(view: ComposeDestination): Promise<string | null> {
    const key = viewKey(view);
    await this.#held.get(key)?.catch(() => undefined);
    await this.#saving.get(key);
    return this.#save(key);
  }

  /** Settles when everything that was written is on the disk, or cannot be. */
  async flush(): Promise<void> {
    await Promise.allSettled(this.#held.values());
    await this.#saveAll();
    await Promise.all(this.#saving.values());
  }

  readonly stop = (): void => {
    this.#end();
    void this.flush();
  };

  async #saveAll(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const keys = [...this.#unsaved].filter((key) => !this.#held.has(key));
    await Promise.all(keys.map((key) => this.#save(key)));
  }

  async #save(key: string): Promise<string | null> {
    const edit = this.#edits.get(key);
    this.#unsaved.delete(key);
    if (edit === undefined) return null;
    const saving = this.#put(key, edit);
    this.#saving.set(key, saving);
    const problem = await saving;
    if (this.#saving.get(key) === saving) this.#saving.delete(key);
    return problem;
  }

  /** @returns why it is not on the disk; null when it is */
  async #put(
    key: string,
    { view, topic, content, changedAtSeconds }: Edit,
  ): Promise<string | null> {
    // A topic alone is nothing that anybody would look for among the drafts.
    const isBlank = content.trim() === '';
    const text = isBlank ? none : { topic, content };
    try {
      const draft = { key, view, ...text, changedAtSeconds };
      const outcome = await this.#bridge.saveDraft(this.#accountId, draft);
      this.#failure = outcome.ok ? '' : outcome.failure.message;
      if (outcome.ok) return null;
      this.#unsaved.add(key);
      return outcome.failure.message;
    } catch {
      // A rejection is a bug on the other side, which logs it; the next letter tries again.
      this.#unsaved.add(key);
      return words.bug;
    }
  }

  #readStored(): ReadonlyMap<string, StoredDraft> {
    if (!this.#organization.isLoaded) return new Map();
    return new Map(this.#organization.state.drafts.map((draft) => [draft.key, draft]));
  }

  /** What is on the disk is the state's from now on; only a topic without a text is nowhere else. */
  #letGo(): void {
    const kept = [...this.#edits].filter(
      ([key, { topic, content }]) =>
        this.#unsaved.has(key) ||
        this.#held.has(key) ||
        this.#saving.has(key) ||
        (topic !== null && content.trim() === ''),
    );
    if (kept.length !== this.#edits.size) this.#edits = new Map(kept);
  }
}
