/** What somebody picked last, and the skin tone they chose; of this computer, like the look of the window. */
import type { Tone } from '#renderer/lib/writing/emoji-list.ts';

export interface PickedEmoji {
  readonly name: string;
  readonly code: string;
  readonly type: string;
}

const KEY = 'hearth.emoji';
const MOST = 18;

interface Memory {
  readonly recent: readonly PickedEmoji[];
  readonly tone: Tone;
}

const isPicked = (value: unknown): value is PickedEmoji =>
  typeof value === 'object' &&
  value !== null &&
  ['name', 'code', 'type'].every(
    (key) => typeof (value as Record<string, unknown>)[key] === 'string',
  );

const isTone = (value: unknown): value is Tone =>
  typeof value === 'number' && [0, 1, 2, 3, 4, 5].includes(value);

/** What another version wrote down, or nobody, is nothing. */
export function readEmojiMemory(storage: Pick<Storage, 'getItem'> = localStorage): Memory {
  try {
    const read = JSON.parse(storage.getItem(KEY) ?? '{}') as Record<string, unknown>;
    const { recent, tone } = read;
    return {
      recent: Array.isArray(recent) ? recent.filter(isPicked).slice(0, MOST) : [],
      tone: isTone(tone) ? tone : 0,
    };
  } catch {
    return { recent: [], tone: 0 };
  }
}

function write(memory: Memory): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(memory));
  } catch {
    // A page without storage forgets; nothing else depends on it.
  }
}

export function rememberPick(picked: PickedEmoji): void {
  const { recent, tone } = readEmojiMemory();
  const others = recent.filter(({ code, type }) => code !== picked.code || type !== picked.type);
  write({ tone, recent: [picked, ...others].slice(0, MOST) });
}

export const rememberTone = (tone: Tone): void => write({ ...readEmojiMemory(), tone });
