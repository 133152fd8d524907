/** An eslint rule: no code goes by the words of a failure or of a catalogue, which may be reworded and translated. */
import type { Rule, Scope } from 'eslint';
import ts from 'typescript';

interface Node {
  readonly type: string;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const valueOf = (node: Node, key: string): unknown => (node as Node & Record<string, unknown>)[key];

function child(node: Node, key: string): Node | undefined {
  const value = valueOf(node, key);
  return isNode(value) ? value : undefined;
}

function children(node: Node, key: string): readonly Node[] {
  const value = valueOf(node, key);
  return (Array.isArray(value) ? value : [value]).filter(isNode);
}

/** What a member, a property or an identifier is called, where that is plain to see. */
function nameOf(node: Node | undefined): string | undefined {
  if (node?.type === 'Identifier') return String(valueOf(node, 'name'));
  if (node?.type === 'Literal') return String(valueOf(node, 'value'));
  if (node?.type !== 'MemberExpression') return undefined;
  const property = child(node, 'property');
  const isPlain = valueOf(node, 'computed') !== true || property?.type === 'Literal';
  return isPlain ? nameOf(property) : undefined;
}

const texts: ReadonlySet<string | undefined> = new Set(['message', 'msg']);
const errors: ReadonlySet<string | undefined> = new Set(
  'cause err error failure problem reason refusal'.split(' '),
);
/** What gives a text that says the same. */
const conversions: ReadonlySet<string | undefined> = new Set(
  'at charAt normalize replace replaceAll slice split substring toLowerCase toString toUpperCase trim trimEnd trimStart'.split(
    ' ',
  ),
);
/** `String(error)`, and the runes. */
const isConverter = (name: string): boolean => name === 'String' || name.startsWith('$');
const comparisonsOfText: ReadonlySet<string | undefined> = new Set(
  'endsWith includes indexOf lastIndexOf localeCompare match matchAll search startsWith'.split(' '),
);
const comparisonsWithText: ReadonlySet<string | undefined> = new Set(
  'endsWith exec get has hasOwn includes indexOf lastIndexOf localeCompare startsWith test'.split(
    ' ',
  ),
);
const comparing: ReadonlySet<unknown> = new Set(['===', '!==', '==', '!=', '<', '>', '<=', '>=']);
/** Where the text of an expression is to be found. */
const parts: Readonly<Record<string, readonly string[]>> = {
  ChainExpression: ['expression'],
  ConditionalExpression: ['consequent', 'alternate'],
  LogicalExpression: ['left', 'right'],
  TemplateLiteral: ['expressions'],
  TSAsExpression: ['expression'],
  TSNonNullExpression: ['expression'],
  TSSatisfiesExpression: ['expression'],
};
const CATALOGUE = /(?:^|[/#])i18n\//;

/** Whether there is any text at all may be asked. */
const isNothing = (node: Node | undefined): boolean =>
  nameOf(node) === 'undefined' ||
  (node?.type === 'Literal' && ['', null].includes(valueOf(node, 'value') as string | null));

class Texts {
  readonly #context: Rule.RuleContext;

  constructor(context: Rule.RuleContext) {
    this.#context = context;
  }

  /** Whether the expression is words of a failure or of a catalogue. */
  has(node: Node | undefined): boolean {
    if (node === undefined) return false;
    const inner = parts[node.type];
    if (inner !== undefined) {
      return inner.some((key) => children(node, key).some((each) => this.has(each)));
    }
    if (node.type === 'Identifier') return this.#isNamed(node);
    if (node.type === 'CallExpression') return this.#isSpoken(node);
    const isMember = texts.has(nameOf(node)) || this.#isOfCatalogue(node);
    return node.type === 'MemberExpression' && isMember && this.#isText(node);
  }

  /** Whether a call gives such words. */
  #isSpoken(call: Node): boolean {
    const callee = child(call, 'callee');
    if (callee === undefined) return false;
    const name = nameOf(callee) ?? '';
    const [first] = children(call, 'arguments');
    const isConverted =
      callee.type === 'MemberExpression'
        ? conversions.has(name) && this.#isConverted(child(callee, 'object'), name === 'toString')
        : isConverter(name) && this.#isConverted(first, name === 'String');
    return isConverted || (this.#isOfCatalogue(callee) && this.#isText(call));
  }

  /** @param isWhole  a failure as a whole is turned into text */
  #isConverted(node: Node | undefined, isWhole: boolean): boolean {
    return this.has(node) || (isWhole && errors.has(nameOf(node)));
  }

  #isNamed(identifier: Node): boolean {
    const definition = this.#definitionOf(identifier);
    if (texts.has(nameOf(identifier))) return this.#isText(identifier);
    if (definition === undefined) return false;
    if (isImported(definition)) return this.#isText(identifier);
    const parent = child(definition.name, 'parent');
    if (parent?.type === 'Property' && texts.has(nameOf(child(parent, 'key')))) {
      return this.#isText(identifier);
    }
    return this.has(initOf(definition));
  }

  /** `words`, `words.of.something` and what they give when they are called. */
  #isOfCatalogue(node: Node): boolean {
    if (node.type === 'MemberExpression') {
      const object = child(node, 'object');
      return object !== undefined && this.#isOfCatalogue(object);
    }
    if (node.type !== 'Identifier') return false;
    const definition = this.#definitionOf(node);
    if (definition === undefined) return false;
    const init = initOf(definition);
    return isImported(definition) || (init !== undefined && this.#isOfCatalogue(init));
  }

  #definitionOf(identifier: Node): Scope.Definition | undefined {
    const name = nameOf(identifier) ?? '';
    let scope: Scope.Scope | null = this.#context.sourceCode.getScope(identifier as Rule.Node);
    for (; scope !== null; scope = scope.upper) {
      const variable = scope.set.get(name);
      if (variable !== undefined) return variable.defs[0];
    }
    return undefined;
  }

