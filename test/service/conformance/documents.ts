/** The documents that code and tests refer to: their sections, their tables, and what a reference to them looks like. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '#test/support/machine.ts';

export interface Heading {
  readonly title: string;
  /** What a link names behind its `#`, as GitHub makes it of the title. */
  readonly anchor: string;
  /** From the heading to the next one, whatever its level. */
  readonly text: string;
  /** From the heading to the next one of its level or above. */
  readonly whole: string;
}

const HEADING = /^(#+) (.+)$/;

export function headingsIn(markdown: string): readonly Heading[] {
  const lines = markdown.split('\n');
  const found: { readonly line: number; readonly level: number; readonly title: string }[] = [];
  let isCode = false;
  for (const [line, content] of lines.entries()) {
    if (content.startsWith('```')) isCode = !isCode;
    const [, marks = '', title = ''] = HEADING.exec(content) ?? [];
    if (!isCode && marks !== '') found.push({ line, level: marks.length, title });
  }
  const anchors = new Map<string, number>();
  return found.map(({ line, level, title }, index) => {
    const plain = title.toLowerCase().replace(/[^\p{L}\p{N}_ -]/gu, '');
    const base = plain.replaceAll(' ', '-');
    const before = anchors.get(base) ?? 0;
    anchors.set(base, before + 1);
    const rest = found.slice(index + 1);
    const until = (next: { readonly line: number } | undefined): string =>
      lines.slice(line + 1, next?.line).join('\n');
    return {
      title,
      anchor: before === 0 ? base : `${base}-${String(before)}`,
      text: until(rest[0]),
      whole: until(rest.find((other) => other.level <= level)),
    };
  });
}

const documents = {
  specification: 'api/specification.md',
  'API decisions': 'api/decisions.md',
  architecture: 'architecture.md',
} as const;

export type DocumentName = keyof typeof documents;

const headings = new Map(
  (Object.keys(documents) as DocumentName[]).map((name) => {
    const file = join(projectDir, 'docs', documents[name]);
    return [name, headingsIn(readFileSync(file, 'utf8'))] as const;
  }),
);

/** @param part  a number as `7.4`, or a title without one */
export function findHeading(document: DocumentName, part: string): Heading | undefined {
  const isIt = ({ title }: Heading): boolean =>
    title === part || title.startsWith(`${part} `) || title.startsWith(`${part}. `);
  return headings.get(document)?.find(isIt);
}

/** @param document  its name, or its name in a sentence's beginning */
export function documentNamed(document: string): DocumentName {
  const name = document.toLowerCase();
  if (name === 'api decisions') return 'API decisions';
  return name === 'architecture' ? name : 'specification';
}

/** A link from a page in docs/. */
export const linkTo = (document: DocumentName, { anchor }: Heading): string =>
  `${documents[document]}#${anchor}`;

/** The table of `specification 4, GET /messages` and `API decisions 7.1`: document, heading. */
export function tableNamed(name: string): { document: DocumentName; heading: Heading } | undefined {
  const [, document = '', number = '', title] =
    /^(specification|API decisions) ([\d.]+)(?:, (.+))?$/.exec(name) ?? [];
  const known = documentNamed(document);
  const part = title === undefined || title === 'in prose' ? number : title;
  const heading = document === '' ? undefined : findHeading(known, part);
  return heading === undefined ? undefined : { document: known, heading };
}

/** The cells of all tables of a text, without their heads. A bar that is part of a cell is escaped. */
export function cellsIn(text: string): readonly (readonly string[])[] {
  const lines = text.split('\n');
  const isRow = (line: string | undefined): boolean => line?.startsWith('|') ?? false;
  const isRule = (line: string | undefined): boolean => /^\|[-|: ]+\|$/.test(line ?? '');
  return lines
    .filter((line, index) => isRow(line) && !isRule(line) && !isRule(lines[index + 1]))
    .map((line) => line.split(/(?<!\\)\|/).slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()));
}

export interface SectionReference {
  readonly document: DocumentName;
  readonly number: string;
  /** The request that is named behind the number. */
  readonly request: string | undefined;
}

const NUMBER = String.raw`\d+(?:\.\d+)?`;
const REQUEST = String.raw`, (?:(?:GET|POST|PUT|PATCH|DELETE) )?(?<request>/[^\s,;'")\`]*)`;
const REFERENCE = new RegExp(
  String.raw`\b(?<document>API decisions|[Ss]pecification|[Aa]rchitecture) ` +
    String.raw`(?<numbers>${NUMBER}(?:(?:,? and |, (?!\d+(?:\.\d+)? ?(?:MiB|ms|s)\b)| to )${NUMBER})*)` +
    String.raw`(?:${REQUEST})?(?:,? and (?<last>${NUMBER}))?`,
  'g',
);

/** A comment that goes on in the next line is one text. */
const joined = (source: string): string => source.replace(/\n[ \t]*(?:\*|\/\/|--)? ?/g, ' ');

export function referencesIn(source: string): readonly SectionReference[] {
  return [...joined(source).matchAll(REFERENCE)].flatMap(({ groups = {} }) => {
    const all = `${groups['numbers'] ?? ''} ${groups['last'] ?? ''}`;
    const numbers = all.match(new RegExp(NUMBER, 'g')) ?? [];
    const document = documentNamed(groups['document'] ?? '');
    return numbers.map((number, index) => {
      const isBeforeRequest = numbers.length - (groups['last'] === undefined ? 1 : 2) === index;
      return { document, number, request: isBeforeRequest ? groups['request'] : undefined };
    });
  });
}

/** Numbers of sections that do not say of which document, or say it in another way. */
export function vagueReferencesIn(source: string): readonly string[] {
  const vague =
    /(?:\b\w+(?:'s)?,? )?\bsections? \d+(?:\.\d+)?|\bspec \d+|(?<!API )\bdecisions,? \d+(?:\.\d+)?/g;
  const others = /RFC \d+, section [\d.]+/g;
  return joined(source).replace(others, '').match(vague) ?? [];
}
