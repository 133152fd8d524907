/** Whether eslint.config.js refuses in every folder what it is there to refuse: a file of it is given code that breaks all its rules. */
import { extname } from 'node:path';
import { ESLint } from 'eslint';
import ts from 'typescript-eslint';
import { canReadHistory, canSeeStream } from '#shared/policies/streams.ts';
import manifest from '#package.json' with { type: 'json' };
import { projectDir } from '../project-dir.ts';
import { codeFiles, oneOfEachFolder, report } from './files.ts';

interface Canary {
  readonly code: string;
  /** The name of the rule that must refuse it, or a part of what it says. */
  readonly says: string;
  readonly where: RegExp;
  readonly except?: RegExp;
}

const configurations = /^[^/]+$|^test\/[^/]+\.config\.ts$/;
/** What a component imports is data of the window. */
const forComponents = /^#(?:shared|preload|renderer)\//;
const refusedInComponents = [
  ...Object.keys(manifest.imports).filter((name) => !forComponents.test(name)),
  '#shared/search/*',
];

const canaries: readonly Canary[] = [
  {
    code: "console.log('');",
    says: 'no-console',
    where: /^/,
    except: /^scripts\/|^test\/bench\/|^src-main\/hosting\/serve\.ts$/,
  },
  {
    code: 'export const made = (text: string): RegExp => new RegExp(text);',
    says: 'No pattern is made of text from outside',
    where: /^src-/,
  },
  {
    code: 'export const later = (text: string) => lazy(() => new RegExp(text));',
    says: 'No pattern is made of text from outside',
    where: /^src-/,
  },
  {
    code: 'export const spread = { ...{ first, second } };',
    says: 'Write its properties where they stand',
    where: /^src-/,
  },
  ...["new RegExp(`[${''}]`, 'gv')", '/^\\p{RGI_Emoji}$/v'].map((pattern): Canary => ({
    code: `export const now = ${pattern};`,
    says: 'Every start pays for this pattern',
    where: /^src-main\//,
  })),
  {
    code: "process.stderr.write('');",
    says: 'Print with node/terminal.ts',
    where: /^src-main\//,
  },
  {
    code: "export const shown = (value: number): string => value.toLocaleString('en');",
    says: 'The tables of languages cost each process',
    where: /^src-main\//,
  },
  ...["import '../../up.ts';", "await import('../../up.ts');", "export * from '../../up.ts';"].map(
    (code): Canary => ({ code, says: 'by its `#` name', where: /^/, except: configurations }),
  ),
  ...["new URL('../../up', import.meta.url);", 'new URL(`../../${up}`, import.meta.url);'].map(
    (code): Canary => ({ code, says: 'folder of the project', where: /^/, except: configurations }),
  ),
  ...[
    "export const isKnown = (error: Error): boolean => error.message === 'No.';",
    "export const isKnown = ({ message: told }: Failure): boolean => told.trim() !== 'No.';",
    "if (outcome.failure.message.startsWith('No')) retry();",
    'if (/^No/.test(refused.msg)) retry();',
    "if (String(error).includes('No')) retry();",
    "switch (error.msg) { case 'No.': retry(); }",
    'export const ours = table[failure.message];',
    'export const ours = table.get(failure.message);',
    "import { words } from '#renderer/i18n/common.ts'; export const isDone = label === words.account.copied;",
  ].map((code): Canary => ({ code, says: 'hearth/error-text', where: /^src-/ })),
  ...[canSeeStream, canReadHistory].map(({ name }): Canary => ({
    code: `import { ${name} } from '#shared/policies/streams.ts';`,
    says: 'stream-access',
    where: /^src-main\/service\//,
    except:
      /\/core\/stream-access\.ts$|\/reading\/operations\/(?:history-scope|read-state)\.ts$|\/register\/operations\/streams\.ts$/,
  })),
  ...refusedInComponents.map((name): Canary => ({
    code: `import type { Type } from '${name.replace('*', 'some/where.ts')}';`,
    says: 'See test/layers.cjs',
    where: /^src-renderer\/.*\.svelte$/,
  })),
];

const eslint = new ESLint({
  cwd: projectDir,
  // None of these rules asks for types, which take a minute.
  overrideConfig: [ts.configs.disableTypeChecked],
});

const problems: string[] = [];

async function check(path: string): Promise<void> {
  const here = canaries.filter(
    ({ where, except }) => where.test(path) && except?.test(path) !== true,
  );
  const lines = here.map(({ code }) => code).join('\n');
  const text = path.endsWith('.svelte') ? `<script lang="ts">${lines}</script>` : lines;
  const [result] = await eslint.lintText(text, { filePath: path });
  for (const [index, { code, says }] of here.entries()) {
    const isRefused = result?.messages.some(
      ({ line, ruleId, message }) =>
        line === index + 1 && (ruleId === says || message.includes(says)),
    );
    if (isRefused !== true) problems.push(`eslint lets ${path} say ${code}`);
  }
}

const files = codeFiles.filter((name) => extname(name) !== '.cjs');
for (const path of oneOfEachFolder(files)) await check(path);
report(problems);
