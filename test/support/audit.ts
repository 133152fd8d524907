/**
 * What can be measured of accessibility in a page: contrast of text, size of targets, names, structure. It asks the
 * browser for what it really shows, so a token that is wrong in one theme is found in that theme.
 */

interface Colour {
  readonly r: number;
  readonly g: number;
  readonly b: number;
  readonly a: number;
}

const canvas = document.createElement('canvas');
canvas.width = canvas.height = 1;
const pen = canvas.getContext('2d', { willReadFrequently: true })!;

/** Any colour that CSS knows, as sRGB; channels 0–255, alpha 0–1. */
function toColour(css: string): Colour {
  pen.clearRect(0, 0, 1, 1);
  pen.fillStyle = css;
  pen.fillRect(0, 0, 1, 1);
  const [r = 0, g = 0, b = 0, a = 0] = pen.getImageData(0, 0, 1, 1).data;
  return { r, g, b, a: a / 255 };
}

const over = (top: Colour, below: Colour): Colour => {
  const mix = (x: number, y: number): number => x * top.a + y * (1 - top.a);
  return { r: mix(top.r, below.r), g: mix(top.g, below.g), b: mix(top.b, below.b), a: 1 };
};

/** What stands behind an element: its own and its ancestors' backgrounds on top of each other. */
function backgroundOf(element: Element): Colour {
  const layers: Colour[] = [];
  for (let each: Element | null = element; each !== null; each = each.parentElement) {
    const layer = toColour(getComputedStyle(each).backgroundColor);
    layers.push(layer);
    if (layer.a === 1 || each.matches('dialog, [popover]')) break;
  }
  return layers.reduceRight((below, layer) => over(layer, below), toColour('Canvas'));
}

function luminance({ r, g, b }: Colour): number {
  const linear = (channel: number): number => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

export function contrast(a: Colour, b: Colour): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

const isShown = (element: Element): boolean =>
  element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
  element.closest('.visually-hidden') === null;

const describe = (element: Element): string =>
  `${element.tagName.toLowerCase()}.${[...element.classList].join('.')} "${element.textContent
    .trim()
    .replaceAll(/\s+/g, ' ')
    .slice(0, 40)}"`;

const all = (root: ParentNode, selector: string): readonly HTMLElement[] => [
  ...root.querySelectorAll<HTMLElement>(selector),
];

const hasOwnText = (element: Element): boolean =>
  [...element.childNodes].some(
    (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '',
  );

/** Text 4.5:1, large text 3:1 (WCAG 1.4.3). */
function lowContrast(root: ParentNode): readonly string[] {
  return all(root, '*').flatMap((element) => {
    if (!isShown(element) || !hasOwnText(element)) return [];
    const style = getComputedStyle(element);
    const behind = backgroundOf(element);
    const ratio = contrast(over(toColour(style.color), behind), behind);
    const isLarge = parseFloat(style.fontSize) >= 24;
    return ratio >= (isLarge ? 3 : 4.5) ? [] : [`${ratio.toFixed(2)}:1 ${describe(element)}`];
  });
}

/** The drawings of controls and marks 3:1 (WCAG 1.4.11). */
function faintDrawings(root: ParentNode): readonly string[] {
  return all(root, 'svg').flatMap((drawing) => {
    const parent = drawing.parentElement;
    if (parent === null || !isShown(parent)) return [];
    const behind = backgroundOf(parent);
    const ratio = contrast(toColour(getComputedStyle(drawing).color), behind);
    return ratio >= 3 ? [] : [`${ratio.toFixed(2)}:1 drawing in ${describe(parent)}`];
  });
}

const interactive =
  'button, a[href], input:not([hidden]), textarea, [role="option"], [role="combobox"]';

/** Targets of at least 24 by 24 (WCAG 2.5.8); links in running text are excepted. */
function smallTargets(root: ParentNode): readonly string[] {
  return all(root, interactive).flatMap((element) => {
    if (!isShown(element) || element.matches('.message-html a')) return [];
    const label = element.matches('input[type="checkbox"]') ? element.closest('label, div') : null;
    const { width, height } = (label ?? element).getBoundingClientRect();
    return width >= 24 && height >= 24
      ? []
      : [`${width.toFixed(0)}×${height.toFixed(0)} ${describe(element)}`];
  });
}

function nameless(root: ParentNode): readonly string[] {
  return all(root, interactive).flatMap((element) => {
    const labels = element instanceof HTMLInputElement ? (element.labels?.length ?? 0) : 0;
    const named =
      labels > 0 ||
      element.hasAttribute('aria-label') ||
      element.hasAttribute('aria-labelledby') ||
      element.textContent.trim() !== '';
    return !isShown(element) || named ? [] : [`no name: ${describe(element)}`];
  });
}

function structure(): readonly string[] {
  const ids = all(document, '[id]').map(({ id }) => id);
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  const references = all(document, '[aria-labelledby], [aria-describedby], [aria-controls]')
    .flatMap((element) =>
      ['aria-labelledby', 'aria-describedby', 'aria-controls'].flatMap((name) =>
        (element.getAttribute(name) ?? '').split(' '),
      ),
    )
    .filter((id) => id !== '' && document.getElementById(id) === null);
  const shown = (selector: string): number =>
    all(document, selector).filter((element) => element.checkVisibility()).length;
  return [
    ...twice.map((id) => `id twice: ${id}`),
    ...references.map((id) => `reference to nothing: ${id}`),
    ...(shown('main') > 1 ? ['more than one main'] : []),
    ...(shown('h1') > 1 ? ['more than one h1'] : []),
    ...(document.title === '' ? ['no title'] : []),
  ];
}

/** Everything that is wrong with what is on the screen, as sentences; none is good. */
export function audit(): readonly string[] {
  for (const animation of document.getAnimations()) {
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  }
  // What lies under a modal dialog cannot be reached.
  const root = document.querySelector('dialog:modal') ?? document.body;
  return [
    ...lowContrast(root),
    ...faintDrawings(root),
    ...smallTargets(root),
    ...nameless(root),
    ...structure(),
  ];
}
