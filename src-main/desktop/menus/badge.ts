import { app, nativeImage, type BrowserWindow, type NativeImage } from 'electron';
import type { Badge } from '#shared/policies/unread-counts.ts';
import { BADGE_SIZE, badgePixels, badgeText } from './badge-picture.ts';
import { attentionLine } from './tray-menu.ts';

const overlay = (text: string): NativeImage =>
  nativeImage.createFromBitmap(Buffer.from(badgePixels(text)), {
    width: BADGE_SIZE,
    height: BADGE_SIZE,
  });

/** The mark on the icon of the application in the dock or the task bar. */
export function showBadge(attention: Badge, window: BrowserWindow | undefined): void {
  const text = badgeText(attention);
  if (process.platform === 'darwin') {
    app.dock?.setBadge(text);
  } else if (process.platform === 'win32') {
    // The second argument is what a screen reader says of the picture.
    window?.setOverlayIcon(text === '' ? null : overlay(text), attentionLine(attention));
  } else {
    app.setBadgeCount(attention.badge);
  }
}
