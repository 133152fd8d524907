/** Every screen, in the order in which one tab walks through them. */
import type { Office } from '../life/office.ts';
import { crowded } from './crowded.ts';
import { dialogs } from './dialogs.ts';
import { beginnings, places } from './places.ts';
import type { Screen } from './stage.ts';
import { troubles, writing } from './writing.ts';

export const screens = [...beginnings, ...places, ...writing, ...dialogs, ...troubles] as const;

/** An office that was filled has some more to show; what troubles it comes last all the same. */
export const screensOf = ({ people }: Pick<Office, 'people'>): readonly Screen[] =>
  people === undefined
    ? screens
    : [...beginnings, ...places, ...crowded, ...writing, ...dialogs, ...troubles];
