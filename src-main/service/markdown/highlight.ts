import type { LanguageFn } from 'highlight.js';
import hljs from 'highlight.js/lib/core';
import { grammars } from './languages.ts';
import { onDemand } from './lazy-packages.ts';

for (const name of grammars) {
  const load = onDemand(`highlight.js/lib/languages/${name}`);
  hljs.registerLanguage(name, load() as LanguageFn);
}

/** Highlighter's scopes as short pygments classes; a scope without one leaves its text unmarked. */
const CLASSES: Readonly<Record<string, string>> = {
  keyword: 'k',
  built_in: 'nb',
  type: 'kt',
  literal: 'kc',
  operator: 'o',
  punctuation: 'p',
  string: 's',
  regexp: 'sr',
  subst: 'si',
  symbol: 'ss',
  char: 'se',
  doctag: 'cs',
  meta: 'cp',
  title: 'n',
  function_: 'nf',
  class_: 'nc',
  variable: 'nv',
  language_: 'bp',
  constant_: 'no',
  property: 'n',
  attr: 'na',
  attribute: 'na',
  name: 'nt',
  section: 'gh',
  bullet: 'k',
  code: 'sb',
  emphasis: 'ge',
  strong: 'gs',
  quote: 'c',
  link: 'l',
  formula: 'm',
  addition: 'gi',
  deletion: 'gd',
  'selector-tag': 'nt',
  'selector-class': 'nc',
  'selector-id': 'nn',
  'selector-attr': 'na',
  'selector-pseudo': 'nd',
  'template-tag': 'cp',
  'template-variable': 'nv',
};
const IMPORTS = /^(?:from|import|include|require|use|using|package|namespace|module|extern crate)$/;

function numberClass(text: string): string {
  if (/^[-+]?0x/i.test(text)) return 'mh';
  return /[.]|\de/i.test(text) ? 'mf' : 'mi';
}

function commentClass(text: string): string {
  if (/^(?:\/\*|\(\*|\{-|<!|&lt;!)/.test(text)) return 'cm';
  return /^(?:\/\/|#|--|;|%)/.test(text) ? 'c1' : 'c';
}

/** The class of an element, by its scopes and the text that it starts with. */
function classOf(scopes: string, text: string): string | undefined {
  const names = scopes.split(' ').map((name) => name.replace(/^hljs-/, ''));
  const [scope = ''] = names;
  if (scope === 'number') return numberClass(text);
  if (scope === 'comment') return commentClass(text);
  if (scope === 'keyword' && IMPORTS.test(text)) return 'kn';
  if (scope === 'meta' && text.startsWith('@')) return 'nd';
  const subscope = names.slice(1).find((name) => CLASSES[name] !== undefined);
  return CLASSES[subscope ?? scope];
}

const TAG = /<span class="([^"]*)">([^<]*)|<\/span>/g;

function withShortClasses(html: string): string {
  const isMarked: boolean[] = [];
  return html.replace(TAG, (_, scopes: string | undefined, text = '') => {
    if (scopes === undefined) return isMarked.pop() === true ? '</span>' : '';
    const name = classOf(scopes, String(text));
    isMarked.push(name !== undefined);
    return name === undefined ? String(text) : `<span class="${name}">${String(text)}`;
  });
}

/** Code as escaped HTML with its parts marked. */
export function highlight(code: string, grammar: string): string {
  const { value } = hljs.highlight(code, { language: grammar, ignoreIllegals: true });
  return withShortClasses(value).replaceAll('&quot;', '"').replaceAll('&#x27;', "'");
}