  /** Chat messages are called messages, too: where types are known, they tell. */
  #isText(node: Node): boolean {
    const services = this.#context.sourceCode.parserServices as {
      readonly program?: ts.Program | null;
      readonly esTreeNodeToTSNodeMap?: { readonly get: (node: Node) => ts.Node | undefined };
    };
    const known = services.esTreeNodeToTSNodeMap?.get(node);
    const checker = services.program?.getTypeChecker();
    if (known === undefined || checker === undefined) return true;
    const type = checker.getTypeAtLocation(known);
    const all = type.isUnion() ? type.types : [type];
    return all.some(({ flags }) => (flags & ts.TypeFlags.StringLike) !== 0);
  }
}

const isImported = (definition: Scope.Definition): boolean =>
  definition.type === 'ImportBinding' && CATALOGUE.test(String(definition.parent.source.value));

/** What a constant was made of. */
function initOf(definition: Scope.Definition): Node | undefined {
  if (definition.type !== 'Variable' || definition.parent.kind !== 'const') return undefined;
  const { id, init } = definition.node;
  return id.type === 'Identifier' ? (init ?? undefined) : undefined;
}

export const errorText: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      words: 'Go by the code or the cause of a failure, not by words: they may be reworded.',
    },
  },
  create(context) {
    const words = new Texts(context);
    const report = (node: Rule.Node): void => {
      context.report({ node, messageId: 'words' });
    };
    return {
      BinaryExpression(node) {
        const { operator, left, right } = node;
        if (operator === 'in' ? words.has(left) : isCompared(operator, left, right)) report(node);
      },
      SwitchStatement(node) {
        if (words.has(node.discriminant)) report(node);
      },
      SwitchCase(node) {
        if (node.test && words.has(node.test)) report(node);
      },
      MemberExpression(node) {
        if (node.computed && words.has(node.property)) report(node);
      },
      CallExpression(node) {
        const { callee } = node;
        if (callee.type !== 'MemberExpression') return;
        const name = nameOf(callee);
        const isCompared =
          (comparisonsOfText.has(name) && words.has(callee.object)) ||
          (comparisonsWithText.has(name) && node.arguments.some((each) => words.has(each)));
        if (isCompared) report(node);
      },
    };

    function isCompared(operator: string, left: Node, right: Node): boolean {
      if (!comparing.has(operator) || isNothing(left) || isNothing(right)) return false;
      return words.has(left) || words.has(right);
    }
  },
};
