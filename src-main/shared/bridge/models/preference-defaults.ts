/** Apart from the codec, because windows need these and no validation. */
import { initialFlags } from './preference-table.ts';
import type { Preferences, PreferencesPatch } from './preferences.ts';

export const defaultPreferences: Preferences = {
  ...initialFlags,
  theme: 'system',
  fontSize: 14,
  density: 'comfortable',
  sendKey: 'enter',
  markRead: 'scroll',
  announce: 'all',
  doNotDisturbUntilSeconds: 0,
  notificationSound: null,
  spellLanguages: [],
  cacheLimitMiB: 2_000,
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
