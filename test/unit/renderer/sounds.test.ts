import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { soundFor, soundNames } from '#shared/bridge/models/notifications.ts';
import { projectDir } from '#scripts/project-dir.ts';
import { availableSounds } from '#service/core/rules/user-settings.ts';

const wavOf = (name: string): Buffer =>
  readFileSync(join(projectDir, `src-renderer/public/sounds/${name}.wav`));

const samplesOf = (wav: Buffer): readonly number[] =>
  Array.from({ length: (wav.length - 44) / 2 }, (_, index) => wav.readInt16LE(44 + index * 2));

describe.each(soundNames)('the sound %s', (name) => {
  test('a sound is a small file of 44.1 kHz, one channel, 16 bit', () => {
    const wav = wavOf(name);
    expect(wav.length).toBeLessThan(60 * 1024);
    expect(wav.subarray(0, 4).toString()).toBe('RIFF');
    expect(wav.readUInt32LE(4)).toBe(wav.length - 8);
    expect([wav.readUInt16LE(20), wav.readUInt16LE(22)]).toEqual([1, 1]);
    expect([wav.readUInt32LE(24), wav.readUInt16LE(34)]).toEqual([44_100, 16]);
    expect(wav.readUInt32LE(40)).toBe(wav.length - 44);
  });

  test('a sound is heard, is not loud, and neither begins nor ends with a click', () => {
    const samples = samplesOf(wavOf(name));
    const peak = samples.reduce((highest, value) => Math.max(highest, Math.abs(value)), 0);
    expect(peak).toBeGreaterThan(0.4 * 32_767);
    expect(peak).toBeLessThan(0.6 * 32_767);
    expect(Math.abs(samples[0]!)).toBeLessThan(100);
    expect(Math.abs(samples.at(-1)!)).toBeLessThan(100);
  });
});

describe('the sound of an account', () => {
  test('the sound of an account is another one for each that the service knows', () => {
    const sounds = availableSounds.map((setting) => soundFor(setting, null));
    expect(new Set(sounds).size).toBe(availableSounds.length);
  });

  test('the sound of an account is the one that this computer chose, and never none', () => {
    expect(soundFor('zulip', 'bell')).toBe('bell');
    expect(soundFor('a sound of a newer service', null)).toBe('ember');
  });
});
