/** HTML in which every value is text, unless it was made here. */

export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Piece = Html | string | number | readonly Html[];

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (letter) => escapes[letter] ?? letter);

function write(piece: Piece): string {
  if (piece instanceof Html) return piece.text;
  if (typeof piece === 'string' || typeof piece === 'number') return escape(String(piece));
  return piece.map((each) => each.text).join('');
}

export const html = (literals: TemplateStringsArray, ...pieces: readonly Piece[]): Html =>
  new Html(literals.map((literal, index) => literal + write(pieces[index] ?? '')).join(''));

export const nothing = new Html('');
