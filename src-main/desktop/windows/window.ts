import {
  app,
  BrowserWindow,
  nativeTheme,
  screen,
  type Rectangle,
  type WebContents,
  type WebFrameMain,
} from 'electron';
import { firstAnswersChannel, type BridgeEvents } from '#preload/bridge.ts';
import type { Preferences } from '#shared/bridge/models/preferences.ts';
import type { Log } from '#node/log.ts';
import { eventChannel } from './channels.ts';
import { showContextMenus } from './context-menu.ts';
import { recoverPage } from './page-recovery.ts';
import { restrictNavigation, isTrustedFrame, PAGE_URL } from '../system/trust.ts';
import type { WindowState } from './place-codec.ts';
import { openingBounds, smallestSize } from './window-state.ts';

/** What the page paints first, so that the window is never seen in another colour. */
const background = (): string => (nativeTheme.shouldUseDarkColors ? '#1b1816' : '#ffffff');

/** A page that has painted nothing by then is shown all the same: a window that never comes up looks like none. */
const SHOW_LIMIT_MS = 2_000;
/** What a page that does not answer may take before it is freed all the same. */
const RELEASE_LIMIT_MS = 500;
const MAX_WAITING = 20;
const STATE_PAUSE_MS = 500;

/** What becomes of the window when a person closes it. */
export type CloseWay = 'hide' | 'minimize' | 'quit';

export interface MainWindow {
  /** Opens it, or brings the open one to the front. */
  readonly open: () => void;
  /** Shows it where it is hidden, hides it where it is looked at. */
  readonly toggle: () => void;
  readonly isFocused: () => boolean;
  readonly onFocus: (listener: () => void) => void;
  /** The page is gone: freed, crashed or loaded anew. Nothing is shown until it says so again. */
  readonly onPageGone: (listener: () => void) => void;
  /** It was hidden, and its page freed. */
  readonly onReleased: (listener: () => void) => void;
  /** To the page if there is one; for what it can ask for itself once it is there. */
  readonly send: <E extends keyof BridgeEvents>(event: E, payload: BridgeEvents[E]) => void;
  /** To the page, with the window opened for it; waits until the page listens. */
  readonly deliver: <E extends keyof BridgeEvents>(event: E, payload: BridgeEvents[E]) => void;
  readonly pageReady: () => void;
  /** A page listens. */
  readonly onPageReady: (listener: () => void) => void;
  /** Settles when a page is ready for the first time. */
  readonly firstReady: Promise<void>;
  /** Settles when a window is shown for the first time. */
  readonly firstShown: Promise<void>;
  readonly readyToClose: () => void;
  /** Lets the page begin anew, with nothing of what it was told. */
  readonly reload: () => void;
  /** Lets the page hand over what it has and frees it. */
  readonly release: () => Promise<void>;
  /** The same for good, because the application ends. */
  readonly end: () => Promise<void>;
  readonly isTrusted: (frame: WebFrameMain | null) => boolean;
  readonly isOfWindow: (contents: WebContents) => boolean;
  /** The page's first answers are good no longer: everything is loaded. */
  readonly tellLoaded: () => void;
  /** The open window, for what only Electron can do with it. */
  readonly native: () => BrowserWindow | undefined;
}

interface MainWindowParts {
  readonly preloadFile: string;
  readonly log: Log;
  readonly openLink: (url: string) => void;
  readonly preferences: () => Preferences;
  /** As it was left the last time. */
  readonly savedState: WindowState | undefined;
  readonly saveState: (state: WindowState) => void;
  readonly closeWay: () => Promise<CloseWay>;
  /** The first page is drawn whole while its document is read, because it was given all that it asks for. */
  readonly isDrawnAtOnce: boolean;
  readonly onHidden: () => void;
  readonly onZoom: (direction: 'in' | 'out') => void;
}

export function createMainWindow(parts: MainWindowParts): MainWindow {
  return new PageWindow(parts);
}

interface Waiting {
  readonly event: keyof BridgeEvents;
  readonly payload: unknown;
}

