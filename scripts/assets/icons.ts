/**
 * Makes every icon from resources/icon.svg: `node scripts/assets/icons.ts`. To be run again when the drawing changes; what it
 * writes is kept under version control, because not every machine that packages has a Chromium.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chromium, type Page } from 'playwright';
import { chromiumArgs, browserPath, chromiumReason } from '#test/support/machine.ts';
import { icns, icnsSizes, ico, type SizedPng } from './icon-files.ts';
import { projectDir } from '../run.ts';

const resources = join(projectDir, 'resources');
const icon = readFileSync(join(resources, 'icon.svg'), 'utf8');

const linuxSizes = [16, 24, 32, 48, 64, 96, 128, 256, 512];
const windowsSizes = [16, 20, 24, 32, 40, 48, 64, 128, 256];
/** What Windows and macOS ask for beside the plain 16 pixels, by the suffix that Electron looks for. */
const trayScales = { '': 16, '@1.25x': 20, '@1.5x': 24, '@2x': 32 };
/** Linux panels take one size and scale it to their own height themselves. */
const LINUX_TRAY_SIZE = 48;

const part = (id: string): string => {
  const found = new RegExp(`fill="url\\(#${id}\\)"\\s+d="([^"]+)"`).exec(icon)?.[1];
  if (found === undefined) throw new Error(`resources/icon.svg has no path filled with #${id}`);
  return found;
};
const bubble = part('bubble');
const flame = part('flame');
const gradients = /<defs>.*<\/defs>/s.exec(icon)?.[0] ?? '';

const svg = (size: number, content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}">${content}</svg>`;

/** Within the rounded square that macOS gives to every application, on its grid of 1024. */
const macIcon = svg(
  1024,
  `<defs><linearGradient id="paper" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#fffaf2"/>
  <stop offset="1" stop-color="#f6e3cc"/></linearGradient></defs>
  <rect x="100" y="100" width="824" height="824" rx="186" fill="url(#paper)"/>
  <svg x="212" y="218" width="600" height="600" viewBox="0 0 512 512">${icon}</svg>`,
);

interface Badge {
  /** The disc's radius, on the tray's grid of 16; it touches the lower right corner. */
  readonly radius: number;
  readonly colour: string;
  readonly isExclamation: boolean;
}

/** Red is kept for messages that ask for their reader; the exclamation mark says that something is wrong. */
const badges: Readonly<Record<string, Badge | undefined>> = {
  normal: undefined,
  unread: { radius: 3.5, colour: '#5cb3ff', isExclamation: false },
  mention: { radius: 3.5, colour: '#ff4d4d', isExclamation: false },
  attention: { radius: 4.5, colour: '#ffd02e', isExclamation: true },
};

/** Width of the gap that keeps a badge apart from what lies behind it. */
const GAP = 1;
const exclamation = 'M11 8.6h1v3.6h-1zM11 13.2h1v1.2h-1z';

/** Puts a drawing that fills icon.svg's bubble on the tray's grid of 16, edge to edge. */
const onTrayGrid = (content: string): string =>
  `<g transform="scale(${16 / 490}) translate(-11 -14)">${content}</g>`;
const trayFlame = (attributes: string): string =>
  `<path ${attributes} transform="translate(256 226) scale(1.16) translate(-256 -221)" d="${flame}"/>`;

function trayIcon(badge: Badge | undefined, isTemplate: boolean): string {
  const at = 16 - (badge?.radius ?? 0);
  const disc = (radius: number, fill: string): string =>
    `<circle cx="${at}" cy="${at}" r="${radius}" fill="${fill}"/>`;
  const cut = badge === undefined ? '' : disc(badge.radius + GAP, '#000');
  // A template has no colours of its own: the system draws its opaque parts in the colour of the menu bar.
  const hole = isTemplate ? onTrayGrid(trayFlame('fill="#000"')) : '';
  const mask = `<mask id="cut"><rect width="16" height="16" fill="#fff"/>${hole}${cut}</mask>`;
  const plain = isTemplate
    ? onTrayGrid(`<path d="${bubble}" stroke="#000" stroke-width="20"/>`)
    : // The light edge makes the dark bubble stand out from a dark panel.
      onTrayGrid(
        `<path fill="url(#bubble)" stroke="#9dacd2" stroke-width="24" d="${bubble}"/>${trayFlame('fill="url(#flame)"')}`,
      );
  return svg(16, `${gradients}${mask}<g mask="url(#cut)">${plain}</g>${badgeOf(badge)}`);

  function badgeOf(shown: Badge | undefined): string {
    if (shown === undefined) return '';
    const whole = disc(shown.radius, isTemplate ? '#000' : shown.colour);
    if (!shown.isExclamation) return whole;
    if (!isTemplate) return `${whole}<path fill="#241a00" d="${exclamation}"/>`;
    return `<mask id="mark"><rect width="16" height="16" fill="#fff"/><path fill="#000" d="${exclamation}"/></mask>
      <g mask="url(#mark)">${whole}</g>`;
  }
}

async function rasterise(page: Page, drawing: string, size: number): Promise<SizedPng> {
  await page.setViewportSize({ width: size, height: size });
  const source = `data:image/svg+xml;base64,${Buffer.from(drawing).toString('base64')}`;
  await page.setContent(
    `<style>*{margin:0}img{display:block;width:${size}px;height:${size}px}</style><img src="${source}">`,
  );
  await page.locator('img').evaluate('image => image.decode()');
  return { size, png: await page.screenshot({ omitBackground: true }) };
}

async function rasteriseAll(
  page: Page,
  drawingOf: (size: number) => string,
  sizes: readonly number[],
): Promise<readonly SizedPng[]> {
  const images: SizedPng[] = [];
  for (const size of sizes) images.push(await rasterise(page, drawingOf(size), size));
  return images;
}

function write(path: string, content: Buffer): void {
  const file = join(resources, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

async function writeApplicationIcons(page: Page): Promise<void> {
  // The details of the whole drawing are lost where it is small, and the bubble on a dark panel with them.
  const forSize = (size: number): string => (size > 32 ? icon : trayIcon(undefined, false));
  write('icon.png', (await rasterise(page, icon, 1024)).png);
  rmSync(join(resources, 'package', 'icons'), { recursive: true, force: true });
  for (const { size, png } of await rasteriseAll(page, forSize, linuxSizes)) {
    write(`package/icons/${size}x${size}.png`, png);
  }
  write('package/icon.ico', ico(await rasteriseAll(page, forSize, windowsSizes)));
  write('package/icon.icns', icns(await rasteriseAll(page, () => macIcon, icnsSizes)));
}

async function writeTrayIcons(page: Page): Promise<void> {
  for (const [state, badge] of Object.entries(badges)) {
    const coloured = trayIcon(badge, false);
    write(`tray-${state}-linux.png`, (await rasterise(page, coloured, LINUX_TRAY_SIZE)).png);
    for (const [suffix, size] of Object.entries(trayScales)) {
      write(`tray-${state}${suffix}.png`, (await rasterise(page, coloured, size)).png);
    }
    const template = trayIcon(badge, true);
    for (const [suffix, size] of [['', 16] as const, ['@2x', 32] as const]) {
      write(`tray-${state}Template${suffix}.png`, (await rasterise(page, template, size)).png);
    }
  }
}

if (browserPath === undefined) throw new Error(chromiumReason);
const browser = await chromium.launch({ executablePath: browserPath, args: [...chromiumArgs] });
try {
  const page = await browser.newPage({ deviceScaleFactor: 1 });
  await writeApplicationIcons(page);
  await writeTrayIcons(page);
} finally {
  await browser.close();
}
