/**
 * Finds places where adversarial text costs more than its length. A place gets every attack once at its full length; only
 * what costs far more there than plain text of that length is measured at three lengths.
 */
import { expect } from 'vitest';
import { expectLinear } from '../growth.ts';
import { type Attack, shown, textOf } from './attacks.ts';

export interface Place {
  readonly name: string;
  /** Characters: what the place takes, or as many as show any growth. */
  readonly length: number;
  readonly send: (text: string) => unknown;
}

/** Quadratic work on the shortest text that is sent takes longer. */
const LEAST_MS = 15;
const TIMES_PLAIN = 6;
const MOST_TIMES_PLAIN = 100;
/** Longer ones are cut: four times less text shows the same growth. */
const MEASURED_MS = 150;

async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  const pending = work();
  if (pending instanceof Promise) await pending;
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function leastMsOf(place: Place, text: string, times: number): Promise<number> {
  let least = Infinity;
  for (let i = 0; i < times; i++) least = Math.min(least, await cpuMsOf(() => place.send(text)));
  return least;
}

const PLAIN = { prefix: '', unit: 'word ' };

interface Bounds {
  /** More is looked at. */
  readonly suspectMs: number;
  /** More is wrong, whether or not it grows evenly. */
  readonly mostMs: number;
}

/** What a call may take, by what one with plain text takes. */
async function boundsOf(place: Place): Promise<Bounds> {
  const plain = await leastMsOf(place, textOf(PLAIN, place.length), 2);
  return { suspectMs: LEAST_MS + TIMES_PLAIN * plain, mostMs: LEAST_MS + MOST_TIMES_PLAIN * plain };
}

/** A length at which it can be measured in a moment. */
async function measurable(place: Place, attack: Attack, which: number): Promise<number> {
  let length = place.length;
  while (
    length > 1000 &&
    (await leastMsOf(place, textOf(attack, length, which), 1)) > MEASURED_MS
  ) {
    length = Math.floor(length / 2);
  }
  return length;
}

/** What is wrong with the growth of an attack in this place; undefined where nothing is. */
async function faultOf(place: Place, attack: Attack, which: number): Promise<string | undefined> {
  const length = await measurable(place, attack, which);
  const what = `${place.name}: ${shown(attack)}, ${String(length)} characters`;
  try {
    const make = (size: number): string => textOf(attack, size, which);
    await expectLinear({ size: Math.floor(length / 4), make, run: place.send }, what);
    return undefined;
  } catch (failure) {
    return failure instanceof Error ? failure.message.split('\n')[0] : String(failure);
  }
}

/**
 * @param attacks  each is sent once
 * @returns places in which the time grows faster than the text, one line each
 */
export async function faultsOf(place: Place, attacks: readonly Attack[]): Promise<string[]> {
  const { suspectMs, mostMs } = await boundsOf(place);
  for (const [which, attack] of attacks.entries()) {
    const text = textOf(attack, place.length, which);
    if ((await leastMsOf(place, text, 1)) <= suspectMs) continue;
    // Again: the first may have paid for compiling, or for the collector.
    let ms = await leastMsOf(place, text, 2);
    if (ms <= suspectMs) continue;
    if (ms > mostMs) ms = Math.min(ms, await leastMsOf(place, text, 5));
    if (ms > mostMs) {
      const took = `${ms.toFixed(0)} ms of at most ${mostMs.toFixed(0)}`;
      return [`${place.name}: ${shown(attack)}, ${String(place.length)} characters: ${took}`];
    }
    const fault = await faultOf(place, attack, which);
    if (fault !== undefined) return [fault];
  }
  return [];
}

/** Every place in turn, each with its own attacks. */
export async function expectNoFaults(
  places: readonly Place[],
  attacksFor: (index: number) => readonly Attack[],
): Promise<void> {
  const faults: string[] = [];
  for (const [index, place] of places.entries()) {
    faults.push(...(await faultsOf(place, attacksFor(index))));
  }
  expect(faults).toEqual([]);
}
