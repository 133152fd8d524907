/** The difference of two rendered messages, shown in the HTML of the newer one (API decisions 5). */
import type { diffArrays } from 'diff';
import { onDemand } from './lazy-packages.ts';

const diff = onDemand('diff') as () => { readonly diffArrays: typeof diffArrays };

/** Beyond so many changed pieces a comparison takes long and shows little: then everything counts as changed. */
export const MAX_CHANGES = 200;
const PIECE = /<[^<>]*>|&[#\w]{1,32};|[\p{L}\p{N}_]+|\s+|[^]/gu;
const FORMULA = '<span class="katex';
const VOID = /^<(?:br|hr|img)\b/;
/** Inside these a browser allows no text. */
const NO_TEXT: ReadonlySet<string> = new Set(['ul', 'ol', 'table', 'thead', 'tbody', 'tr']);

const isTag = (piece: string): boolean => piece.startsWith('<') && piece.length > 1;
const isOpening = (piece: string): boolean =>
  isTag(piece) && !piece.startsWith('</') && !VOID.test(piece) && !piece.endsWith('/>');
const isClosing = (piece: string): boolean => piece.startsWith('</');
const tagName = (piece: string): string => /^<\/?([a-z0-9]+)/i.exec(piece)?.[1] ?? '';

/** Tags, words, entities, blanks and single signs. A formula is one piece: a part of one means nothing. */
function piecesOf(html: string): string[] {
  const pieces: string[] = [];
  let depth = 0;
  for (const [piece] of html.matchAll(PIECE)) {
    const isInside = depth > 0;
    if (isInside || piece.startsWith(FORMULA)) {
      if (isOpening(piece)) depth += 1;
      else if (isClosing(piece)) depth -= 1;
    }
    if (isInside) pieces.push((pieces.pop() ?? '') + piece);
    else pieces.push(piece);
  }
  return pieces;
}

interface Change {
  readonly value: readonly string[];
  readonly added: boolean;
  readonly removed: boolean;
}

function changesOf(
  before: readonly string[],
  after: readonly string[],
  maxEditLength: number,
): readonly Change[] {
  const changes = diff().diffArrays([...before], [...after], { maxEditLength });
  // The library answers undefined when it gave up.
  return (
    (changes as readonly Change[] | undefined) ?? [
      { value: before, added: false, removed: true },
      { value: after, added: true, removed: false },
    ]
  );
}

const isMarkup = (piece: string): boolean => isTag(piece) && !piece.startsWith(FORMULA);

/** Writes the new version piece by piece, with marks around runs of text: never around a tag, so all stay paired. */
class DiffWriter {
  #html = '';
  #removed = '';
  #added = '';
  readonly #open: string[] = [];

  keep(piece: string): void {
    this.#flush();
    this.#write(piece);
  }

  add(piece: string): void {
    if (!isMarkup(piece)) this.#added += piece;
    else this.keep(piece);
  }

  /** Only what could be read: the tags of the older version have no place in the newer one. */
  remove(piece: string): void {
    if (isMarkup(piece)) return;
    if (this.#added !== '') this.#flush();
    this.#removed += piece;
  }

  end(): string {
    this.#flush();
    return this.#html;
  }

  #write(piece: string): void {
    this.#html += piece;
    if (piece.startsWith(FORMULA)) return;
    if (isOpening(piece)) this.#open.push(tagName(piece));
    else if (isClosing(piece)) this.#open.pop();
  }

  #flush(): void {
    if (!NO_TEXT.has(this.#open.at(-1) ?? '')) {
      this.#removed = this.#mark('deleted', this.#removed);
    }
    this.#added = this.#mark('inserted', this.#added);
  }

  /** Blanks alone would be marks that nobody sees. @returns what is left to mark: nothing */
  #mark(kind: 'inserted' | 'deleted', text: string): string {
    const isSeen = text.trim() !== '';
    if (isSeen) this.#html += `<span class="highlight_text_${kind}">${text}</span>`;
    else if (kind === 'inserted') this.#html += text;
    return '';
  }
}

/**
 * The HTML of the newer version with what was inserted and what was deleted in spans of the classes
 * `highlight_text_inserted` and `highlight_text_deleted`. Without the deleted spans and with the inserted ones
 * unwrapped it is the newer version, to the letter.
 */
export function markChanges(before: string, after: string, maxChanges = MAX_CHANGES): string {
  const marked = new DiffWriter();
  for (const { value, added, removed } of changesOf(
    piecesOf(before),
    piecesOf(after),
    maxChanges,
  )) {
    for (const piece of value) {
      if (removed) marked.remove(piece);
      else if (added) marked.add(piece);
      else marked.keep(piece);
    }
  }
  return marked.end();
}
