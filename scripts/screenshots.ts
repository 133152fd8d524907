/**
 * Takes a picture of every screen in both themes: `npm run screenshots`, or with names of screens for those alone. The
 * pictures are kept under version control and look the same every time they are taken on one machine: the office, its
 * clock and the size of its window are fixed.
 *
 * `npm run screenshots -- --people 1000 --into FOLDER` takes them in an office of 3, 30, 300 or 1000 people, to be looked
 * at: in both windows, in the light theme alone.
 */
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Page } from 'playwright';
import { drawPictures } from '#test/support/life/pictures.ts';
import type { People } from '#test/support/life/crowd.ts';
import { foundOffice } from '#test/support/life/office.ts';
import { chromiumArgs, browserPath, chromiumReason } from '#test/support/machine.ts';
import { screens } from '#test/support/screens/index.ts';
import type { Screen, Stage } from '#test/support/screens/stage.ts';
import { walk } from '#test/support/screens/walk.ts';
import { startService } from '#test/support/service/service.ts';
import { projectDir } from './run.ts';
import { smallPng } from './assets/small-png.ts';
import { buildIfStale } from './stale-build.ts';

const sizes: readonly People[] = [3, 30, 300, 1000];
const { values: options, positionals: wanted } = parseArgs({
  options: { people: { type: 'string' }, into: { type: 'string' } },
  allowPositionals: true,
});
const people = sizes.find((size) => String(size) === options.people);
const isKept = options.people === undefined && options.into === undefined;
const folder = resolve(options.into ?? join(projectDir, 'docs', 'screenshots'));
/** It is to be seen in some pictures. */
const PORT = 9981;
const allThemes = ['light', 'dark'] as const;
type Theme = (typeof allThemes)[number];
const themes: readonly Theme[] = isKept ? allThemes : ['light'];

/** A window of an ordinary size, and one as narrow as a telephone. */
const windows = {
  wide: { width: 1100, height: 720, suffix: '' },
  narrow: { width: 400, height: 720, suffix: '-narrow' },
} as const;

type WindowName = keyof typeof windows;

/** In which windows a picture of the screen is taken: what a narrow one changes little is shown once. */
const windowsOf = ({ picture = 'wide' }: Screen): readonly WindowName[] =>
  picture === 'both' || !isKept ? ['wide', 'narrow'] : picture === 'none' ? [] : [picture];

const fileOf = (screen: Screen, window: WindowName, theme: Theme): string =>
  `${screen.name}${windows[window].suffix}-${theme}.png`;

async function shoot(
  screen: Screen,
  window: WindowName,
  { page }: Stage,
  blank: Page,
): Promise<void> {
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    const path = join(folder, fileOf(screen, window, theme));
    const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    writeFileSync(path, await smallPng(blank, picture));
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  process.stdout.write(`${screen.name}\n`);
}

function listing(): string {
  const rows = screens.flatMap((screen) =>
    windowsOf(screen).map((window) => {
      const pictures = themes.map(
        (theme) => `![${screen.title}, ${theme}](${fileOf(screen, window, theme)})`,
      );
      const title = window === 'narrow' ? `${screen.title} (narrow window)` : screen.title;
      return `## ${title}\n\n${pictures.join('\n')}\n`;
    }),
  );
  return `# Screenshots

Every screen of the application in both themes, taken by \`npm run screenshots\` from the browser build on a real service.
The people, their company and everything they say are made up.

${rows.join('\n')}`;
}

async function takeAll(wanted: readonly string[]): Promise<void> {
  await buildIfStale();
  const browser = await chromium.launch({
    args: [...chromiumArgs, '--font-render-hinting=none'],
    ...(browserPath === undefined ? {} : { executablePath: browserPath }),
  });
  const blank = await browser.newPage();
  const office = await foundOffice(await drawPictures(browser), {
    port: isKept ? PORT : 0,
    ...(people === undefined ? {} : { people }),
  });
  const fresh = await startService();
  try {
    const problems: unknown[] = [];
    for (const window of ['wide', 'narrow'] as const) {
      await walk(browser, {
        ...windows[window],
        office,
        newOrigin: fresh.origin,
        only: (screen) =>
          windowsOf(screen).includes(window) &&
          (wanted.length === 0 || wanted.includes(screen.name)),
        visit: (screen, stage) => shoot(screen, window, stage, blank),
      }).catch((error: unknown) => problems.push(error));
    }
    if (problems.length > 0) throw new Error(problems.map(String).join('\n'));
  } finally {
    await browser.close();
    await Promise.all([office.service.stop(), fresh.stop()]);
  }
}

if (chromiumReason !== undefined) {
  process.stderr.write(`${chromiumReason}\n`);
  process.exit(1);
}
if (options.people !== undefined && (people === undefined || options.into === undefined)) {
  process.stderr.write('--people takes 3, 30, 300 or 1000, and --into a folder for the pictures\n');
  process.exit(1);
}
if (isKept && wanted.length === 0) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
await takeAll(wanted);
if (isKept) writeFileSync(join(folder, 'README.md'), listing());
const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
process.stdout.write(
  `${String(readdirSync(folder).length)} files, ${String(Math.round(bytes / 1024))} KiB\n`,
);
