/**
 * Where `npm run dev` serves the page from its sources: an address of this computer, and never in a package.
 */
export function findPageServer(
  env: Readonly<Record<string, string | undefined>>,
  isPackaged: boolean,
): string | undefined {
  const address = env['HEARTH_PAGE_SERVER'] ?? '';
  return !isPackaged && /^http:\/\/127\.0\.0\.1:\d{1,5}$/.test(address) ? address : undefined;
}

/** Whether a request goes to that server, by the page or by its line for changes. */
export const isOfPageServer = (url: string, server: string): boolean =>
  url.startsWith(`${server}/`) || url.startsWith(`${server.replace(/^http/, 'ws')}/`);
