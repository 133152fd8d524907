import type { IconNode } from 'lucide';

export interface MenuItem {
  readonly label: string;
  readonly icon: IconNode;
  readonly run: () => unknown;
  /** The key that does the same: as it is printed on the keyboard, and for `aria-keyshortcuts`. */
  readonly key?: { readonly printed: string; readonly aria: string | undefined };
  readonly isDangerous?: boolean;
}

/** What stands together, with a line between groups. */
export type MenuGroups = readonly (readonly MenuItem[])[];

export type MenuAnchor = HTMLElement | { readonly x: number; readonly y: number };
