/** The page of scripts/conformance.ts, made from the rows. */
import { linkTo, tableNamed } from './documents.ts';
import { rows } from './rows/index.ts';

const intro = `# Conformance

Which tests prove which row of the [specification](api/specification.md), and of the [API decisions](api/decisions.md): the
codes of errors (1.2), the endpoints that clients need (7), the events (8.2), signing in and what each kind of account may
do (10), and what Hearth adds of its own (15). Each row leads to its section. Rows "in prose" stand in the text beside the
tables.

A test is named by the id at the end of its title: \`git grep -F '[queues.deleted-once]' test\` finds it, wherever it is.

Made by \`node scripts/conformance.ts\` from \`test/service/conformance/rows\`. A test fails
when a row has no test, when an id stands on no test or on two, when neither a row nor [security.md](security.md) has the id
of a test, and when an argument, a field, an event, an error's code or a type of audit entry has no row.
`;

const code = (text: string): string => `\`${text}\``;

/** What Hearth adds has one section. */
const sectionOf = (name: string): string => {
  const found = tableNamed(name) ?? tableNamed('API decisions 15');
  if (found === undefined) throw new Error(`no section for the table ${name}`);
  return linkTo(found.document, found.heading);
};

function tableOf(name: string): string {
  const section = sectionOf(name);
  const cells = rows
    .filter((row) => row.table === name)
    .map(({ name: row, ids }) => `| [${code(row)}](${section}) | ${ids.map(code).join(', ')} |`);
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return [`## ${title}`, '', '| Row | Tests |', '| --- | --- |', ...cells, ''].join('\n');
}

export function conformanceDocument(): string {
  const names = [...new Set(rows.map((row) => row.table))];
  return [intro, ...names.map(tableOf)].join('\n');
}
