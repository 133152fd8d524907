/** Notifications, sounds and the badge as a browser has them. */
import type { Attention, NotificationLogStore, Notice } from '#client/ports.ts';
import type { NotificationLogRecord } from '#shared/bridge/models/notifications.ts';

const DECISIONS = 'hearth.decisions';

const isPermitted = (): boolean =>
  'Notification' in window && Notification.permission === 'granted';

export function createWebAttention(
  opened: (notice: Notice) => void,
  activeSinceMs: Attention['activeSinceMs'],
): Attention {
  const shown = new Map<string, Notification>();
  const keyOf = (accountId: string, tag: string): string => `${accountId} ${tag}`;
  let audio: HTMLAudioElement | undefined;

  function close(key: string): void {
    shown.get(key)?.close();
    shown.delete(key);
  }

  function notify(notice: Notice): void {
    const { title, body, accountId, tag } = notice;
    const key = keyOf(accountId, tag);
    close(key);
    const native = create(title, { body, tag: key, silent: true });
    if (native === undefined) return;
    shown.set(key, native);
    native.onclick = () => {
      window.focus();
      close(key);
      opened(notice);
    };
    native.onclose = () => {
      if (shown.get(key) === native) shown.delete(key);
    };
  }

  return {
    isWindowFocused: () => document.hasFocus(),
    activeSinceMs,
    canNotify: isPermitted,
    notify,
    withdraw: (accountId, tag) => {
      close(keyOf(accountId, tag));
    },
    playSound: (sound) => {
      audio?.pause();
      audio = new Audio(`/sounds/${sound}.wav`);
      // A page that nobody has clicked in yet may make no sound; there is nothing to be done about it.
      audio.play().catch(() => undefined);
    },
    setBadge: ({ badge }) => {
      // Only for a page that was installed as an application, and only in some browsers.
      if ('setAppBadge' in navigator) navigator.setAppBadge(badge).catch(() => undefined);
    },
  };
}

/** Undefined where the browser knows notifications of service workers only, as on Android. */
function create(title: string, options: NotificationOptions): Notification | undefined {
  if (!isPermitted()) return undefined;
  try {
    return new Notification(title, options);
  } catch {
    return undefined;
  }
}

/** Kept as long as the tab is open, as all else of an account is. */
export const tabNotificationLog: NotificationLogStore = {
  // Nothing but this object writes here.
  load: async () =>
    JSON.parse(sessionStorage.getItem(DECISIONS) ?? 'null') as NotificationLogRecord | null,
  save: async (record) => {
    sessionStorage.setItem(DECISIONS, JSON.stringify(record));
  },
};
