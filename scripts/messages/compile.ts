/** Messages in ICU form as a typed module of strings and functions, so that no parser runs where they are shown. */
import {
  isArgumentElement,
  isDateElement,
  isLiteralElement,
  isNumberElement,
  isPluralElement,
  isPoundElement,
  isSelectElement,
  isTimeElement,
  type MessageFormatElement,
  parse,
  type PluralElement,
  type SelectElement,
} from '@formatjs/icu-messageformat-parser';
import { format, type Options } from 'prettier';

interface Target {
  readonly locale: string;
  /** The name of the catalogue. */
  readonly source: string;
  readonly options: Options;
}

/** What is known while one message is compiled. */
interface Scope {
  readonly locale: string;
  /** TypeScript types of the values, by their names. */
  readonly values: Map<string, string>;
  /** Names of the functions that it calls. */
  readonly calls: Set<string>;
  /** What `#` stands for. */
  readonly pound: string;
}

const quoted = (text: string): string =>
  `'${text.replaceAll(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`;
const escaped = (text: string): string => text.replaceAll(/[`\\]|\$\{/g, '\\$&');

function use(scope: Scope, name: string, type: string): string {
  const known = scope.values.get(name);
  if (known !== undefined && known !== type && type !== ANY) {
    if (known !== ANY) throw new Error(`{${name}} is both ${known} and ${type}`);
  }
  if (known === undefined || known === ANY) scope.values.set(name, type);
  return `values.${name}`;
}

const ANY = 'string | number';

function call(scope: Scope, name: string, ...args: readonly string[]): string {
  scope.calls.add(name);
  return `${name}(${[quoted(scope.locale), ...args].join(', ')})`;
}

const numberStyles: Readonly<Record<string, object>> = {
  integer: { maximumFractionDigits: 0 },
  percent: { style: 'percent' },
};

/** The options of `Intl` for a style such as `percent`, or a skeleton such as `::compact-short`. */
function optionsOf(style: unknown, named: (name: string) => object | undefined): readonly string[] {
  if (style === null || style === undefined) return [];
  if (typeof style === 'object' && 'parsedOptions' in style) {
    return [JSON.stringify(style.parsedOptions)];
  }
  const options = typeof style === 'string' ? named(style) : undefined;
  if (options === undefined) throw new Error(`unknown style ${JSON.stringify(style)}`);
  return [JSON.stringify(options)];
}

const lengths = ['short', 'medium', 'long', 'full'];
const lengthOf =
  (key: 'dateStyle' | 'timeStyle') =>
  (name: string): object | undefined =>
    lengths.includes(name) ? { [key]: name } : undefined;

function branchesOf(
  options: PluralElement['options'],
  scope: Scope,
): { readonly named: readonly (readonly [string, string])[]; readonly other: string } {
  const { other, ...others } = options;
  if (other === undefined) throw new Error('a choice needs other');
  const named = Object.entries(others).map(
    ([key, { value }]) => [key, expression(value, scope)] as const,
  );
  return { named, other: expression(other.value, scope) };
}

function select({ value, options }: SelectElement, scope: Scope): string {
  const { named, other } = branchesOf(options, scope);
  const members = named.map(([key, text]) => `${quoted(key)}: ${text}`).join(', ');
  scope.calls.add('select');
  return `select(${use(scope, value, 'string')}, { ${members} }, ${other})`;
}

function plural(element: PluralElement, scope: Scope): string {
  const { value, offset, pluralType, options } = element;
  const name = use(scope, value, 'number');
  const counted = offset === 0 ? name : `${name} - ${String(offset)}`;
  const { named, other } = branchesOf(options, { ...scope, pound: counted });
  const type = pluralType === 'ordinal' ? [`{ type: 'ordinal' }`] : [];
  const conditions = named.map(([key, text]) =>
    key.startsWith('=')
      ? `${name} === ${key.slice(1)} ? ${text} : `
      : `${call(scope, 'pluralOf', counted, ...type)} === ${quoted(key)} ? ${text} : `,
  );
  return `(${conditions.join('')}${other})`;
}

/** What stands between `${` and `}` of a template. */
function hole(element: MessageFormatElement, scope: Scope): string {
  if (isArgumentElement(element)) return use(scope, element.value, ANY);
  if (isPoundElement(element)) return call(scope, 'formatNumber', scope.pound);
  if (isPluralElement(element)) return plural(element, scope);
  if (isSelectElement(element)) return select(element, scope);
  if (isNumberElement(element)) {
    const name = use(scope, element.value, 'number');
    const options = optionsOf(element.style, (style) => numberStyles[style]);
    return call(scope, 'formatNumber', name, ...options);
  }
  if (isDateElement(element) || isTimeElement(element)) {
    const name = use(scope, element.value, 'Date | number');
    const key = isDateElement(element) ? 'dateStyle' : 'timeStyle';
    const options = optionsOf(element.style ?? 'medium', lengthOf(key));
    return call(scope, 'formatDate', name, ...options);
  }
  throw new Error('tags are not supported');
}

function expression(elements: readonly MessageFormatElement[], scope: Scope): string {
  const [first] = elements;
  if (first === undefined) return `''`;
  if (elements.length === 1 && isLiteralElement(first)) return quoted(first.value);
  const parts = elements.map((element) =>
    isLiteralElement(element) ? escaped(element.value) : `\${${hole(element, scope)}}`,
  );
  return `\`${parts.join('')}\``;
}

function member(key: string, message: string, locale: string, calls: Set<string>): string {
  const scope: Scope = { locale, values: new Map(), calls, pound: '' };
  const body = expression(parse(message, { ignoreTag: true, requiresOtherClause: true }), scope);
  if (scope.values.size === 0) return `${key}: ${body}`;
  const types = [...scope.values].map(([name, type]) => `${name}: ${type}`).join('; ');
  return `${key}: (values: { ${types} }): string => ${body}`;
}

/** @throws with the name of the message that is no ICU message */
export async function compileCatalogue(
  catalogue: Readonly<Record<string, string>>,
  { locale, source, options }: Target,
): Promise<string> {
  const calls = new Set<string>();
  const members = Object.entries(catalogue).map(([key, message]) => {
    try {
      return member(key, message, locale, calls);
    } catch (error) {
      throw new Error(`${source}, ${key}: ${String(error)}`, { cause: error });
    }
  });
  const imports =
    calls.size === 0 ? '' : `import { ${[...calls].sort().join(', ')} } from '../format.ts';\n\n`;
  const name = source.replace(/\.json$/, '');
  const text = `/** Compiled from ${source} by \`npm run messages\`. */\n${imports}export const ${name} = {\n${members.join(',\n')}\n};\n`;
  return format(text, { ...options, parser: 'typescript' });
}
