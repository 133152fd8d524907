import type { Session, WebContents, WebFrameMain } from 'electron';
import { isOfPageServer } from './page-server.ts';

/** The application's own page: a scheme of its own, so that no file and no server shares its origin. */
export const PAGE_SCHEME = 'app';
export const PAGE_ORIGIN = `${PAGE_SCHEME}://hearth`;
export const PAGE_URL = `${PAGE_ORIGIN}/index.html`;

const isOwnPage = (url: string): boolean => {
  if (!URL.canParse(url)) return false;
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}` === PAGE_URL;
};

/** Whether a call comes from our page, as the top of our window and not from a frame in it. */
export function isTrustedFrame(
  frame: WebFrameMain | null,
  contents: WebContents | undefined,
): boolean {
  if (frame === null || contents === undefined || contents.isDestroyed()) return false;
  return frame === contents.mainFrame && isOwnPage(frame.url);
}

/**
 * Keeps the contents on the page they have. What is clicked leaves through `openLink`; what navigates by itself, as a
 * refresh in a message could, leads nowhere: the page hands its own links over through the bridge.
 */
export function restrictNavigation(contents: WebContents, openLink: (url: string) => void): void {
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame || !isOwnPage(event.url)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    openLink(url);
    return { action: 'deny' };
  });
}

/** A click on Copy writes plain text to the clipboard; nothing else is asked of the system by the page itself. */
const isPermitted = (permission: string, url: string): boolean =>
  permission === 'clipboard-sanitized-write' && isOwnPage(url);

/**
 * Denies what pages may ask of the system, and every request that leaves the application's own files.
 * @param pageServer  what serves these files during development
 */
export function restrictSession(session: Session, pageServer: string | undefined): void {
  session.setPermissionRequestHandler((contents, permission, answer) =>
    answer(isPermitted(permission, contents.getURL())),
  );
  session.setPermissionCheckHandler((_contents, permission, origin) =>
    isPermitted(permission, `${origin.replace(/\/$/, '')}${new URL(PAGE_URL).pathname}`),
  );
  session.setDevicePermissionHandler(() => false);
  // A file that the page holds already may be saved, where the person says; no link of a message leads to one.
  session.on('will-download', (event, item) => {
    if (!item.getURL().startsWith('blob:')) event.preventDefault();
  });
  const outside = { urls: ['http', 'https', 'ws', 'wss', 'file', 'ftp'].map((s) => `${s}://*/*`) };
  session.webRequest.onBeforeRequest(outside, ({ url }, answer) =>
    answer({ cancel: pageServer === undefined || !isOfPageServer(url, pageServer) }),
  );
}
