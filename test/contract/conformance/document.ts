/** docs/conformance.md, made from the rows. */
import type { Reference } from './rows/row.ts';
import { rows } from './rows/index.ts';

const intro = `# Conformance

Which tests prove which row of the specification's tables, of the endpoints that every client needs (API decisions,
section 7) and of the events (API decisions, section 8.2), and what Hearth adds of its own. Rows "in prose" stand in
the text beside the tables.

Made by \`node scripts/conformance.ts\` from \`test/contract/conformance/rows\`; a test fails when this file is stale,
when a row has no test, when a test that is named here does not exist, and when an argument, a field or an event of
the code has no row. A placeholder in a title stands for the cases of a table. Files are below \`test/\`.
`;

/** As code, so that nothing in it is markup; a bar would end the cell. */
const code = (text: string): string => {
  const fence = text.includes('`') ? '``' : '`';
  const padding = fence === '``' ? ' ' : '';
  return `${fence}${padding}${text.replaceAll('|', '\\|')}${padding}${fence}`;
};

const testOf = ([file, title, group]: Reference): string =>
  `${code(group === undefined ? title : `${group} > ${title}`)} in ${file}`;

function tableOf(name: string): string {
  const cells = rows
    .filter((row) => row.table === name)
    .map((row) => `| ${code(row.name)} | ${row.references.map(testOf).join('<br>')} |`);
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return [`## ${title}`, '', '| Row | Tests |', '| --- | --- |', ...cells, ''].join('\n');
}

export function conformanceDocument(): string {
  const names = [...new Set(rows.map((row) => row.table))];
  return [intro, ...names.map(tableOf)].join('\n');
}
