import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import clojure from 'highlight.js/lib/languages/clojure';
import cmake from 'highlight.js/lib/languages/cmake';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import dart from 'highlight.js/lib/languages/dart';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import dos from 'highlight.js/lib/languages/dos';
import elixir from 'highlight.js/lib/languages/elixir';
import erlang from 'highlight.js/lib/languages/erlang';
import fsharp from 'highlight.js/lib/languages/fsharp';
import go from 'highlight.js/lib/languages/go';
import graphql from 'highlight.js/lib/languages/graphql';
import groovy from 'highlight.js/lib/languages/groovy';
import haskell from 'highlight.js/lib/languages/haskell';
import http from 'highlight.js/lib/languages/http';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import julia from 'highlight.js/lib/languages/julia';
import kotlin from 'highlight.js/lib/languages/kotlin';
import latex from 'highlight.js/lib/languages/latex';
import lua from 'highlight.js/lib/languages/lua';
import makefile from 'highlight.js/lib/languages/makefile';
import markdown from 'highlight.js/lib/languages/markdown';
import objectivec from 'highlight.js/lib/languages/objectivec';
import ocaml from 'highlight.js/lib/languages/ocaml';
import perl from 'highlight.js/lib/languages/perl';
import php from 'highlight.js/lib/languages/php';
import powershell from 'highlight.js/lib/languages/powershell';
import protobuf from 'highlight.js/lib/languages/protobuf';
import python from 'highlight.js/lib/languages/python';
import r from 'highlight.js/lib/languages/r';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import scala from 'highlight.js/lib/languages/scala';
import scss from 'highlight.js/lib/languages/scss';
import shell from 'highlight.js/lib/languages/shell';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

const grammars = {
  bash,
  c,
  clojure,
  cmake,
  cpp,
  csharp,
  css,
  dart,
  diff,
  dockerfile,
  dos,
  elixir,
  erlang,
  fsharp,
  go,
  graphql,
  groovy,
  haskell,
  http,
  ini,
  java,
  javascript,
  json,
  julia,
  kotlin,
  latex,
  lua,
  makefile,
  markdown,
  objectivec,
  ocaml,
  perl,
  php,
  powershell,
  protobuf,
  python,
  r,
  ruby,
  rust,
  scala,
  scss,
  shell,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};
for (const [name, grammar] of Object.entries(grammars)) hljs.registerLanguage(name, grammar);

/** Highlighter's scopes as short pygments classes; a scope without one leaves its text unmarked. */
const CLASSES: Readonly<Record<string, string>> = {
  ...{ keyword: 'k', built_in: 'nb', type: 'kt', literal: 'kc', operator: 'o', punctuation: 'p' },
  ...{ string: 's', regexp: 'sr', subst: 'si', symbol: 'ss', char: 'se', doctag: 'cs' },
  ...{ meta: 'cp', title: 'n', function_: 'nf', class_: 'nc', variable: 'nv', language_: 'bp' },
  ...{ constant_: 'no', property: 'n', attr: 'na', attribute: 'na', name: 'nt', section: 'gh' },
  ...{ bullet: 'k', code: 'sb', emphasis: 'ge', strong: 'gs', quote: 'c', link: 'l', formula: 'm' },
  ...{ addition: 'gi', deletion: 'gd', 'selector-tag': 'nt', 'selector-class': 'nc' },
  ...{ 'selector-id': 'nn', 'selector-attr': 'na', 'selector-pseudo': 'nd' },
  ...{ 'template-tag': 'cp', 'template-variable': 'nv' },
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
