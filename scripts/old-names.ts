/** Refuses names that were given up: scripts/renames.json says what each is called now. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import renames from './renames.json' with { type: 'json' };
import { projectDir } from './project-dir.ts';

interface Rename {
  /** A file of a folder; a declaration; a member of one, as `Declaration.member` or by itself; words that people read. */
  readonly kind: string;
  /** The folder of a file, or a glob of the files that declare it. */
  readonly in: string;
  readonly old: string;
  readonly new: string;
}

/** By the kind that it is in the table: names as they are declared, members with what they belong to. */
interface Declared {
  readonly symbol: ReadonlySet<string>;
  readonly member: ReadonlySet<string>;
}

const nameOf = (node: ts.Node): string | undefined => {
  const { name } = node as { name?: ts.Node };
  if (name === undefined) return undefined;
  return ts.isIdentifier(name) || ts.isPrivateIdentifier(name) ? name.text : undefined;
};

function declaredIn(text: string, file: string): Declared {
  const symbol = new Set<string>();
  const member = new Set<string>();
  const visit = (node: ts.Node, owner: string | undefined): void => {
    const name = nameOf(node);
    const isMember = ts.isTypeElement(node) || ts.isClassElement(node);
    if (name !== undefined && isMember) {
      member.add(name);
      if (owner !== undefined) member.add(`${owner}.${name}`);
    } else if (
      name !== undefined &&
      (ts.isDeclarationStatement(node) || ts.isVariableDeclaration(node))
    ) {
      symbol.add(name);
    }
    node.forEachChild((child) => visit(child, isMember ? owner : (name ?? owner)));
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false), undefined);
  return { symbol, member };
}

/** The code of a component is in its scripts. */
const codeOf = (file: string, text: string): string =>
  file.endsWith('.svelte')
    ? [...text.matchAll(/<script[^>]*>(.*?)<\/script>/gsu)].map(([, code]) => code).join('\n')
    : text;

const known = new Map<string, { readonly text: string; readonly declared: Declared }>();
function read(file: string) {
  const text = readFileSync(join(projectDir, file), 'utf8');
  const found = known.get(file) ?? { text, declared: declaredIn(codeOf(file, text), file) };
  known.set(file, found);
  return found;
}

const filesOf = (pattern: string): readonly string[] =>
  globSync(pattern, { cwd: projectDir }).filter((file) => /\.(?:ts|svelte)$/.test(file));

/** Where the old name still stands. */
function placesOf({ kind, in: place, old }: Rename): readonly string[] {
  if (kind === 'file') return existsSync(join(projectDir, place, old)) ? [`${place}/${old}`] : [];
  if (kind === 'text') return filesOf('src-*/**').filter((file) => read(file).text.includes(old));
  return filesOf(place).filter((file) => read(file).declared[kind as keyof Declared].has(old));
}

const left = (renames as readonly Rename[]).flatMap((each) =>
  placesOf(each).map((file) => `${file}: ${each.old} is called ${each.new}`),
);
for (const line of left) console.log(line);
if (left.length > 0) process.exitCode = 1;