class PageWindow implements MainWindow {
  readonly #parts: MainWindowParts;
  #window: BrowserWindow | undefined;
  #state: WindowState | undefined;
  #isReady = false;
  #isEnded = false;
  #isDrawnAtOnce: boolean;
  #tellReady: () => void = () => undefined;
  readonly firstReady = new Promise<void>((resolve) => (this.#tellReady = resolve));
  #tellShown: () => void = () => undefined;
  readonly firstShown = new Promise<void>((resolve) => (this.#tellShown = resolve));
  #waiting: readonly Waiting[] = [];
  #released: (() => void) | undefined;
  readonly #focusListeners: (() => void)[] = [];
  readonly #readyListeners: (() => void)[] = [];
  readonly #goneListeners: (() => void)[] = [];
  readonly #releasedListeners: (() => void)[] = [];

  constructor(parts: MainWindowParts) {
    this.#parts = parts;
    this.#state = parts.savedState;
    this.#isDrawnAtOnce = parts.isDrawnAtOnce;
    nativeTheme.on('updated', () => this.#window?.setBackgroundColor(background()));
  }

  readonly open = (): void => {
    // A window that comes up now, for a click or a second start, would keep the application from ending.
    if (this.#isEnded) return;
    if (this.#window === undefined) this.#create();
    else bringToFront(this.#window);
  };

  readonly toggle = (): void => {
    if (this.isFocused()) void this.#hide();
    else this.open();
  };

  readonly native = (): BrowserWindow | undefined => this.#window;
  readonly isFocused = (): boolean =>
    this.#window?.isFocused() === true && this.#window.isVisible();

  readonly onFocus = (listener: () => void): void => {
    this.#focusListeners.push(listener);
  };

  readonly onPageReady = (listener: () => void): void => {
    this.#readyListeners.push(listener);
  };

  readonly onPageGone = (listener: () => void): void => {
    this.#goneListeners.push(listener);
  };

  readonly onReleased = (listener: () => void): void => {
    this.#releasedListeners.push(listener);
  };

  readonly isTrusted = (frame: WebFrameMain | null): boolean =>
    isTrustedFrame(frame, this.#window?.webContents);

  readonly isOfWindow = (contents: WebContents): boolean => contents === this.#window?.webContents;

  readonly tellLoaded = (): void => this.#post(firstAnswersChannel, null);

  readonly send = <E extends keyof BridgeEvents>(event: E, payload: BridgeEvents[E]): void => {
    this.#post(eventChannel(event), JSON.stringify(payload));
  };

  readonly deliver = <E extends keyof BridgeEvents>(event: E, payload: BridgeEvents[E]): void => {
    this.open();
    if (this.#isReady) this.send(event, payload);
    else this.#waiting = [...this.#waiting, { event, payload }].slice(-MAX_WAITING);
  };

  readonly pageReady = (): void => {
    this.#isReady = true;
    this.#tellReady();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { event, payload } of waiting) this.send(event, payload as never);
    for (const listener of this.#readyListeners) listener();
  };

  readonly readyToClose = (): void => this.#released?.();
  readonly reload = (): void => this.#window?.webContents.reload();

  readonly release = async (): Promise<void> => {
    const window = this.#window;
    if (window === undefined) return;
    await this.#handOver();
    // Opened again in the meantime: it stays.
    if (window.isDestroyed() || window.isVisible()) return;
    window.destroy();
    for (const listener of this.#releasedListeners) listener();
  };

  readonly end = async (): Promise<void> => {
    this.#isEnded = true;
    await this.#handOver();
    this.#window?.destroy();
  };

  #post(channel: string, payload: unknown): void {
    const contents = this.#window?.webContents;
    // Between its end and its next start there is nobody who could take it.
    if (contents?.isCrashed() === false) contents.send(channel, payload);
  }

  async #handOver(): Promise<void> {
    if (!this.#isReady) return;
    let limit: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#released = resolve;
      limit = setTimeout(resolve, RELEASE_LIMIT_MS);
      this.send('windowClosing', {});
    });
    clearTimeout(limit);
    this.#released = undefined;
  }

  #create(): void {
    const window = createWindow(this.#parts, this.#state, this.#isDrawnAtOnce);
    this.#isDrawnAtOnce = false;
    this.#window = window;
    window.once('show', this.#tellShown);
    this.#keepState(window);
    window.on('focus', () => {
      for (const listener of this.#focusListeners) listener();
    });
    window.on('close', (event) => {
      event.preventDefault();
      void this.#close();
    });
    window.on('closed', () => {
      if (this.#window !== window) return;
      this.#window = undefined;
      this.#pageGone();
    });
    window.webContents.on('render-process-gone', () => this.#pageGone());
    window.webContents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
      if (isMainFrame && !isSameDocument) this.#pageGone();
    });
  }

  #pageGone(): void {
    this.#isReady = false;
    this.#released?.();
    for (const listener of this.#goneListeners) listener();
  }

  async #close(): Promise<void> {
    const way = await this.#parts.closeWay();
    if (way === 'quit') app.quit();
    else if (way === 'minimize') this.#window?.minimize();
    else await this.#hide();
  }

  async #hide(): Promise<void> {
    // macOS would leave an empty space of its own behind.
    if (this.#window?.isFullScreen() === true) this.#window.setFullScreen(false);
    this.#window?.hide();
    this.#parts.onHidden();
    await this.release();
  }

  #keepState(window: BrowserWindow): void {
    let timer: NodeJS.Timeout | undefined;
    const keep = (): void => {
      if (window.isDestroyed() || !window.isVisible() || window.isMinimized()) return;
      this.#state = stateOf(window);
      this.#parts.saveState(this.#state);
    };
    const keepSoon = (): void => {
      clearTimeout(timer);
      timer = setTimeout(keep, STATE_PAUSE_MS);
    };
    for (const event of ['resize', 'move', 'maximize', 'unmaximize'] as const) {
      window.on(event as 'resize', keepSoon);
    }
    window.on('close', keep);
  }
}

function stateOf(window: BrowserWindow): WindowState {
  return {
    version: 1,
    bounds: window.getNormalBounds(),
    isMaximized: window.isMaximized(),
    isFullScreen: window.isFullScreen(),
  };
}

function bringToFront(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

function workAreas(): readonly Rectangle[] {
  const main = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== main.id);
  return [main, ...others].map(({ workArea }) => workArea);
}

function showWhenReady(
  window: BrowserWindow,
  kept: WindowState | undefined,
  isDrawnAtOnce: boolean,
): void {
  const show = (): void => {
    // What a page tells may come when its window is gone, of which nothing can be asked any more.
    if (window.isDestroyed()) return;
    clearTimeout(limit);
    window.off('ready-to-show', show);
    window.webContents.off('dom-ready', show);
    if (kept?.isMaximized === true) window.maximize();
    window.show();
    if (kept?.isFullScreen === true) window.setFullScreen(true);
  };
  const limit = setTimeout(show, SHOW_LIMIT_MS);
  if (isDrawnAtOnce) window.webContents.on('dom-ready', show);
  else window.on('ready-to-show', show);
  window.once('closed', () => clearTimeout(limit));
}

function createWindow(
  parts: MainWindowParts,
  kept: WindowState | undefined,
  isDrawnAtOnce: boolean,
): BrowserWindow {
  const { preloadFile, log, openLink } = parts;
  const window = new BrowserWindow({
    ...openingBounds(kept?.bounds, workAreas()),
    minWidth: smallestSize.width,
    minHeight: smallestSize.height,
    title: app.getName(),
    backgroundColor: background(),
    show: false,
    // A page that is seen waits for the process that paints before it reads its document. This one does so behind its scripts.
    paintWhenInitiallyHidden: !isDrawnAtOnce,
    autoHideMenuBar: true,
    webPreferences: {
      preload: preloadFile,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      navigateOnDragDrop: false,
      // Whether and by what it checks is the session's to say.
      spellcheck: true,
      devTools: !app.isPackaged,
    },
  });
  showWhenReady(window, kept, isDrawnAtOnce);
  window.webContents.on('did-finish-load', () => {
    if (!window.isDestroyed()) window.webContents.setZoomLevel(parts.preferences().zoomLevel);
  });
  window.webContents.on('zoom-changed', (_event, direction) => parts.onZoom(direction));
  restrictNavigation(window.webContents, openLink);
  showContextMenus(window.webContents, openLink);
  recoverPage(window, log);
  // A failure is recovered from where the page itself tells of it.
  window.loadURL(PAGE_URL).catch(() => undefined);
  return window;
}
