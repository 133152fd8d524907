/** What the people of the office share: drawn here, so that nothing in a screenshot belongs to somebody else. */
import type { Browser } from 'playwright';

const svg = (width: number, height: number, content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${content}</svg>`;

const books = ['#b4573f', '#31587a', '#d8b25c', '#5c7d5a', '#8b4b6b', '#c9c2b4', '#3f4a5a']
  .map((colour, i) => {
    const height = [74, 88, 66, 92, 80, 70, 86][i] ?? 80;
    return `<rect x="${212 + i * 22}" y="${178 - height}" width="19" height="${height}" rx="2" fill="${colour}"/>`;
  })
  .join('');

const shelf = svg(
  720,
  440,
  `<defs><linearGradient id="wall" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#e9e2d6"/><stop offset="1" stop-color="#cfc4b2"/></linearGradient>
  <linearGradient id="oak" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#c99a63"/><stop offset="1" stop-color="#a97a45"/></linearGradient></defs>
  <rect width="720" height="440" fill="url(#wall)"/><path d="M0 0h260L0 320z" fill="#fff" opacity=".22"/>
  <g fill="url(#oak)"><rect x="120" y="60" width="22" height="330" rx="3"/><rect x="578" y="60" width="22" height="330" rx="3"/>
  <rect x="110" y="178" width="500" height="18" rx="3"/><rect x="110" y="296" width="500" height="18" rx="3"/></g>
  ${books}
  <circle cx="470" cy="140" r="30" fill="#6d8f63"/><circle cx="498" cy="122" r="26" fill="#86a878"/><circle cx="448" cy="116" r="22" fill="#7b9c6e"/><path d="M446 152h54l-8 26h-38z" fill="#b9623f"/>
  <rect x="186" y="226" width="120" height="70" rx="4" fill="#efe9dd"/><rect x="206" y="240" width="80" height="42" fill="#7fa3b5"/><path d="M206 282l28-26 20 16 14-12 18 22z" fill="#55705c"/>
  <path d="M392 296c-22-14-22-52 0-62h56c22 10 22 48 0 62z" fill="#dcd2c0"/><path d="M398 244h44" stroke="#b8ab94" stroke-width="4"/>`,
);

const plan = svg(
  680,
  420,
  `<rect width="680" height="420" fill="#fbfaf7"/><g fill="none" stroke="#31465c" stroke-width="5"><path d="M40 40h600v340H40zM300 40v150M300 250v130M300 230h160M520 230h120"/></g>
  <g fill="none" stroke="#9aa9b8" stroke-width="2"><path d="M300 190a60 60 0 0 1 60 60M460 230a60 60 0 0 1 60-60"/><rect x="70" y="70" width="150" height="60"/><rect x="70" y="290" width="90" height="60"/><rect x="350" y="70" width="110" height="70" rx="30"/><rect x="500" y="290" width="110" height="60"/></g>
  <g font-family="sans-serif" font-size="17" fill="#31465c"><text x="95" y="106">workbench</text><text x="85" y="326">lathe</text><text x="374" y="111">meeting</text><text x="518" y="326">packing</text><text x="180" y="250">assembly</text></g>`,
);

const chart = svg(
  640,
  360,
  `<rect width="640" height="360" fill="#fff"/><g stroke="#e3e6ea"><path d="M60 60h540M60 130h540M60 200h540M60 270h540"/></g>
  ${[92, 128, 118, 164, 149, 205].map((height, i) => `<rect x="${84 + i * 88}" y="${300 - height}" width="52" height="${height}" rx="4" fill="${i === 5 ? '#c8643c' : '#7d93b8'}"/>`).join('')}
  <g font-family="sans-serif" font-size="15" fill="#56606c">${['Oct', 'Nov', 'Dec', 'Jan', 'Feb', 'Mar'].map((month, i) => `<text x="${96 + i * 88}" y="326">${month}</text>`).join('')}</g>`,
);

interface Face {
  readonly background: string;
  readonly skin: string;
  readonly hair: string;
  readonly shirt: string;
  /** Outline of the hair. */
  readonly cut: string;
}

const face = ({ background, skin, hair, shirt, cut }: Face): string =>
  svg(
    160,
    160,
    `<rect width="160" height="160" fill="${background}"/><path d="M24 160c4-34 26-46 56-46s52 12 56 46z" fill="${shirt}"/><path d="M66 96h28v24c0 10-28 10-28 0z" fill="${skin}"/><ellipse cx="80" cy="76" rx="30" ry="36" fill="${skin}"/><path d="${cut}" fill="${hair}"/>`,
  );

const drawings = {
  shelf: [720, 440, shelf],
  plan: [680, 420, plan],
  chart: [640, 360, chart],
  tobias: [
    160,
    160,
    face({
      background: '#d5e0ea',
      skin: '#8a5a3c',
      hair: '#1f1a17',
      shirt: '#2f5d62',
      cut: 'M48 72c-4-40 68-46 66 0-6-14-16-20-32-20s-28 6-34 20z',
    }),
  ],
  ines: [
    160,
    160,
    face({
      background: '#f1dccb',
      skin: '#e3b693',
      hair: '#7a3b22',
      shirt: '#7b4b94',
      cut: 'M44 116c-8-90 84-94 74 0-6-2-8-34-10-44-14 2-34-6-42-16-4 14-14 22-14 30 0 12-2 26-8 30z',
    }),
  ],
  samir: [
    160,
    160,
    face({
      background: '#dfe7d6',
      skin: '#c58f66',
      hair: '#3a2a20',
      shirt: '#b7562f',
      cut: 'M50 66c4-34 58-36 60 0-10-8-50-8-60 0zM52 88c4 34 52 34 56 0-6 10-14 12-28 12s-22-2-28-12z',
    }),
  ],
  loom: [
    64,
    64,
    svg(
      64,
      64,
      '<rect x="6" y="6" width="52" height="52" rx="8" fill="#c8643c"/><g stroke="#fff3e6" stroke-width="5"><path d="M18 14v36M32 14v36M46 14v36"/></g><g stroke="#7c2f17" stroke-width="5"><path d="M10 22h16M38 22h16M24 34h16M10 46h16M38 46h16"/></g>',
    ),
  ],
} as const;

export type PictureName = keyof typeof drawings;
export type Pictures = Readonly<Record<PictureName, Uint8Array<ArrayBuffer>>>;

/** Every picture as a PNG. */
export async function drawPictures(browser: Browser): Promise<Pictures> {
  const page = await browser.newPage();
  const drawn: [string, Uint8Array][] = [];
  for (const [name, [width, height, drawing]] of Object.entries(drawings)) {
    await page.setViewportSize({ width, height });
    await page.setContent(`<style>*{margin:0}svg{display:block}</style>${drawing}`);
    drawn.push([name, new Uint8Array(await page.screenshot({ omitBackground: true }))]);
  }
  await page.close();
  return Object.fromEntries(drawn) as unknown as Pictures;
}
