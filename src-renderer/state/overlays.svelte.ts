export type DialogName =
  | 'switcher'
  | 'write'
  | 'shortcuts'
  | 'settings'
  | 'stream-settings'
  | 'leave-stream'
  | 'stream-color'
  | 'mark-all-read'
  | 'jump-to-date'
  | 'new-private'
  | 'new-stream'
  | 'add-person'
  | 'sign-out'
  | 'sign-in-again';

/** What stands above the window: at most one dialog, and one notice. */
export class Overlays {
  #dialog = $state<DialogName | null>(null);
  #argument = $state<number | string | null>(null);
  #notice = $state('');

  get dialog(): DialogName | null {
    return this.#dialog;
  }

  /** What the dialog is about: the id of a stream, the name of a page of the settings. */
  get argument(): number | string | null {
    return this.#argument;
  }

  /** A sentence about something that did not work. */
  get notice(): string {
    return this.#notice;
  }

  open(dialog: DialogName, argument: number | string | null = null): void {
    this.#argument = argument;
    this.#dialog = dialog;
  }

  close(): void {
    this.#dialog = null;
    this.#argument = null;
  }

  notify(sentence: string): void {
    this.#notice = sentence;
  }

  dismiss(): void {
    this.#notice = '';
  }
}
