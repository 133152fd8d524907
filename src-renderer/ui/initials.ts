const HUES = 12;

const first = (word: string | undefined): string =>
  word === undefined ? '' : (Array.from(word)[0] ?? '');

/** First letters of the first and the last name. */
export function initials(name: string): string {
  const words = name
    .trim()
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  const letters = first(words[0]) + (words.length > 1 ? first(words.at(-1)) : '');
  return letters === '' ? '?' : letters.toUpperCase();
}

/** One of twelve hues; neighbours in the list of people differ clearly, and a person keeps theirs. */
export const avatarHue = (userId: number): number => ((userId * 5) % HUES) * (360 / HUES) + 10;
