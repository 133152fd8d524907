/** What code, tests and documents say of sections leads somewhere, and every link between documents does. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { projectDir } from '#test/support/machine.ts';
import { findHeading, headingsIn, referencesIn, vagueReferencesIn } from './documents.ts';

const folders = '{.github,docs,scripts,src-main,src-preload,src-renderer,test}/**/';
const all = globSync([`${folders}*.{ts,cts,cjs,js,svelte,css,html,md}`, '*.{ts,js,md}'], {
  cwd: projectDir,
}).map((file) => file.replaceAll('\\', '/'));

const read = (file: string): string => readFileSync(join(projectDir, file), 'utf8');
const own = relative(projectDir, import.meta.filename).replaceAll('\\', '/');
const files = all.filter((file) => file !== own);

/** In these pages a section without a document is one of the page. */
const isApiPage = (file: string): boolean => file.startsWith('docs/api/');

function problemsOf(source: string): readonly string[] {
  return referencesIn(source).flatMap(({ document, number, request }) => {
    const heading = findHeading(document, number);
    if (heading === undefined) return [`${document} ${number} does not exist`];
    if (request === undefined || heading.whole.includes(request)) return [];
    return [`${document} ${number} says nothing of ${request}`];
  });
}

describe('a reference', () => {
  test('a reference leads to a section that exists, and to the request that it names', () => {
    const problems = files.flatMap((file) =>
      problemsOf(read(file)).map((problem) => `${file}: ${problem}`),
    );
    expect(problems).toEqual([]);
    const count = files.flatMap((file) => referencesIn(read(file))).length;
    expect(count).toBeGreaterThan(300);
  });

  test('a reference names its document, in one form', () => {
    const vague = files
      .filter((file) => !isApiPage(file))
      .flatMap((file) => vagueReferencesIn(read(file)).map((text) => `${file}: ${text}`));
    expect(vague).toEqual([]);
  });

  test.each(['specification', 'API decisions'] as const)(
    'a reference within the %s leads to one of its sections',
    (document) => {
      const page = document === 'specification' ? 'specification' : 'decisions';
      const text = read(`docs/api/${page}.md`);
      const named = [...text.matchAll(/\bsections? (\d+(?:\.\d+)?)|\((\d+\.\d+)\)/g)];
      const numbers = named.map(([, word, bracket]) => word ?? bracket ?? '');
      expect(numbers).not.toEqual([]);
      expect(numbers.filter((number) => findHeading(document, number) === undefined)).toEqual([]);
    },
  );

  test.each([
    ['(API decisions 7.99)', ['API decisions 7.99 does not exist']],
    ['API decisions 1.2, 8.9 and 10.3', ['API decisions 8.9 does not exist']],
    [
      "'specification 4, GET /nothing; API decisions 3'",
      ['specification 4 says nothing of /nothing'],
    ],
    ["'API decisions 7.6, PATCH /realm, and 9.77'", ['API decisions 9.77 does not exist']],
    ['/** In two lines (API decisions\n * 77). */', ['API decisions 77 does not exist']],
    ['Architecture 4 and 5, specification 2 and 4, GET /server_settings', []],
  ])('%j is read: %j', (source, problems) => {
    expect(problemsOf(source)).toEqual(problems);
  });

  test('a reference of another form is noticed', () => {
    const source =
      'of section 13; (API decisions, section 4) spec 8; (RFC 9110, section 14); decisions 7.4';
    expect(vagueReferencesIn(source)).toEqual([
      'of section 13',
      'decisions, section 4',
      'spec 8',
      'decisions 7.4',
    ]);
  });
});

describe('a link between documents', () => {
  const LINK = /\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g;
  const pages = all.filter((file) => file.endsWith('.md'));

  /** Code is not read for links. */
  const proseOf = (file: string): string =>
    read(file)
      .replace(/^```[^]*?^```/gm, '')
      .replace(/``.*?``|`[^`\n]*`/g, '');

  test.each(pages)('a link of %s leads to a file, and to a heading of it', (page) => {
    const broken = [...proseOf(page).matchAll(LINK)].flatMap(([link, path = '', anchor]) => {
      const target = path === '' ? page : join(dirname(page), path);
      if (!existsSync(join(projectDir, target))) return [link];
      const isThere =
        anchor === undefined || headingsIn(read(target)).some((each) => each.anchor === anchor);
      return isThere ? [] : [link];
    });
    expect(broken).toEqual([]);
  });
});

describe('a command', () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(read('package.json')));
  const places = [
    ...all.filter((file) => file.endsWith('.md')),
    '.ci/run',
    '.github/workflows/ci.yml',
  ];

  test.each(places)('a command that %s tells people or machines to type exists', (place) => {
    const text = read(place);
    const named = [...text.matchAll(/\bnpm run ([a-z][\w:-]*)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
    const paths = text.match(/(?<![\w/.])(?:scripts|\.ci)\/[\w./-]*\w/g) ?? [];
    expect(paths.filter((path) => !existsSync(join(projectDir, path)))).toEqual([]);
  });
});
