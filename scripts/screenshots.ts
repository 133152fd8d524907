/**
 * Takes a picture of every screen in both themes: `npm run screenshots`, or with names of screens for those alone. The
 * pictures are kept under version control and look the same every time they are taken on one machine: the office, its
 * clock and the size of its window are fixed.
 */
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright';
import { drawPictures } from '../test/support/life/pictures.ts';
import { foundOffice } from '../test/support/life/office.ts';
import { chromiumArgs, chromiumPath, chromiumReason } from '../test/support/machine.ts';
import { screens } from '../test/support/screens/index.ts';
import type { Screen, Stage } from '../test/support/screens/stage.ts';
import { walk } from '../test/support/screens/walk.ts';
import { startService } from '../test/support/service.ts';
import { projectDir } from './run.ts';
import { smallPng } from './small-png.ts';
import { buildIfStale } from './stale-build.ts';

const folder = join(projectDir, 'docs', 'screenshots');
/** It is to be seen in some pictures. */
const PORT = 9981;
const themes = ['light', 'dark'] as const;

/** A window of an ordinary size, and one as narrow as a telephone. */
const windows = {
  wide: { width: 1100, height: 720, suffix: '' },
  narrow: { width: 400, height: 720, suffix: '-narrow' },
} as const;

type WindowName = keyof typeof windows;

/** In which windows a picture of the screen is taken: what a narrow one changes little is shown once. */
const windowsOf = ({ picture = 'wide' }: Screen): readonly WindowName[] =>
  picture === 'both' ? ['wide', 'narrow'] : picture === 'none' ? [] : [picture];

const fileOf = (screen: Screen, window: WindowName, theme: (typeof themes)[number]): string =>
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
    ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
  });
  const blank = await browser.newPage();
  const office = await foundOffice(await drawPictures(browser), PORT);
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
const wanted = process.argv.slice(2);
if (wanted.length === 0) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
await takeAll(wanted);
writeFileSync(join(folder, 'README.md'), listing());
const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
process.stdout.write(
  `${String(readdirSync(folder).length)} files, ${String(Math.round(bytes / 1024))} KiB\n`,
);
