import { expect, test } from 'vitest';
import { timeZoneNamed } from '#renderer/lib/time-zones.ts';

const zones = ['America/Indiana/Knox', 'America/New_York', 'Europe/Berlin', 'Asia/X', 'Africa/X'];

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['berlin', 'Europe/Berlin'],
  ['New York', 'America/New_York'],
  ['knox', 'America/Indiana/Knox'],
  ['Ber', undefined],
  ['X', undefined],
] as const)('%s names the time zone %s', (name, zone) => {
  expect(timeZoneNamed(name, zones)).toBe(zone);
});
