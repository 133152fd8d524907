/** The places that have a name of their own, and what shows those that are no lists of messages. */
import { AtSign, FilePen, History, Inbox, Layers, Star, type IconNode } from 'lucide';
import type { PagePlace } from '#renderer/state/places/places.ts';

/** As the left column and the switcher have them; the key of the same name leads there. */
export const listedPlaces = [
  { kind: 'inbox', icon: Inbox },
  { kind: 'recent', icon: History },
  { kind: 'feed', icon: Layers },
  { kind: 'mentions', icon: AtSign },
  { kind: 'starred', icon: Star },
  { kind: 'drafts', icon: FilePen },
] as const satisfies readonly { readonly kind: string; readonly icon: IconNode }[];

export type ListedKind = (typeof listedPlaces)[number]['kind'];

/** Loaded when they are wanted first: the window opens without them. */
export const pageParts = {
  recent: () => import('./recent.svelte'),
  drafts: () => import('./drafts.svelte'),
  streams: () => import('./streams.svelte'),
  missing: () => import('./missing.svelte'),
  firstSteps: () => import('../first-steps/first-steps.svelte'),
  introduction: () => import('../first-steps/introduction.svelte'),
} as const satisfies Record<Exclude<PagePlace['kind'], 'inbox'>, () => Promise<unknown>>;
