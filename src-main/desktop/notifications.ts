import { Notification } from 'electron';
import type { Attention, Notice } from '../client/ports.ts';
import { isInView, type View } from '../contract/models/client.ts';

export interface Notifications extends Pick<Attention, 'notify'> {
  /** The window shows this from now on: what is up of it is closed. */
  readonly show: (accountId: string, view: View | null) => void;
  /** The window is looked at again: what is up of what it shows is closed. */
  readonly attend: () => void;
  readonly closeAll: () => void;
}

/** Linux notification daemons read the body as markup, and what a colleague typed is not markup. */
const bodyText = (body: string): string =>
  process.platform === 'linux'
    ? body.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    : body;

/** The native notifications that are up. They are held here: a collected one would not tell of its click. */
export function createNotifications(opened: (notice: Notice) => void): Notifications {
  const shown = new Map<string, { readonly notice: Notice; readonly native: Notification }>();
  let looked: { readonly accountId: string; readonly view: View } | undefined;

  function close(tag: string): void {
    shown.get(tag)?.native.close();
    shown.delete(tag);
  }

  function notify(notice: Notice): void {
    if (!Notification.isSupported()) return;
    close(notice.tag);
    const native = new Notification({ title: notice.title, body: bodyText(notice.body) });
    shown.set(notice.tag, { notice, native });
    native.on('click', () => {
      close(notice.tag);
      opened(notice);
    });
    native.on('close', () => {
      if (shown.get(notice.tag)?.native === native) shown.delete(notice.tag);
    });
    native.show();
  }

  function closeWhere(condition: (notice: Notice) => boolean): void {
    for (const [tag, { notice }] of [...shown]) if (condition(notice)) close(tag);
  }

  function closeInView(): void {
    const seen = looked;
    if (seen === undefined) return;
    closeWhere((n) => n.accountId === seen.accountId && isInView(n.conversation, seen.view));
  }

  return {
    notify,
    show: (accountId, view) => {
      looked = view === null ? undefined : { accountId, view };
      closeInView();
    },
    attend: closeInView,
    closeAll: () => {
      closeWhere(() => true);
    },
  };
}
