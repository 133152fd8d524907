import { app, powerMonitor } from 'electron';
import type { Log } from '#node/log.ts';

/** An application that does not end looks broken; what is acknowledged is on disk long before. */
const LIMIT_MS = 15_000;
/** Everything has stopped by then: what still holds the process is none of ours. */
const EXIT_LIMIT_MS = 3_000;

type State = 'running' | 'asking' | 'stopping' | 'stopped';

/**
 * Runs `stop` before the application ends, however that was asked for, and then ends it with exit code 0.
 * @param mayQuit  asks the person, where something would be lost; nobody is asked when the system ends the application
 */
export function quitCleanly(
  log: Log,
  mayQuit: () => Promise<boolean>,
  stop: () => Promise<void>,
): void {
  let state: State = 'running';
  let isForced = false;
  const stateNow = (): State => state;

  async function quitIfWanted(): Promise<void> {
    state = 'asking';
    const isWanted = await mayQuit().catch((error: unknown) => {
      log.error('it could not be asked whether the application may quit', { error });
      return true;
    });
    // The system may have ended the application over it.
    if (stateNow() !== 'asking') return;
    state = isWanted ? 'stopping' : 'running';
    if (isWanted) await stopAndQuit();
  }

  async function stopAndQuit(): Promise<void> {
    const limit = setTimeout(() => {
      log.error('the application did not stop in time and ends now', { limitMs: LIMIT_MS });
      app.exit(1);
    }, LIMIT_MS);
    try {
      await stop();
    } catch (error) {
      log.error('the application did not stop cleanly', { error });
    }
    clearTimeout(limit);
    state = 'stopped';
    setTimeout(() => {
      log.warn('the application was held open after it had stopped, and is ended');
      app.exit(0);
    }, EXIT_LIMIT_MS);
    app.quit();
  }

  app.on('before-quit', (event) => {
    if (state === 'stopped') return;
    event.preventDefault();
    if (state === 'stopping') return;
    if (isForced) {
      state = 'stopping';
      void stopAndQuit();
    } else if (state === 'running') {
      void quitIfWanted();
    }
  });
  // The window is freed while nobody looks at it, and the application goes on.
  app.on('window-all-closed', () => undefined);
  const quitAtOnce = (): void => {
    isForced = true;
    app.quit();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, quitAtOnce);
  // The session ends: nobody is there to answer, and a question would hold it up.
  powerMonitor.on('shutdown', quitAtOnce);
  app.on('browser-window-created', (_event, window) => {
    window.on('session-end', quitAtOnce);
  });
}
