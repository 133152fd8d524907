/** What can stand behind a fence: blocks of the service's Markdown, and the languages that it highlights. */
export const blocks = ['quote', 'spoiler', 'math'] as const;

export const languages: readonly string[] = [
  ...['bash', 'c', 'clojure', 'cmake', 'console', 'cpp', 'csharp', 'css', 'dart', 'diff'],
  ...['docker', 'elixir', 'erlang', 'fsharp', 'go', 'graphql', 'groovy', 'haskell', 'html'],
  ...['http', 'ini', 'java', 'javascript', 'json', 'julia', 'kotlin', 'latex', 'lua'],
  ...['makefile', 'markdown', 'objectivec', 'ocaml', 'perl', 'php', 'powershell', 'protobuf'],
  ...['python', 'r', 'ruby', 'rust', 'scala', 'scss', 'sql', 'swift', 'text', 'toml'],
  ...['typescript', 'xml', 'yaml'],
];

/** What languages are called for short: somebody who typed one is done. */
export const shortNames: readonly string[] = [
  ...['bat', 'cc', 'cfg', 'clj', 'cmd', 'cs', 'cxx', 'ex', 'exs', 'f#', 'c#', 'c++', 'h', 'hpp'],
  ...['hs', 'htm', 'jl', 'js', 'jsx', 'kt', 'md', 'mjs', 'mk', 'node', 'pl', 'proto', 'ps1', 'py'],
  ...['py3', 'rb', 'rs', 'sh', 'svg', 'tex', 'ts', 'tsx', 'txt', 'yml', 'zsh'],
];

/** What people write first of all comes first. */
export const fenceNames: readonly string[] = [...blocks, ...languages];
