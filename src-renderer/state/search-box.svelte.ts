import type { View } from '#shared/bridge/models/conversation.ts';
import type { NarrowTerm } from '#shared/api/narrow.ts';

/** The terms that select what a view shows; a search has its own. */
export function termsOfView(view: View | null): readonly NarrowTerm[] {
  switch (view?.kind) {
    case 'stream':
      return [
        { operator: 'stream', operand: view.streamId },
        ...(view.topic === null ? [] : [{ operator: 'topic', operand: view.topic }]),
      ];
    case 'private':
      return [{ operator: 'pm-with', operand: [...view.userIds] }];
    case 'mentions':
      return [{ operator: 'is', operand: 'mentioned' }];
    case 'starred':
      return [{ operator: 'is', operand: 'starred' }];
    case 'search':
      return view.terms;
    default:
      return [];
  }
}

/** The field for searches: whether it is there, and what stands in it at first. */
export class SearchBox {
  #isOpen = $state(false);
  #terms = $state.raw<readonly NarrowTerm[]>([]);
  #visit = $state(0);
  #wantsFocus = false;

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** What it begins with. */
  get terms(): readonly NarrowTerm[] {
    return this.#terms;
  }

  /** Counts the times that it was asked for. */
  get visit(): number {
    return this.#visit;
  }

  /** Whether it was asked for since this was asked last. */
  takeFocus(): boolean {
    const wanted = this.#wantsFocus;
    this.#wantsFocus = false;
    return wanted;
  }

  /** In what is shown. */
  openHere(view: View | null): void {
    this.#open(view, termsOfView(view));
  }

  openEverywhere(view: View | null): void {
    this.#open(view, []);
  }

  close(): void {
    this.#isOpen = false;
  }

  #open(view: View | null, terms: readonly NarrowTerm[]): void {
    // Above its results it is there already, with whatever was made of the search since: cleared, it stays so.
    if (view?.kind !== 'search') {
      this.#terms = terms;
      this.#isOpen = true;
    }
    this.#wantsFocus = true;
    this.#visit += 1;
  }
}
