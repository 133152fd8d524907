/** The emoji of the picker in rows of one height, so that only those in sight have to be drawn. */
import type { CustomEmoji } from '#shared/bridge/models/client-state.ts';
import {
  emojiCategories,
  searchEmoji,
  toned,
  type CategoryName,
  type ListedEmoji,
  type Tone,
} from '#renderer/lib/writing/emoji-list.ts';
import type { PickedEmoji } from '#renderer/state/compose/emoji-memory.ts';
import { rankOf } from '#renderer/lib/writing/completion.ts';
import { composeWords } from '#renderer/i18n/compose.ts';

export const COLUMNS = 9;

export interface Cell extends PickedEmoji {
  /** Its characters; null for an image. */
  readonly characters: string | null;
  readonly url: string | null;
}

export type SectionName = CategoryName | 'recent' | 'custom' | 'results';

/** What the picker asks of its grid. */
export interface GridHandle {
  readonly focus: () => void;
  readonly showSection: (name: SectionName) => void;
}

export type Row =
  | { readonly kind: 'head'; readonly section: SectionName; readonly label: string }
  | { readonly kind: 'cells'; readonly section: SectionName; readonly cells: readonly Cell[] };

const cellOf = (emoji: ListedEmoji, tone: Tone): Cell => {
  const { code, names, characters } = toned(emoji, tone);
  return { name: names[0] ?? '', code, type: 'unicode_emoji', characters, url: null };
};

const customCell = ({ id, name, url }: CustomEmoji): Cell => ({
  name,
  code: id,
  type: 'realm_emoji',
  characters: null,
  url,
});

function section(name: SectionName, cells: readonly Cell[]): readonly Row[] {
  if (cells.length === 0) return [];
  const { picker } = composeWords;
  const label =
    name in picker.names ? picker.names[name as CategoryName] : picker[name as 'recent'];
  const rows: Row[] = [{ kind: 'head', section: name, label }];
  for (let at = 0; at < cells.length; at += COLUMNS)
    rows.push({ kind: 'cells', section: name, cells: cells.slice(at, at + COLUMNS) });
  return rows;
}

interface Source {
  readonly query: string;
  readonly tone: Tone;
  readonly custom: readonly CustomEmoji[];
  readonly recent: readonly PickedEmoji[];
}

/** What was picked once may be gone since. */
function recentCells({ recent, custom }: Source): readonly Cell[] {
  return recent.flatMap((picked): Cell[] => {
    if (picked.type !== 'realm_emoji') {
      const points = picked.code.split('-').map((point) => Number.parseInt(point, 16));
      if (!points.every((point) => point <= 0x10ffff)) return [];
      return [{ ...picked, characters: String.fromCodePoint(...points), url: null }];
    }
    const known = custom.find(({ id, name }) => id === picked.code && name === picked.name);
    return known === undefined ? [] : [customCell(known)];
  });
}

export function emojiRows(source: Source): readonly Row[] {
  const { query, tone } = source;
  const custom = source.custom.filter(({ isActive }) => isActive);
  if (query.trim() !== '') {
    const own = custom.filter(({ name }) => rankOf(query.replaceAll(':', ''), [name]) !== null);
    const found = searchEmoji(query).map((emoji) => cellOf(emoji, tone));
    return section('results', [...own.map(customCell), ...found]);
  }
  return [
    ...section('recent', recentCells({ ...source, custom })),
    ...section('custom', custom.map(customCell)),
    ...emojiCategories().flatMap(({ name, emoji }) =>
      section(
        name,
        emoji.map((each) => cellOf(each, tone)),
      ),
    ),
  ];
}
