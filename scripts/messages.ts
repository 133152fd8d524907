/*
 * npm run messages   compiles the catalogues below src-main/shared/i18n to the modules beside them
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { resolveConfig } from 'prettier';
import { compileCatalogue } from './messages/compile.ts';
import { projectDir } from './run.ts';

const folder = join(projectDir, 'src-main/shared/i18n');

for (const name of globSync('*/*.json', { cwd: folder })) {
  const source = join(folder, name);
  const target = source.replace(/\.json$/, '.ts');
  const catalogue = JSON.parse(readFileSync(source, 'utf8')) as Readonly<Record<string, string>>;
  const options = (await resolveConfig(target)) ?? {};
  const module = await compileCatalogue(catalogue, {
    locale: basename(dirname(source)),
    source: basename(source),
    options,
  });
  writeFileSync(target, module);
}
