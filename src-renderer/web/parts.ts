import { markdownOf } from '../lib/writing/paste.ts';
import { loadShowable } from '../lib/service-files.ts';
import { loadCameraDataRemoval } from '../state/compose/uploads.svelte.ts';
import { pageParts } from '../views/pages/pages.ts';

/** What the window loads when it is wanted, and a browser ahead of that: its tab stays open while the computer that hosts sleeps. */
const parts: readonly (() => Promise<unknown>)[] = [
  // The first are those that are wanted while nobody answers.
  () => import('../views/sign-in/connection-check.svelte'),
  loadShowable,
  () => import('../views/hosting/moved-notice.svelte'),
  () => import('../views/hosting/network-access-notice.svelte'),
  () => import('../views/hosting/hosting-notice.svelte'),
  () => import('../views/hosting/backup-notice.svelte'),
  () => import('../views/hosting/waiting-notices.svelte'),
  () => import('../views/hosting/lost-list.svelte'),
  () => import('../views/shell/saves-notice.svelte'),
  ...Object.values(pageParts),
  () => import('../views/compose/closed-line.svelte'),
  () => import('../views/search/results-line.svelte'),
  () => import('../views/people/details-column.svelte'),
  () => import('../views/people/user-card.svelte'),
  () => import('../views/timeline/row/message-toolbar.svelte'),
  () => import('../views/timeline/row/message-editor.svelte'),
  () => import('../views/timeline/emoji-popover.svelte'),
  () => import('../views/timeline/message-menu.svelte'),
  () => import('../views/timeline/dialogs/message-dialogs.svelte'),
  () => import('../views/timeline/dialogs/jump-to-date.svelte'),
  () => import('../views/timeline/dialogs/image-viewer.svelte'),
  () => import('../views/sidebar/row-menu.svelte'),
  () => import('../views/emoji/emoji-picker.svelte'),
  () => import('../views/compose/wide-mention-warning.svelte'),
  () => import('../views/compose/upload-chips.svelte'),
  () => import('#client/uploads/pieces.ts'),
  () => import('#client/uploads/downloads.ts'),
  () => import('../lib/writing/emoji-list.ts'),
  // It loads what reads HTML when it is called first.
  () => markdownOf(''),
  loadCameraDataRemoval,
  () => import('../views/settings/settings.svelte'),
  () => import('../views/streams/stream-settings.svelte'),
  () => import('../views/shell/shortcut-list.svelte'),
  () => import('../views/shell/mark-all-read.svelte'),
  () => import('../views/sidebar/new-private.svelte'),
  () => import('../views/sidebar/new-stream.svelte'),
  () => import('../views/sidebar/add-person.svelte'),
  () => import('../views/sidebar/leave-stream.svelte'),
  () => import('../views/sidebar/stream-color.svelte'),
  () => import('../views/sign-in/sign-in-again.svelte'),
  () => import('../views/sign-in/sign-out.svelte'),
  () => import('../views/sign-in/first-run.svelte'),
  () => import('../views/sign-in/start-problem.svelte'),
  () => import('../views/shell/rail.svelte'),
  () => import('../views/hosting/network-access-page.svelte'),
  () => import('../views/settings/application/file-list.svelte'),
  () => import('../views/settings/integrations/integrations-page.svelte'),
  () => import('../views/settings/integrations/deliveries.svelte'),
  () => import('../views/settings/organization/invitation-code.svelte'),
  () => import('../lib/password-strength.ts'),
];

/** The first moments are for who opened the tab. */
const HEAD_START_MS = 5_000;
/** Doubled up to the longest: a service that was replaced by a newer one has none of these files any more. */
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 1_800_000;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Safari has no such callback. */
const idle = (): Promise<unknown> =>
  'requestIdleCallback' in globalThis
    ? new Promise((resolve) => requestIdleCallback(resolve))
    : wait(200);

/** Settles when all are there. They come one after the other, while nothing else is done. */
export async function loadParts(): Promise<void> {
  await wait(HEAD_START_MS);
  let missing = await loadNow(parts);
  for (let pauseMs = FIRST_PAUSE_MS; missing.length > 0; pauseMs *= 2) {
    await wait(Math.min(pauseMs, LONGEST_PAUSE_MS));
    missing = await loadNow(missing);
  }
}

/** Those that could not be fetched. */
async function loadNow(wanted: typeof parts): Promise<typeof parts> {
  const missing: (typeof parts)[number][] = [];
  for (const part of wanted) {
    await idle();
    await part().catch(() => missing.push(part));
  }
  return missing;
}
