/**
 * Text that is hard on regular expressions. It is derived from every literal in the sources: a literal with a
 * repetition gets what leads to the repetition, then each kind of character that the repetition takes.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import {
  createSourceFile,
  forEachChild,
  isRegularExpressionLiteral,
  type Node,
  ScriptTarget,
} from 'typescript';
import { isLong } from '../long.ts';
import { projectDir } from '../machine.ts';

export interface Attack {
  /** What leads an expression to its repetition; empty for most. */
  readonly prefix: string;
  /** What is repeated. */
  readonly unit: string;
  /** Each place meets it; the others were made for one expression. */
  readonly isGeneral: boolean;
}

/** One of each kind that the expressions tell apart; the first that fits stands for a class. */
const characters = [
  ...['a', ' ', '0', '\n', 'A', '\t', '-', '_', '.', ',', ';', ':', '=', '"', "'", '`', '\\', '/'],
  ...[
    '<',
    '>',
    '[',
    ']',
    '(',
    ')',
    '{',
    '}',
    '*',
    '|',
    '@',
    '#',
    '~',
    '$',
    '%',
    '&',
    '+',
    '!',
    '?',
  ],
  ...['\r', '\0', 'é', '漢', '\u0301', '😀', '\u200d', '\ufe0f'],
];
/** A class of many kinds of character is attacked by as many of them. */
const KINDS = 3;

/** Pairs of which an expression sees one, and a parser the beginning of something. */
const pairs = [
  ...[
    'a,',
    'a\n',
    ', ',
    ' "',
    '\\"',
    '](',
    '[a',
    '**',
    '<a',
    '<a>',
    '; a=',
    '";',
    'a@a.a,',
    '"a",',
  ],
  ...[
    '{"a":',
    '[[',
    '![a](',
    '> ',
    '- ',
    '=?',
    'a=',
    '%41',
    '\r\n',
    'aA',
    'a ',
    '\n ',
    '&a;',
    '--',
  ],
];

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return /\.(?:ts|svelte)$/.test(entry.name) ? [path] : [];
  });
}

const scriptOf = (file: string, text: string): string =>
  file.endsWith('.svelte') ? (/<script[^>]*>([^]*?)<\/script>/.exec(text)?.[1] ?? '') : text;

function literalsIn(file: string): readonly string[] {
  const source = createSourceFile(
    file,
    scriptOf(file, readFileSync(file, 'utf8')),
    ScriptTarget.Latest,
  );
  const found: string[] = [];
  const visit = (node: Node): void => {
    if (isRegularExpressionLiteral(node)) found.push(node.text);
    forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Characters of a class or set, of different kinds. */
function membersOf(node: AST.QuantifiableElement | AST.Element, flags: string): readonly string[] {
  const expression = new RegExp(`^(?:${node.raw})$`, flags.replace(/[gy]/g, ''));
  return characters.filter((each) => expression.test(each)).slice(0, KINDS);
}

/** The shortest text that an element takes, or nearly. */
function sampleOf(node: AST.Element, flags: string): string {
  switch (node.type) {
    case 'Character':
      return String.fromCodePoint(node.value);
    case 'CharacterSet':
    case 'CharacterClass':
    case 'ExpressionCharacterClass':
      return membersOf(node, flags)[0] ?? '';
    case 'Group':
    case 'CapturingGroup':
      return (node.alternatives[0]?.elements ?? []).map((each) => sampleOf(each, flags)).join('');
    case 'Quantifier':
      return sampleOf(node.element, flags).repeat(Math.min(Math.max(node.min, 1), 100, node.max));
    default:
      return '';
  }
}

/** What stands before an element, up to the beginning of the expression. */
function leadTo(node: AST.Node, flags: string): string {
  const { parent } = node;
  if (parent === null) return '';
  const before =
    parent.type === 'Alternative'
      ? parent.elements.slice(0, parent.elements.indexOf(node as AST.Element))
      : [];
  return leadTo(parent, flags) + before.map((each) => sampleOf(each, flags)).join('');
}

const isRepeated = ({ min, max }: AST.Quantifier): boolean => max > 20 && max > min;

function unitsOf({ element }: AST.Quantifier, flags: string): readonly string[] {
  const members =
    element.type === 'Group' || element.type === 'CapturingGroup'
      ? element.alternatives.map(({ elements }) =>
          elements.map((each) => sampleOf(each, flags)).join(''),
        )
      : membersOf(element, flags);
  return members.filter((unit) => unit !== '');
}

function attacksOn(literal: string): readonly Attack[] {
  const { pattern, flags } = new RegExpParser().parseLiteral(literal);
  const found: Attack[] = [];
  visitRegExpAST(pattern, {
    onQuantifierEnter(node) {
      if (!isRepeated(node)) return;
      const prefix = leadTo(node, flags.raw).slice(0, 200);
      for (const unit of unitsOf(node, flags.raw)) {
        found.push({ prefix, unit, isGeneral: false });
        // Expressions that are not anchored begin anew at each of these.
        if (prefix !== '') found.push({ prefix: '', unit: prefix, isGeneral: false });
      }
    },
  });
  return found;
}

const literalsByFolder = new Map<string, readonly string[]>();

/** The sources do not change under a run. */
function literalsBelow(folder: string): readonly string[] {
  const known = literalsByFolder.get(folder);
  if (known !== undefined) return known;
  const found = filesIn(join(projectDir, folder)).flatMap(literalsIn);
  literalsByFolder.set(folder, found);
  return found;
}

/** @param folders  of sources, relative to the project */
export function attacksIn(...folders: readonly string[]): readonly Attack[] {
  const literals = new Set(folders.flatMap(literalsBelow));
  const all = [
    ...[...characters, ...pairs].map((unit): Attack => ({ prefix: '', unit, isGeneral: true })),
    ...[...literals].flatMap(attacksOn),
  ];
  const known = new Set<string>();
  return all.filter(({ prefix, unit }) => {
    const text = JSON.stringify([prefix, unit]);
    const isNew = !known.has(text);
    known.add(text);
    return isNew;
  });
}

/** What nothing that repeats goes on with; the second ends a line as well. */
const breakers = ['\u00a1', '\n\0'] as const;

/** So many characters of it, and what ends the repetition. */
export function textOf(
  { prefix, unit }: Pick<Attack, 'prefix' | 'unit'>,
  length: number,
  which = 0,
): string {
  const breaker = breakers[which % breakers.length]!;
  const room = length - prefix.length - breaker.length;
  return `${prefix}${unit.repeat(Math.max(0, Math.floor(room / unit.length)))}${breaker}`;
}

/**
 * In the short form a place meets a share of the attacks, and another place another one; in the long form all of them.
 * @param oneOf  general attacks and others: one of so many is taken
 */
export function shareOf(
  attacks: readonly Attack[],
  place: number,
  { general = 1, others = 96 }: { readonly general?: number; readonly others?: number } = {},
): readonly Attack[] {
  if (isLong) return attacks;
  return attacks.filter(({ isGeneral }, index) => {
    const oneOf = isGeneral ? general : others;
    return index % oneOf === place % oneOf;
  });
}

export const shown = ({ prefix, unit }: Attack): string =>
  `${prefix === '' ? '' : `${JSON.stringify(prefix.slice(0, 60))} + `}${JSON.stringify(unit.slice(0, 60))} repeated`;
