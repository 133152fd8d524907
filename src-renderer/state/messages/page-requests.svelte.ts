import type { MessagePage, MessagePageRequest, View } from '#shared/bridge/models/client.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import type { Bridge } from '#preload/bridge.ts';
import { askPage } from './timeline-parts.ts';

type Direction = 'older' | 'newer';
type Request = Omit<MessagePageRequest, 'view'>;

/** Asks for pages of a view, and leaves an answer that comes when something else was asked for. */
export class PageRequests {
  readonly #bridge: Pick<Bridge, 'messages'>;
  readonly #accountId: string;
  readonly #view: () => View | null;
  #loading = $state<Direction | null>(null);
  /** Counts what was asked for. */
  #generation = 0;

  constructor(bridge: Pick<Bridge, 'messages'>, accountId: string, view: () => View | null) {
    this.#bridge = bridge;
    this.#accountId = accountId;
    this.#view = view;
  }

  /** In which direction more is on its way. */
  get loading(): Direction | null {
    return this.#loading;
  }

  /** What is still on its way comes too late. */
  cancel(): void {
    this.#generation += 1;
  }

  /** @returns whether nothing else was asked for since */
  mark(): () => boolean {
    const generation = this.#generation;
    return () => generation === this.#generation;
  }

  /** Null where something else was asked for meanwhile. */
  async ask(request: Request): Promise<Outcome<MessagePage> | null> {
    this.cancel();
    const isCurrent = this.mark();
    this.#loading = null;
    const outcome = await this.#fetch(request);
    return isCurrent() ? outcome : null;
  }

  /** Null where more is on its way already, or nothing came. Scrolling asks again after a failure. */
  async extend(direction: Direction, request: Request): Promise<MessagePage | null> {
    if (this.#loading !== null) return null;
    const isCurrent = this.mark();
    this.#loading = direction;
    const outcome = await this.#fetch(request);
    if (!isCurrent()) return null;
    this.#loading = null;
    return outcome?.ok === true ? outcome.value : null;
  }

  async #fetch(request: Request): Promise<Outcome<MessagePage> | null> {
    const view = this.#view();
    return view === null ? null : askPage(this.#bridge, this.#accountId, { view, ...request });
  }
}
