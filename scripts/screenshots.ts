/**
 * Takes a picture of every screen in both themes into `out/screenshots`: `npm run screenshots`, or with names of screens for those
 * alone. The office, its clock and the size of its window are fixed, so that pictures of one machine can be compared.
 *
 * `--kept` takes those of `docs/screenshots` alone. `--people 1000 --into FOLDER` takes all in an organization of 3, 30, 300 or 1000
 * people, in both windows and the light theme.
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
  options: {
    people: { type: 'string' },
    into: { type: 'string' },
    kept: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const people = sizes.find((size) => String(size) === options.people);
const inEveryWindow = people !== undefined;
const keptFolder = join(projectDir, 'docs', 'screenshots');
const folder = options.kept
  ? keptFolder
  : resolve(options.into ?? join(projectDir, 'out', 'screenshots'));
/** What the documents show. */
const kept = [
  'topic-picture-light',
  'topic-picture-dark',
  'topic-picture-narrow-light',
  'topic-code-dark',
  'inbox-light',
  'inbox-narrow-dark',
  'search-dark',
  'search-relevant-light',
  'switcher-query-light',
  'compose-completion-light',
  'message-history-light',
  'private-dark',
  'column-light',
  'streams-light',
  'first-run-light',
  'first-steps-light',
  'settings-integrations-light',
  'settings-people-light',
  'settings-notifications-dark',
  'offline-light',
];
/** It is to be seen in some pictures. */
const PORT = 9981;
const allThemes = ['light', 'dark'] as const;
type Theme = (typeof allThemes)[number];
const themes: readonly Theme[] = inEveryWindow ? ['light'] : allThemes;

/** A window of an ordinary size, and one as narrow as a telephone. */
const windows = {
  wide: { width: 1100, height: 720, suffix: '' },
  narrow: { width: 400, height: 720, suffix: '-narrow' },
} as const;

type WindowName = keyof typeof windows;

/** In which windows a picture of the screen is taken: what a narrow one changes little is shown once. */
const windowsOf = ({ picture = 'wide' }: Screen): readonly WindowName[] =>
  picture === 'both' || inEveryWindow ? ['wide', 'narrow'] : picture === 'none' ? [] : [picture];

const nameOf = (screen: Screen, window: WindowName, theme: Theme): string =>
  `${screen.name}${windows[window].suffix}-${theme}`;

const themesOf = (screen: Screen, window: WindowName): readonly Theme[] =>
  options.kept ? themes.filter((theme) => kept.includes(nameOf(screen, window, theme))) : themes;

async function shoot(
  screen: Screen,
  window: WindowName,
  { page }: Stage,
  blank: Page,
): Promise<void> {
  for (const theme of themesOf(screen, window)) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    const path = join(folder, `${nameOf(screen, window, theme)}.png`);
    const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    writeFileSync(path, await smallPng(blank, picture));
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  process.stdout.write(`${screen.name}\n`);
}

function listing(): string {
  const rows = screens.flatMap((screen) =>
    windowsOf(screen).map((window) => {
      const pictures = themesOf(screen, window).map(
        (theme) => `![${screen.title}, ${theme}](${nameOf(screen, window, theme)}.png)`,
      );
      if (pictures.length === 0) return '';
      const title = window === 'narrow' ? `${screen.title} (narrow window)` : screen.title;
      return `## ${title}\n\n${pictures.join('\n')}\n`;
    }),
  );
  return `# Screenshots

Taken in a browser, on a real service. The people, their company and everything they say are made up.

${rows.filter((row) => row !== '').join('\n')}`;
}

async function takeAll(wanted: readonly string[]): Promise<void> {
  await buildIfStale();
  const browser = await chromium.launch({
    args: [...chromiumArgs, '--font-render-hinting=none'],
    ...(browserPath === undefined ? {} : { executablePath: browserPath }),
  });
  const blank = await browser.newPage();
  const office = await foundOffice(await drawPictures(browser), {
    port: inEveryWindow ? 0 : PORT,
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
          themesOf(screen, window).length > 0 &&
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
if (options.kept && wanted.length === 0) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
await takeAll(wanted);
if (options.kept) writeFileSync(join(folder, 'README.md'), listing());
const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
process.stdout.write(
  `${String(readdirSync(folder).length)} files, ${String(Math.round(bytes / 1024))} KiB\n`,
);
