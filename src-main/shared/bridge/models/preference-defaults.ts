/** Apart from the codec, because windows need these and no validation. */
import type { Preferences, PreferencesPatch } from './preferences.ts';

export const defaultPreferences: Preferences = {
  theme: 'system',
  fontSize: 14,
  density: 'comfortable',
  singleKeys: true,
  sendKey: 'enter',
  markRead: 'scroll',
  announce: 'all',
  doNotDisturbUntilSeconds: 0,
  notificationSound: null,
  closeToTray: true,
  wasToldOfTray: false,
  startAtLogin: false,
  staysAwake: true,
  removeCameraData: true,
  spellCheck: false,
  spellLanguages: [],
  cacheLimitMiB: 2_000,
  isFillPaused: false,
  zoomLevel: 0,
  sidebarWidth: 256,
  globalShortcut: null,
  keys: {},
};

/** Whether notifications and sounds are held back now. */
export const isDoNotDisturb = (
  { doNotDisturbUntilSeconds: until }: Pick<Preferences, 'doNotDisturbUntilSeconds'>,
  nowSeconds: number,
): boolean => until === null || until > nowSeconds;

export function changedPreferences(old: Preferences, patch: PreferencesPatch): Preferences {
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  return { ...old, ...Object.fromEntries(given) };
}
