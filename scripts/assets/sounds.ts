/**
 * Makes the sounds of notifications, src-renderer/public/sounds/*.wav: `node scripts/assets/sounds.ts`. They are computed, so
 * that nobody else has rights in them; the same script gives the same bytes on every machine.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SoundName } from '#shared/bridge/models/notifications.ts';
import { projectDir } from '../run.ts';

const RATE = 44_100;
/** Quiet enough beside a call or music, and without a click at either end. */
const PEAK = 0.5;
const ATTACK_SECONDS = 0.004;
const RELEASE_SECONDS = 0.04;

interface Tone {
  readonly startSeconds: number;
  readonly hertz: number;
  /** Where the pitch glides to within `glideSeconds`; absent where it stays. */
  readonly glide?: { readonly hertz: number; readonly seconds: number };
  readonly level: number;
  /** Time in which it falls to a third. */
  readonly decaySeconds: number;
  /** Multiple of the frequency, level, and how much faster it fades than the tone. */
  readonly partials: readonly (readonly [multiple: number, level: number, fading: number])[];
}

const wood: Tone['partials'] = [
  [1, 1, 1],
  [3.93, 0.22, 4],
  [9.2, 0.06, 9],
];
const glass: Tone['partials'] = [
  [1, 1, 1],
  [2, 0.35, 1.6],
  [3.01, 0.16, 2.6],
];
const bronze: Tone['partials'] = [
  [0.5, 0.35, 0.8],
  [1, 1, 1],
  [1.19, 0.45, 1.3],
  [2, 0.5, 1.7],
  [2.74, 0.25, 2.6],
  [4.07, 0.12, 4],
];
const pure: Tone['partials'] = [[1, 1, 1]];

interface Sound {
  readonly seconds: number;
  readonly tones: readonly Tone[];
}

const note = (
  startSeconds: number,
  hertz: number,
  decaySeconds: number,
  partials: Tone['partials'],
): Tone => ({ startSeconds, hertz, decaySeconds, partials, level: 1 });

const sounds: Readonly<Record<SoundName, Sound>> = {
  // Two warm wooden notes, a fourth apart.
  ember: {
    seconds: 0.6,
    tones: [{ ...note(0, 659.26, 0.13, wood), level: 0.8 }, note(0.12, 880, 0.17, wood)],
  },
  // Three rising glass notes.
  chime: {
    seconds: 0.66,
    tones: [
      { ...note(0, 783.99, 0.14, glass), level: 0.7 },
      { ...note(0.08, 987.77, 0.15, glass), level: 0.8 },
      note(0.16, 1174.66, 0.18, glass),
    ],
  },
  // Two knuckles on a door.
  knock: {
    seconds: 0.4,
    tones: [0, 0.15].flatMap((startSeconds) => [
      { ...note(startSeconds, 210, 0.035, wood), glide: { hertz: 150, seconds: 0.05 } },
      { ...note(startSeconds, 1130, 0.008, wood), level: 0.25 },
    ]),
  },
  bell: { seconds: 0.67, tones: [note(0, 932.33, 0.24, bronze)] },
  // A drop that falls into water.
  drop: {
    seconds: 0.35,
    tones: [
      { ...note(0, 420, 0.07, pure), glide: { hertz: 1250, seconds: 0.1 } },
      { ...note(0.13, 560, 0.06, pure), level: 0.45, glide: { hertz: 1500, seconds: 0.09 } },
    ],
  },
};

function samplesOf({ seconds, tones }: Sound): Float64Array {
  const samples = new Float64Array(Math.round(seconds * RATE));
  for (const tone of tones) addTone(samples, tone);
  const release = Math.round(RELEASE_SECONDS * RATE);
  const peak = samples.reduce((highest, value) => Math.max(highest, Math.abs(value)), 0);
  return samples.map((value, index) => {
    const left = samples.length - 1 - index;
    return (value / peak) * PEAK * Math.min(1, left / release);
  });
}

function addTone(samples: Float64Array, tone: Tone): void {
  const { startSeconds, hertz, glide, level, decaySeconds, partials } = tone;
  let cycles = 0;
  for (let index = Math.round(startSeconds * RATE); index < samples.length; index += 1) {
    const time = index / RATE - startSeconds;
    const attack = Math.min(1, time / ATTACK_SECONDS);
    let value = 0;
    for (const [multiple, share, fading] of partials) {
      const faded = Math.exp((-time * fading) / decaySeconds);
      value += share * faded * Math.sin(2 * Math.PI * cycles * multiple);
    }
    samples[index] = (samples[index] ?? 0) + level * attack * value;
    cycles += (glide === undefined ? hertz : pitchAt(time, hertz, glide)) / RATE;
  }
}

const pitchAt = (
  time: number,
  from: number,
  { hertz, seconds }: NonNullable<Tone['glide']>,
): number => from * (hertz / from) ** Math.min(1, time / seconds);

/** RIFF WAVE: PCM, one channel, 16 bit. */
function wav(samples: Float64Array): Buffer {
  const data = Buffer.alloc(samples.length * 2);
  samples.forEach((value, index) => data.writeInt16LE(Math.round(value * 32_767), index * 2));
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + data.length, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(RATE, 24);
  header.writeUInt32LE(RATE * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(data.length, 40);
  return Buffer.concat([header, data]);
}

const dir = join(projectDir, 'src-renderer', 'public', 'sounds');
mkdirSync(dir, { recursive: true });
for (const [name, sound] of Object.entries(sounds)) {
  writeFileSync(join(dir, `${name}.wav`), wav(samplesOf(sound)));
}
