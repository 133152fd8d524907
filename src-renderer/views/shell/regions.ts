/** The parts of the window that F6 goes through, in order, and what gets the focus in each. */
const regions = {
  navigation: '[aria-current="true"], button',
  messages: '[tabindex="0"], button',
  compose: 'textarea, button',
} as const;

export type RegionName = keyof typeof regions;

const names = Object.keys(regions) as readonly RegionName[];

const find = (name: RegionName): HTMLElement | null =>
  document.querySelector(`[data-region="${name}"]`);

/** Whether the region was there to take the focus: on a narrow window not every one is. */
export function focusRegion(name: RegionName): boolean {
  const [preferred = '', fallback = ''] = regions[name].split(', ');
  const region = find(name);
  const target =
    region?.querySelector<HTMLElement>(preferred) ?? region?.querySelector<HTMLElement>(fallback);
  target?.focus();
  return target !== null && target !== undefined && document.activeElement === target;
}

export function cycleRegions(step: -1 | 1): void {
  const at = names.findIndex((name) => find(name)?.contains(document.activeElement) === true);
  for (let i = 1; i <= names.length; i += 1) {
    const name =
      names[(Math.max(at, step === 1 ? -1 : 0) + step * i + names.length * 2) % names.length];
    if (name !== undefined && focusRegion(name)) return;
  }
}
