import { MediaQuery } from 'svelte/reactivity';

/** The right column: the people of what is shown, or one of them. */
export class Details {
  /** Where it takes no room from the messages that they need. */
  readonly #wide = new MediaQuery('min-width: 1000px');
  #isOpenWide = $state(true);
  #isOpenNarrow = $state(false);
  #personId = $state<number | null>(null);
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
    if (this.#wide.current) this.#isOpenWide = isOpen;
    else this.#isOpenNarrow = isOpen;
  }
}
