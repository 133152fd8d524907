/** What the window shows first, and what waits for it. */
import type { Client } from '#client/client.ts';
import { stderrLog as log } from '#node/log.ts';
import type { Started } from './start.ts';
import { tellDifferences, type FirstCalls, type LastShown } from './windows/first-answers.ts';
import type { DesktopShell } from './windows/shell.ts';

/** A page that is not ready by then is not waited for any longer. */
const PAGE_LIMIT_MS = 2_000;
/** What the next start would gain is not worth more than this to who quits. */
const KEEP_LIMIT_MS = 300;
/** A page paints and answers its first click in this time, and nobody is at the tray sooner. */
const SETTLE_MS = 300;

interface FirstScreen {
  /** Opens the accounts, and tells the page what has become of what it was shown before that. */
  readonly open: (startSessions: () => Promise<void>) => Promise<void>;
  /** For the next start. */
  readonly keep: (shown: LastShown | undefined) => Promise<void>;
}

export function followFirstScreen(
  { first, firstAnswerStore: store, window }: Started,
  calls: FirstCalls,
  tellingCalls: FirstCalls,
): FirstScreen {
  let opening: Promise<void> | undefined;
  return {
    open: async (startSessions) => {
      opening = startSessions();
      await opening;
      if (first !== undefined) await tellDifferences(first, tellingCalls, window);
      store.forget();
    },
    keep: async (shown) => {
      if (opening === undefined) await store.putBack();
      else
        await within(
          KEEP_LIMIT_MS,
          opening.then(() => store.keep(calls, shown)),
        );
    },
  };
}

/** In the order in which it is missed: the page, what it shows, then tray and menu, which take this process 20 ms. */
export async function followWindow(
  { window, pageServed }: Started,
  shell: DesktopShell,
  client: Client,
  startSessions: () => Promise<void>,
): Promise<void> {
  await within(PAGE_LIMIT_MS, pageServed);
  startSessions().catch((error: unknown) => {
    log.error('the accounts could not be opened ahead of the page', { error });
  });
  await within(PAGE_LIMIT_MS, window.firstReady);
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  shell.begin(client);
}

/** Settles with the event, or without it after so long. */
const within = (limitMs: number, event: Promise<void>): Promise<void> =>
  Promise.race([event, new Promise<void>((resolve) => setTimeout(resolve, limitMs))]);

export async function stayHidden(
  shell: DesktopShell,
  client: Client,
  startSessions: () => Promise<void>,
): Promise<void> {
  shell.begin(client);
  if (await shell.canBeHidden()) {
    await startSessions();
    return;
  }
  const { window } = shell;
  window.open();
  window.native()?.once('show', () => window.native()?.minimize());
}
