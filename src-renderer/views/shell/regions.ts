/** The parts of the window that F6 goes through, in order, and what gets the focus in each, best first. */
const regions = {
  organizations: ['[aria-current="true"]', 'button'],
  navigation: ['[aria-current="true"]', 'button'],
  search: ['input'],
  messages: ['[tabindex="0"]', 'button'],
  compose: ['textarea', 'button'],
  details: ['input', 'button'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type RegionName = keyof typeof regions;

const names = Object.keys(regions) as readonly RegionName[];

const find = (name: RegionName): HTMLElement | null =>
  document.querySelector(`[data-region="${name}"]`);

/** Whether the region was there to take the focus: on a narrow window not every one is. */
export function focusRegion(name: RegionName): boolean {
  const region = find(name);
  for (const selector of regions[name]) {
    const target = region?.querySelector<HTMLElement>(selector);
    target?.focus();
    if (target && document.activeElement === target) return true;
  }
  // A page without anything to press is still a place to be.
  if (region?.hasAttribute('tabindex') !== true) return false;
  region.focus();
  return document.activeElement === region;
}

/** What had the focus is gone, and took it along: then it goes to the messages. */
export function rescueFocus(): void {
  if (document.activeElement === document.body) focusRegion('messages');
}

export function cycleRegions(step: -1 | 1): void {
  const at = names.findIndex((name) => find(name)?.contains(document.activeElement) === true);
  for (let i = 1; i <= names.length; i += 1) {
    const name =
      names[(Math.max(at, step === 1 ? -1 : 0) + step * i + names.length * 2) % names.length];
    if (name !== undefined && focusRegion(name)) return;
  }
}
