import type { StateCore, Token } from 'markdown-it';

/** A part of a text that other tokens take the place of. */
export interface Replacement {
  readonly index: number;
  readonly length: number;
  readonly tokens: readonly Token[];
}

/** Where a text stands among the tokens of its line. */
export interface TextContext {
  readonly isInLink: boolean;
  readonly previous: Token | undefined;
  readonly next: Token | undefined;
}

type FindReplacements = (token: Token, place: TextContext) => readonly Replacement[];

function textToken(state: StateCore, content: string): Token {
  const token = new state.Token('text', '', 0);
  token.content = content;
  return token;
}

export function linkTokens(state: StateCore, href: string, text: string): Token[] {
  const open = new state.Token('link_open', 'a', 1);
  open.attrs = [['href', href]];
  return [open, textToken(state, text), new state.Token('link_close', 'a', -1)];
}

function replaced(state: StateCore, token: Token, replacements: readonly Replacement[]): Token[] {
  const tokens: Token[] = [];
  let done = 0;
  for (const { index, length, tokens: instead } of replacements) {
    if (index > done) tokens.push(textToken(state, token.content.slice(done, index)));
    tokens.push(...instead);
    done = index + length;
  }
  if (done < token.content.length) tokens.push(textToken(state, token.content.slice(done)));
  return tokens;
}

/** Puts other tokens in the place of parts of the texts, which `find` answers in order. */
export function replaceInText(state: StateCore, find: FindReplacements): void {
  for (const block of state.tokens) {
    const children = block.children;
    if (!children) continue;
    block.children = replacedIn(state, children, find);
  }
}

function replacedIn(state: StateCore, line: readonly Token[], find: FindReplacements): Token[] {
  let depth = 0;
  return line.flatMap((token, i) => {
    if (token.type === 'link_open') depth++;
    if (token.type === 'link_close') depth--;
    if (token.type !== 'text') return [token];
    const place = { isInLink: depth > 0, previous: line[i - 1], next: line[i + 1] };
    const replacements = find(token, place);
    return replacements.length === 0 ? [token] : replaced(state, token, replacements);
  });
}
