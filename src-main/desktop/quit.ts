import { app } from 'electron';
import type { Log } from '../platform/log.ts';

/** An application that does not end looks broken; what is acknowledged is on disk long before. */
const LIMIT_MS = 15_000;

/** Runs `stop` before the application ends, however that was asked for, and then ends it with exit code 0. */
export function quitCleanly(log: Log, stop: () => Promise<void>): void {
  let state: 'running' | 'stopping' | 'stopped' = 'running';

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
    app.quit();
  }

  app.on('before-quit', (event) => {
    if (state === 'stopped') return;
    event.preventDefault();
    if (state === 'stopping') return;
    state = 'stopping';
    void stopAndQuit();
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => app.quit());
  }
}
