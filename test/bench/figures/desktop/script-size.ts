/** What the window's page loads before it can paint: the entry of the page and everything that it imports at once. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { projectDir } from '#test/support/machine.ts';
import { limited, type Row, shown } from '#test/bench/report.ts';

const LIMIT_KB = 150;
const KB = 1000;
const rendererDir = join(projectDir, 'out', 'renderer');

const SCRIPT = /<script[^>]* src="([^"]+)"/g;
const STYLE = /<link rel="stylesheet"[^>]* href="([^"]+)"/g;
/** As the bundler writes them: `import{a as b}from"./x.js"`, `import"./x.js"`, `export{a}from"./x.js"`. */
const IMPORT = /(?:^|[;}\s])(?:import|export)\s*(?:[\w$*{][^"'`;()]*)?["'](\.[^"']+)["']/g;

const named = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].flatMap(([, name]) => (name === undefined ? [] : [name]));

async function withImports(files: readonly string[]): Promise<readonly Buffer[]> {
  const found = new Map<string, Buffer>();
  const waiting = [...files];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue;
    const content = await readFile(file);
    found.set(file, content);
    for (const name of named(content.toString(), IMPORT)) waiting.push(join(file, '..', name));
  }
  return [...found.values()];
}

/** Files are served one by one, so each is compressed by itself. */
const sizeKb = (files: readonly Buffer[], pack: (file: Buffer) => Buffer): number =>
  files.reduce((sum, file) => sum + pack(file).length, 0) / KB;

export async function measureScriptSize(): Promise<readonly Row[]> {
  const page = await readFile(join(rendererDir, 'index.html'), 'utf8');
  const local = (names: readonly string[]): readonly string[] =>
    names.map((name) => join(rendererDir, name));
  const scripts = await withImports(local(named(page, SCRIPT)));
  const styles = await Promise.all(local(named(page, STYLE)).map((file) => readFile(file)));
  const name = (what: string): string => `${what} before the first paint`;
  return [
    limited(
      { name: name(`scripts (${String(scripts.length)} files), gzip,`), unit: 'KB' },
      [sizeKb(scripts, gzipSync)],
      LIMIT_KB,
    ),
    shown({ name: name('scripts, brotli,'), unit: 'KB' }, [sizeKb(scripts, brotliCompressSync)]),
    shown({ name: name('styles, gzip,'), unit: 'KB' }, [sizeKb(styles, gzipSync)]),
  ];
}
