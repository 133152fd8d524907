/** Every screen, in the order in which one tab walks through them. */
import { dialogs } from './dialogs.ts';
import { beginnings, places } from './places.ts';
import { troubles, writing } from './writing.ts';

export const screens = [...beginnings, ...places, ...writing, ...dialogs, ...troubles] as const;
