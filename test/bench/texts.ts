import { randomFrom } from '../support/random.ts';

/** Messages of about 220 bytes, the same ones in every run. */
export interface SampleText {
  readonly content: string;
  readonly rendered: string;
}

const syllables = 'ba ce di fo gu ha ki lo mu na pe ri so tu va we xi yo za el or in as'.split(' ');
const WORDS = 5000;
const MAX_WORDS = 64;

function words(): readonly string[] {
  const random = randomFrom(1).next;
  const syllable = (): string => syllables[Math.floor(random() * syllables.length)] ?? 'ba';
  return Array.from({ length: WORDS }, () =>
    Array.from({ length: 1 + Math.floor(random() * 4) }, syllable).join(''),
  );
}

/** Common words are far more frequent than rare ones, as in real text. */
export function textSource(seed: number): () => SampleText {
  const random = randomFrom(seed).next;
  const vocabulary = words();
  return () => {
    const count = 2 + Math.floor(random() * MAX_WORDS);
    let text = '';
    for (let i = 0; i < count; i++) {
      text += `${i === 0 ? '' : ' '}${vocabulary[Math.floor(random() ** 3 * WORDS)] ?? ''}`;
    }
    const strong = vocabulary[Math.floor(random() * WORDS)] ?? '';
    return {
      content: `${text} **${strong}**`,
      rendered: `<p>${text} <strong>${strong}</strong></p>`,
    };
  };
}
