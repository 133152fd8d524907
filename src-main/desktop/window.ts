import { app, BrowserWindow, nativeTheme, type WebFrameMain } from 'electron';
import type { BridgeEvents } from '../../src-preload/bridge.ts';
import type { Log } from '../platform/log.ts';
import { eventChannel } from './bridge.ts';
import { confine, isTrustedFrame, PAGE_URL } from './trust.ts';

/** What the page paints first, so that the window is never seen in another colour. */
const background = (): string => (nativeTheme.shouldUseDarkColors ? '#1b1816' : '#ffffff');

/** A page that dies again this soon would die for ever. */
const RELOAD_PAUSE_MS = 10_000;

export interface MainWindow {
  /** Opens it, or brings the open one to the front. */
  readonly open: () => void;
  readonly isFocused: () => boolean;
  readonly onFocus: (listener: () => void) => void;
  readonly send: <E extends keyof BridgeEvents>(event: E, payload: BridgeEvents[E]) => void;
  readonly isTrusted: (frame: WebFrameMain | null) => boolean;
}

interface MainWindowParts {
  readonly preloadFile: string;
  readonly log: Log;
  readonly openLink: (url: string) => void;
}

export function createMainWindow(parts: MainWindowParts): MainWindow {
  let window: BrowserWindow | undefined;
  const focusListeners: (() => void)[] = [];
  nativeTheme.on('updated', () => window?.setBackgroundColor(background()));

  function open(): void {
    if (window !== undefined) {
      bringToFront(window);
      return;
    }
    window = createWindow(parts);
    window.on('closed', () => (window = undefined));
    for (const listener of focusListeners) window.on('focus', listener);
  }

  return {
    open,
    isFocused: () => window?.isFocused() === true && window.isVisible(),
    onFocus: (listener) => focusListeners.push(listener),
    send: (event, payload) => window?.webContents.send(eventChannel(event), payload),
    isTrusted: (frame) => isTrustedFrame(frame, window?.webContents),
  };
}

function bringToFront(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

function createWindow({ preloadFile, log, openLink }: MainWindowParts): BrowserWindow {
  const window = new BrowserWindow({
    width: 1100,
    height: 720,
    minWidth: 500,
    minHeight: 400,
    title: app.getName(),
    backgroundColor: background(),
    show: false,
    autoHideMenuBar: true,
    webPreferences: {
      preload: preloadFile,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      navigateOnDragDrop: false,
      // The spell checker fetches its dictionaries from a server of its own.
      spellcheck: false,
      devTools: !app.isPackaged,
    },
  });
  window.once('ready-to-show', () => window.show());
  confine(window.webContents, openLink);
  reloadWhenGone(window, log);
  window.loadURL(PAGE_URL).catch((error: unknown) => {
    log.error('the page could not be loaded', { error });
  });
  return window;
}

function reloadWhenGone(window: BrowserWindow, log: Log): void {
  let lastAtMs = 0;
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    log.error('the page ended', { reason });
    if (Date.now() - lastAtMs < RELOAD_PAUSE_MS) return;
    lastAtMs = Date.now();
    window.webContents.reload();
  });
}
