import { dialog } from 'electron';
import { desktopWords } from '#shared/i18n/desktop-words.ts';
import { failure } from '#shared/bridge/outcome.ts';

export interface Question {
  readonly message: string;
  readonly detail: string;
  /** What the person presses to go on; the other choice, and the one of Enter and Escape, is to cancel. */
  readonly button: string;
}

/** Asked outside of the page, so that nothing which runs in a page can answer. */
export async function isConfirmed({ message, detail, button }: Question): Promise<boolean> {
  const { response } = await dialog.showMessageBox({
    type: 'warning',
    message,
    detail,
    buttons: [button, 'Cancel'],
    defaultId: 1,
    cancelId: 1,
  });
  return response === 0;
}

export const notConfirmed = failure('NOT_CONFIRMED', desktopWords('not_confirmed'));
