/** An account's own settings: the defaults, and what it changed (API decisions 9.6). */
import { refusal } from '#shared/api/refusal.ts';
import {
  type DisplaySettings,
  displayDefaults,
  type NotificationSettings,
  notificationDefaults,
} from '#shared/api/models/settings.ts';
import { type Checks, checkEach } from './check-settings.ts';
import type { AccountRow } from '#service/db/port.ts';

export type UserSettings = NotificationSettings & DisplaySettings;
export type SettingName = keyof UserSettings;

/** What a call leaves out stays as it is. */
export type Wanted = { readonly [K in SettingName]?: UserSettings[K] | undefined };

export const userSettingDefaults: UserSettings = {
  ...notificationDefaults,
  ...displayDefaults,
};

export const availableSounds: readonly string[] = ['zulip', 'ding'];
export const emojisetChoices = [{ key: 'google-blob', text: 'Google classic' }] as const;

const names = Object.keys(userSettingDefaults) as readonly SettingName[];

type Stored = Readonly<Record<string, unknown>>;

const stored = ({ settings }: Pick<AccountRow, 'settings'>): Stored =>
  JSON.parse(settings) as Stored;

/** The time zone has a column of its own: everybody is told of it. */
export const settingsOf = (row: Pick<AccountRow, 'settings' | 'timezone'>): UserSettings => ({
  ...userSettingDefaults,
  ...(stored(row) as Partial<UserSettings>),
  timezone: row.timezone,
});

const pick = <K extends SettingName>(
  settings: UserSettings,
  wanted: Readonly<Record<K, unknown>>,
): Pick<UserSettings, K> =>
  Object.fromEntries(
    (Object.keys(wanted) as readonly SettingName[]).map((name) => [name, settings[name]]),
  ) as Pick<UserSettings, K>;

export const notificationSettingsOf = (
  row: Pick<AccountRow, 'settings' | 'timezone'>,
): NotificationSettings => pick(settingsOf(row), notificationDefaults);

export const displaySettingsOf = (
  row: Pick<AccountRow, 'settings' | 'timezone'>,
): DisplaySettings => pick(settingsOf(row), displayDefaults);

/** Which of the wanted values are not those that hold already. */
export function changedSettings(
  row: Pick<AccountRow, 'settings' | 'timezone'>,
  wanted: Wanted,
): Partial<UserSettings> {
  const current = settingsOf(row);
  return Object.fromEntries(
    names
      .filter((name) => wanted[name] !== undefined && wanted[name] !== current[name])
      .map((name) => [name, wanted[name]]),
  );
}

/** What is stored after a change: only what differs from the defaults, and whatever else is kept there. */
export function storedSettings(
  row: Pick<AccountRow, 'settings'>,
  changed: Partial<UserSettings>,
): string {
  const { timezone: _, ...rest } = changed;
  const all: Stored = { ...stored(row), ...rest };
  const defaults: Stored = userSettingDefaults;
  return JSON.stringify(
    Object.fromEntries(Object.entries(all).filter(([name, value]) => value !== defaults[name])),
  );
}

/** What holds for streams whose own settings are null (API decisions 9.2). */
export interface StreamNotifications {
  readonly desktop: boolean;
  readonly audible: boolean;
  readonly push: boolean;
  readonly email: boolean;
}

/** @param settings  JSON of the settings that differ from the defaults */
export function streamNotificationsOf(settings: string): StreamNotifications {
  const all = settingsOf({ settings, timezone: '' });
  return {
    desktop: all.enable_stream_desktop_notifications,
    audible: all.enable_stream_audible_notifications,
    push: all.enable_stream_push_notifications,
    email: all.enable_stream_email_notifications,
  };
}

/** @throws BAD_REQUEST */
function checkSound(sound: string): void {
  if (availableSounds.includes(sound)) return;
  throw refusal('sound_invalid', {
    sound: sound.slice(0, 60),
    expected: availableSounds.join(', '),
  });
}

/** @throws BAD_REQUEST */
function checkEmojiset(key: string): void {
  if (emojisetChoices.some((choice) => choice.key === key)) return;
  const expected = emojisetChoices.map((choice) => choice.key).join(', ');
  throw refusal('emojiset_invalid', { emojiset: key.slice(0, 60), expected });
}

const isZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

/** @throws BAD_REQUEST unless it is empty or a name of the IANA database, such as `Europe/Vienna` */
function checkTimezone(name: string): void {
  const isName = /^[A-Za-z][\w+/-]*$/.test(name);
  if (name === '' || (isName && isZone(name))) return;
  throw refusal('timezone_invalid', { timezone: name.slice(0, 60) });
}

/** The name of a language in itself; undefined when the code is none. */
export function languageName(code: string): string | undefined {
  if (!/^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$/.test(code)) return undefined;
  const tag = code.replaceAll('_', '-');
  try {
    return new Intl.DisplayNames([tag], { type: 'language', fallback: 'none' }).of(tag);
  } catch {
    return undefined;
  }
}

/** @throws BAD_REQUEST unless it is the code of a language, such as `de` or `pt_BR` */
export function checkLanguage(code: string): void {
  if (languageName(code) !== undefined) return;
  throw refusal('language_invalid', { language: code.slice(0, 60) });
}

const checks: Checks<UserSettings> = {
  notification_sound: checkSound,
  default_language: checkLanguage,
  emojiset: checkEmojiset,
  timezone: checkTimezone,
};

/** @throws BAD_REQUEST */
export const checkSettings = (wanted: Wanted): void => {
  checkEach(checks, wanted);
};
