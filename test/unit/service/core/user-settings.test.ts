import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  changedSettings,
  checkSettings,
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
    ['notification_sound', 'ding'],
    ['notification_sound', 'zulip'],
    ['emojiset', 'google-blob'],
    ['default_language', 'en'],
    ['default_language', 'pt_BR'],
    ['default_language', 'zh-hans'],
    ['timezone', ''],
    ['timezone', 'UTC'],
    ['timezone', 'America/Argentina/Buenos_Aires'],
  ])('%s takes %j', (name, value) => {
    expect(() => {
      checkSettings({ [name]: value });
    }).not.toThrow();
  });

  test.each([
    ['notification_sound', ''],
    ['notification_sound', 'gong'],
    ['emojiset', 'apple'],
    ['default_language', ''],
    ['default_language', 'x'],
    ['default_language', 'english please'],
    ['default_language', 'zz'],
    ['timezone', 'Middle/Earth'],
    ['timezone', '+02:00'],
    ['timezone', 'UTC\n'],
  ])('%s refuses %j', (name, value) => {
    expect(() => {
      checkSettings({ [name]: value });
    }).toThrow(refused);
  });

  test('a language is named in itself', () => {
    expect([languageName('de'), languageName('fr'), languageName('nowhere-')]).toEqual([
      'Deutsch',
      'français',
      undefined,
    ]);
  });
});
