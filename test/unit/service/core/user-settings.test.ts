import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  changedSettings,
  checkEmojiset,
  checkLanguage,
  checkSound,
  checkTimezone,
  languageName,
  settingsOf,
  storedSettings,
  streamNotificationsOf,
  type UserSettings,
  userSettingDefaults,
} from '#service/core/rules/user-settings.ts';

const refused = expect.objectContaining({ code: 'BAD_REQUEST' });

const anyValue = {
  boolean: fc.boolean(),
  number: fc.integer({ min: 1, max: 3 }),
  string: fc.constantFrom('zulip', 'ding', 'en', 'de', '', 'Europe/Vienna', 'google-blob'),
};

const changes = fc.record(
  Object.fromEntries(
    Object.entries(userSettingDefaults).map(([name, value]) => [
      name,
      anyValue[typeof value as keyof typeof anyValue],
    ]),
  ),
  { requiredKeys: [] },
) as fc.Arbitrary<Partial<UserSettings>>;

describe('settings', () => {
  test('settings agree with an object that is simply overwritten', () => {
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 6 }), (sequence) => {
        let row = { settings: '{}', timezone: '' };
        let naive: UserSettings = userSettingDefaults;
        for (const change of sequence) {
          const changed = changedSettings(row, change);
          const after = { ...naive, ...change };
          const differing = Object.entries(after).filter(
            ([name, value]) => value !== naive[name as keyof UserSettings],
          );
          expect(changed).toEqual(Object.fromEntries(differing));
          row = {
            settings: storedSettings(row, changed),
            timezone: changed.timezone ?? row.timezone,
          };
          naive = after;
          expect(settingsOf(row)).toEqual(naive);
        }
        const stored = JSON.parse(row.settings) as Record<string, unknown>;
        const defaults: Record<string, unknown> = userSettingDefaults;
        for (const [name, value] of Object.entries(stored)) {
          expect(value).not.toBe(defaults[name]);
        }
        expect(stored).not.toHaveProperty('timezone');
      }),
      { numRuns: 500 },
    );
  });

  test('settings keep what is stored beside them', () => {
    const row = { settings: '{"other":1,"enable_sounds":false}' };
    expect(storedSettings(row, { enable_sounds: true })).toBe('{"other":1}');
  });

  test('the settings of an account say what holds for streams without their own', () => {
    expect(streamNotificationsOf('{}')).toEqual({
      desktop: false,
      audible: false,
      push: false,
      email: false,
    });
    expect(
      streamNotificationsOf(
        '{"enable_stream_audible_notifications":true,"enable_stream_email_notifications":true}',
      ),
    ).toEqual({ desktop: false, audible: true, push: false, email: true });
  });
});

describe('values', () => {
  test.each([
    [checkSound, 'ding'],
    [checkSound, 'zulip'],
    [checkEmojiset, 'google-blob'],
    [checkLanguage, 'en'],
    [checkLanguage, 'pt_BR'],
    [checkLanguage, 'zh-hans'],
    [checkTimezone, ''],
    [checkTimezone, 'UTC'],
    [checkTimezone, 'America/Argentina/Buenos_Aires'],
  ])('%o takes %j', (check, value) => {
    expect(check(value)).toBe(value);
  });

  test.each([
    [checkSound, ''],
    [checkSound, 'gong'],
    [checkEmojiset, 'apple'],
    [checkLanguage, ''],
    [checkLanguage, 'x'],
    [checkLanguage, 'english please'],
    [checkLanguage, 'zz'],
    [checkTimezone, 'Middle/Earth'],
    [checkTimezone, '+02:00'],
    [checkTimezone, 'UTC\n'],
  ])('%o refuses %j', (check, value) => {
    expect(() => check(value)).toThrow(refused);
  });

  test('a language is named in itself', () => {
    expect([languageName('de'), languageName('fr'), languageName('nowhere-')]).toEqual([
      'Deutsch',
      'français',
      undefined,
    ]);
  });
});
