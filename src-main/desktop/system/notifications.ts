import { Notification } from 'electron';
import type { Attention, Notice } from '#client/ports.ts';

export interface Notifications extends Pick<Attention, 'canNotify' | 'notify' | 'withdraw'> {
  readonly closeAll: () => void;
}

/** Linux notification daemons read the body as markup, and what a colleague typed is not markup. */
const bodyText = (body: string): string =>
  process.platform === 'linux'
    ? body.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    : body;

const keyOf = (accountId: string, tag: string): string => `${accountId} ${tag}`;

/** The native notifications that are up. They are held here: a collected one would not tell of its click. */
export function createNotifications(opened: (notice: Notice) => void): Notifications {
  const shown = new Map<string, Notification>();

  function close(key: string): void {
    const native = shown.get(key);
    // First out of the list: closing tells the listener below at once on some systems.
    shown.delete(key);
    native?.close();
  }

  function notify(notice: Notice): void {
    const key = keyOf(notice.accountId, notice.tag);
    close(key);
    const { title, body } = notice;
    // The sounds are ours: the system's own would ring where a setting says not to.
    const native = new Notification({ title, body: bodyText(body), silent: true });
    shown.set(key, native);
    native.on('click', () => {
      close(key);
      opened(notice);
    });
    native.on('close', () => {
      if (shown.get(key) === native) shown.delete(key);
    });
    native.show();
  }

  return {
    canNotify: () => Notification.isSupported(),
    notify,
    withdraw: (accountId, tag) => {
      close(keyOf(accountId, tag));
    },
    closeAll: () => {
      for (const key of [...shown.keys()]) close(key);
    },
  };
}
