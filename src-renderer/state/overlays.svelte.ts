export type DialogName =
  | 'switcher'
  | 'shortcuts'
  | 'new-private'
  | 'new-stream'
  | 'add-person'
  | 'sign-out'
  | 'sign-in-again';

/** What stands above the window: at most one dialog, and one notice. */
export class Overlays {
  #dialog = $state<DialogName | null>(null);
  #notice = $state('');

  get dialog(): DialogName | null {
    return this.#dialog;
  }

  /** A sentence about something that did not work. */
  get notice(): string {
    return this.#notice;
  }

  open(dialog: DialogName): void {
    this.#dialog = dialog;
  }

  close(): void {
    this.#dialog = null;
  }

  notify(sentence: string): void {
    this.#notice = sentence;
  }

  dismiss(): void {
    this.#notice = '';
  }
}
