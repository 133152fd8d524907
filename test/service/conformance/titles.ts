/** The titles of the tests of a file, read from its source: what really runs cannot be asked without running it. */
import ts from 'typescript';

/** What a title ends in where its test proves something: `a queue can be deleted only once [queues.deleted-once]`. */
const ID = /\[(?<id>[a-z0-9-]+\.[a-z0-9-]+)\]$/;

export const idIn = (title: string): string | undefined => ID.exec(title)?.groups?.['id'];

/** A string, or a template with its placeholders as they are written. */
function textOf(node: ts.Expression | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  return ts.isTemplateExpression(node) ? node.getText().slice(1, -1) : undefined;
}

interface Call {
  readonly root: string;
  /** Names after the root, such as `each` or `skip`. */
  readonly modifiers: readonly string[];
}

/** `test('..')`, `test.each(..)('..')` and their like, down to the name that all starts from. */
function callOf(callee: ts.Expression): Call | undefined {
  const modifiers: string[] = [];
  let node = callee;
  for (;;) {
    if (ts.isIdentifier(node)) return { root: node.text, modifiers };
    if (ts.isPropertyAccessExpression(node)) modifiers.push(node.name.text);
    else if (!ts.isCallExpression(node)) return undefined;
    node = node.expression;
  }
}

const roots: ReadonlySet<string> = new Set(['test', 'it', 'describe']);

/** Tests that are skipped or still to be written prove nothing and are left out. */
export function titlesIn(source: string): readonly string[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const call = callOf(node.expression);
      const title = textOf(node.arguments[0]);
      if (call !== undefined && title !== undefined && roots.has(call.root)) {
        if (call.modifiers.some((name) => name === 'skip' || name === 'todo')) return;
        if (call.root !== 'describe') titles.push(title);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return titles;
}

/** Keys that stand twice in one object literal, of which the second silently wins. */
export function repeatedKeysIn(source: string): readonly string[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const repeated: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const names = node.properties.map((property) =>
        property.name !== undefined &&
        (ts.isStringLiteralLike(property.name) || ts.isIdentifier(property.name))
          ? property.name.text
          : '',
      );
      repeated.push(...names.filter((name, index) => name !== '' && names.indexOf(name) < index));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return repeated;
}
