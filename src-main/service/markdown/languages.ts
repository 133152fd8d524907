/** The languages of code blocks: the name that clients show, the grammar, and what people write after the fence. */
export interface Language {
  readonly name: string;
  /** What the highlighter calls it; absent where there is nothing to highlight. */
  readonly grammar: string | undefined;
}

const LANGUAGES: readonly (readonly [string, string, string])[] = [
  ['Bash', 'bash', 'bash sh shell zsh ksh'],
  ['Bash Session', 'shell', 'console shell-session'],
  ['Batchfile', 'dos', 'bat batch cmd dosbatch'],
  ['C', 'c', 'c h'],
  ['C#', 'csharp', 'c# csharp cs'],
  ['C++', 'cpp', 'c++ cpp cc cxx hpp'],
  ['CMake', 'cmake', 'cmake'],
  ['CSS', 'css', 'css'],
  ['Clojure', 'clojure', 'clojure clj'],
  ['Dart', 'dart', 'dart'],
  ['Diff', 'diff', 'diff patch udiff'],
  ['Docker', 'dockerfile', 'docker dockerfile'],
  ['Elixir', 'elixir', 'elixir ex exs'],
  ['Erlang', 'erlang', 'erlang erl'],
  ['F#', 'fsharp', 'f# fsharp'],
  ['Go', 'go', 'go golang'],
  ['GraphQL', 'graphql', 'graphql gql'],
  ['Groovy', 'groovy', 'groovy'],
  ['HTML', 'xml', 'html htm'],
  ['HTTP', 'http', 'http'],
  ['Haskell', 'haskell', 'haskell hs'],
  ['INI', 'ini', 'ini cfg dosini'],
  ['JSON', 'json', 'json jsonc'],
  ['Java', 'java', 'java'],
  ['JavaScript', 'javascript', 'javascript js jsx mjs cjs node'],
  ['Julia', 'julia', 'julia jl'],
  ['Kotlin', 'kotlin', 'kotlin kt'],
  ['Lua', 'lua', 'lua'],
  ['Makefile', 'makefile', 'makefile make mk'],
  ['Markdown', 'markdown', 'markdown md'],
  ['OCaml', 'ocaml', 'ocaml ml'],
  ['Objective-C', 'objectivec', 'objective-c objectivec objc'],
  ['PHP', 'php', 'php'],
  ['Perl', 'perl', 'perl pl'],
  ['PowerShell', 'powershell', 'powershell pwsh ps1 posh'],
  ['Protocol Buffer', 'protobuf', 'protobuf proto'],
  ['Python', 'python', 'python py python3 py3'],
  ['Python 2.x', 'python', 'python2 py2'],
  ['R', 'r', 'r splus'],
  ['Ruby', 'ruby', 'ruby rb'],
  ['Rust', 'rust', 'rust rs'],
  ['SCSS', 'scss', 'scss'],
  ['SQL', 'sql', 'sql'],
  ['Scala', 'scala', 'scala'],
  ['Swift', 'swift', 'swift'],
  ['TOML', 'ini', 'toml'],
  ['TeX', 'latex', 'tex latex'],
  ['Text only', '', 'text txt plain'],
  ['TypeScript', 'typescript', 'typescript ts tsx'],
  ['XML', 'xml', 'xml svg xsl'],
  ['YAML', 'yaml', 'yaml yml'],
];

/** All of them: one language may hold parts in another. */
export const grammars: ReadonlySet<string> = new Set(
  LANGUAGES.flatMap(([, grammar]) => (grammar === '' ? [] : [grammar])),
);

const byAlias: ReadonlyMap<string, Language> = new Map(
  LANGUAGES.flatMap(([name, grammar, aliases]) => {
    const language = { name, grammar: grammar === '' ? undefined : grammar };
    return aliases.split(' ').map((alias) => [alias, language] as const);
  }),
);

/** The language that a fence names, if it is a known one. */
export function languageOf(info: string): Language | undefined {
  // ```{.python hl_lines="1"} is an older way to write ```python.
  const alias = /^\s*\{?\.?([^\s{}]+)/.exec(info)?.[1];
  return alias === undefined ? undefined : byAlias.get(alias.toLowerCase());
}
