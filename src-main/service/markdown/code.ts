import type { StateInline, Token } from 'markdown-it';

// Display name, then what people write after the fence.
const LANGUAGES: readonly (readonly [string, string])[] = [
  ['Bash', 'bash sh shell zsh ksh'],
  ['Bash Session', 'console shell-session'],
  ['Batchfile', 'bat batch cmd dosbatch'],
  ['C', 'c h'],
  ['C#', 'c# csharp cs'],
  ['C++', 'c++ cpp cc cxx hpp'],
  ['CMake', 'cmake'],
  ['CSS', 'css'],
  ['Clojure', 'clojure clj'],
  ['Dart', 'dart'],
  ['Diff', 'diff patch udiff'],
  ['Docker', 'docker dockerfile'],
  ['Elixir', 'elixir ex exs'],
  ['Erlang', 'erlang erl'],
  ['F#', 'f# fsharp'],
  ['Go', 'go golang'],
  ['GraphQL', 'graphql gql'],
  ['Groovy', 'groovy'],
  ['HTML', 'html htm'],
  ['HTTP', 'http'],
  ['Haskell', 'haskell hs'],
  ['INI', 'ini cfg dosini'],
  ['JSON', 'json jsonc'],
  ['Java', 'java'],
  ['JavaScript', 'javascript js jsx mjs cjs node'],
  ['Julia', 'julia jl'],
  ['Kotlin', 'kotlin kt'],
  ['Lua', 'lua'],
  ['Makefile', 'makefile make mk'],
  ['Markdown', 'markdown md'],
  ['OCaml', 'ocaml ml'],
  ['Objective-C', 'objective-c objectivec objc'],
  ['PHP', 'php'],
  ['Perl', 'perl pl'],
  ['PowerShell', 'powershell pwsh ps1 posh'],
  ['Protocol Buffer', 'protobuf proto'],
  ['Python', 'python py python3 py3'],
  ['Python 2.x', 'python2 py2'],
  ['R', 'r splus'],
  ['Ruby', 'ruby rb'],
  ['Rust', 'rust rs'],
  ['SCSS', 'scss'],
  ['SQL', 'sql'],
  ['Scala', 'scala'],
  ['Swift', 'swift'],
  ['TOML', 'toml'],
  ['TeX', 'tex latex'],
  ['Text only', 'text txt plain'],
  ['TypeScript', 'typescript ts tsx'],
  ['XML', 'xml svg xsl'],
  ['YAML', 'yaml yml'],
];
const byAlias: ReadonlyMap<string, string> = new Map(
  LANGUAGES.flatMap(([name, aliases]) => aliases.split(' ').map((alias) => [alias, name])),
);

function languageOf(info: string): string | undefined {
  // ```{.python hl_lines="1"} is an older way to write ```python.
  const alias = /^\s*\{?\.?([^\s{}]+)/.exec(info)?.[1];
  return alias === undefined ? undefined : byAlias.get(alias.toLowerCase());
}

export function writeCodeBlock(token: Token, escape: (text: string) => string): string {
  const language = languageOf(token.info);
  const attribute = language === undefined ? '' : ` data-code-language="${escape(language)}"`;
  // A fence that the end of the message closes has lost its last line break.
  const content = token.content.replace(/[^\n]$/, '$&\n');
  const code = `<pre><span></span><code>${escape(content)}</code></pre>`;
  return `<div class="codehilite"${attribute}>${code}</div>\n`;
}

function runEnd(src: string, from: number, max: number): number {
  let pos = from;
  while (pos < max && src.charCodeAt(pos) === 0x60) pos++;
  return pos;
}

/** Where the next run of exactly as many backticks starts, or -1. */
function findCloser(state: StateInline, from: number, length: number): number {
  const { src, posMax } = state;
  // Lengths known to have no closer from a position on: without this, runs that never close would
  // be searched for again and again.
  const hopeless = state.backticks[length];
  if (hopeless !== undefined && from >= hopeless) return -1;
  for (let at = src.indexOf('`', from); at >= 0 && at < posMax; at = src.indexOf('`', at)) {
    const end = runEnd(src, at, posMax);
    if (end - at === length) return at;
    at = end;
  }
  if (posMax === src.length) state.backticks[length] = from;
  return -1;
}

/** `` `code` `` with the content untouched, blanks and line breaks included. */
export function codeSpanRule(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x60) return false;
  const start = runEnd(state.src, state.pos, state.posMax);
  const length = start - state.pos;
  const close = findCloser(state, start, length);
  if (close < 0) {
    if (!silent) state.pending += state.src.slice(state.pos, start);
    state.pos = start;
    return true;
  }
  if (!silent) state.push('code_inline', 'code', 0).content = state.src.slice(start, close);
  state.pos = close + length;
  return true;
}
