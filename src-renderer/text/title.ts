import { words } from './words.ts';

/** `(3) deploys – Office`: what wants the reader, where the window is, which organization it is. */
export const windowTitle = (wanted: number, place: string, realmName: string): string => {
  const count = wanted > 0 ? `(${words.capped(wanted)}) ` : '';
  const name = realmName === '' ? words.product : realmName;
  return place === '' ? `${count}${name}` : `${count}${place} – ${name}`;
};
