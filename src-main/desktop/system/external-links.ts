import { shell } from 'electron';

const openable: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/** Whether the system may be asked to open it: other schemes start programs. */
export function isOpenable(url: string): boolean {
  return URL.canParse(url) && openable.has(new URL(url).protocol);
}

/** Opens a link in the system's browser or mail program. */
export async function openExternally(url: string): Promise<void> {
  if (!isOpenable(url)) throw new Error('a link of another scheme than http, https and mailto');
  // The parsed form, so that what was checked is what is opened.
  await shell.openExternal(new URL(url).href);
}
