import { MediaQuery } from 'svelte/reactivity';

/** The right column: the people of what is shown, or one of them. Closed until it is asked for. */
export class DetailsColumn {
  /** Where it takes no room from the messages that they need. */
  readonly #wide = new MediaQuery('min-width: 1000px');
  #isOpenWide = $state(false);
  #isOpenNarrow = $state(false);
  #personId = $state<number | null>(null);
  #isListWanted = $state(false);
  #filterVisit = $state(0);

  get isOpen(): boolean {
    return this.#wide.current ? this.#isOpenWide : this.#isOpenNarrow;
  }

  /** Over the messages instead of beside them. */
  get isOverlay(): boolean {
    return !this.#wide.current;
  }

  /** Whose profile is shown instead of the list. */
  get personId(): number | null {
    return this.#personId;
  }

  /** The list was asked for where a profile is shown unless it is. */
  get isListWanted(): boolean {
    return this.#isListWanted;
  }

  /** Counts the times that the filter was asked to take the focus. */
  get filterVisit(): number {
    return this.#filterVisit;
  }

  toggle(): void {
    this.#set(!this.isOpen);
  }

  close(): void {
    this.#set(false);
  }

  showPerson(userId: number): void {
    this.#personId = userId;
    this.#set(true);
  }

  showList(): void {
    this.#personId = null;
    this.#isListWanted = true;
    this.#set(true);
  }

  filterPeople(): void {
    this.showList();
    this.#filterVisit += 1;
  }

  /** What was chosen when the window was left. */
  restore(isOpen: boolean): void {
    this.#isOpenWide = isOpen;
  }

  get isKeptOpen(): boolean {
    return this.#isOpenWide;
  }

  #set(isOpen: boolean): void {
    if (!isOpen) this.#isListWanted = false;
    if (this.#wide.current) this.#isOpenWide = isOpen;
    else this.#isOpenNarrow = isOpen;
  }
}
