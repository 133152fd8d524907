import { dialog, type BrowserWindow } from 'electron';
import type { Log } from '#node/log.ts';
import type { Explanation } from '#shared/i18n/explained-error.ts';
import { systemWords } from '#shared/i18n/system-words.ts';

/** Pauses before the page is loaded again; after so many ends within a minute a person is asked. */
const PAUSES_MS = [0, 1_000, 3_000];
const WINDOW_MS = 60_000;

/** Another page was asked for before this one was there. */
const ABORTED = -3;

/**
 * Loads a page again that ended or never came, and offers to when one does not answer. What people wrote is in main
 * already.
 */
export function recoverPage(window: BrowserWindow, log: Log): void {
  loadAgainWhenGone(window, log);
  askWhenUnresponsive(window, log);
}

function loadAgainWhenGone(window: BrowserWindow, log: Log): void {
  let ends: readonly number[] = [];

  function reload(): void {
    if (!window.isDestroyed()) window.webContents.reload();
  }

  async function ask({ message }: Explanation): Promise<void> {
    // One whose page never came was never shown.
    window.show();
    const { response } = await dialog.showMessageBox(window, {
      type: 'error',
      message,
      detail: systemWords('window_kept').message,
      buttons: ['Try again', 'Close the window'],
      defaultId: 0,
      cancelId: 1,
    });
    if (window.isDestroyed()) return;
    if (response === 1) {
      window.destroy();
      return;
    }
    ends = [];
    reload();
  }

  function again(explanation: Explanation): void {
    const now = Date.now();
    ends = [...ends.filter((atMs) => now - atMs < WINDOW_MS), now];
    const pauseMs = PAUSES_MS[ends.length - 1];
    if (pauseMs !== undefined) setTimeout(reload, pauseMs);
    else
      ask(explanation).catch((error: unknown) =>
        log.error('the person could not be asked', { error }),
      );
  }

  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    log.error('the page ended', { reason, exitCode });
    again(systemWords('window_ended'));
  });
  window.webContents.on('did-fail-load', (...[, code, description, , isMainFrame]) => {
    if (!isMainFrame || code === ABORTED || window.isDestroyed()) return;
    log.error('the page could not be loaded', { code, description });
    again(systemWords('window_not_loaded'));
  });
}

function askWhenUnresponsive(window: BrowserWindow, log: Log): void {
  let asking: AbortController | undefined;

  async function ask(): Promise<void> {
    if (asking !== undefined) return;
    const answered = new AbortController();
    asking = answered;
    const { response } = await dialog.showMessageBox(window, {
      type: 'warning',
      message: systemWords('window_silent').message,
      detail: systemWords('window_choice').message,
      buttons: ['Wait', 'Load again'],
      defaultId: 0,
      cancelId: 0,
      signal: answered.signal,
    });
    asking = undefined;
    // Ending the page is told as any other end, and it is loaded again then.
    if (response === 1 && !window.isDestroyed()) window.webContents.forcefullyCrashRenderer();
  }

  window.on('unresponsive', () => {
    log.warn('the page does not answer');
    ask().catch((error: unknown) => log.error('the person could not be asked', { error }));
  });
  for (const event of ['responsive', 'closed'] as const) {
    window.on(event as 'responsive', () => asking?.abort());
  }
  window.webContents.on('render-process-gone', () => asking?.abort());
}
