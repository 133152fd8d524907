import type { Component } from 'svelte';

export interface MenuItem {
  readonly label: string;
  readonly icon: Component<{ size?: number | string; strokeWidth?: number | string }>;
  readonly run: () => unknown;
  /** As it is printed on the keyboard. */
  readonly key?: string;
  readonly isDangerous?: boolean;
}

/** What stands together, with a line between groups. */
export type MenuGroups = readonly (readonly MenuItem[])[];

export type MenuAnchor = HTMLElement | { readonly x: number; readonly y: number };
