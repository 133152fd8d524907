import type { Session } from 'electron';
import type { Preferences } from '#shared/bridge/models/preferences.ts';

/** Where an organization keeps dictionaries for its people: an address that ends in `/`. */
const DICTIONARIES = 'HEARTH_DICTIONARIES_URL';

/** Nothing listens on the discard port of this computer: Chromium then has what is in the profile, and asks nobody. */
const NOWHERE = 'http://127.0.0.1:9/';

const isAddress = (text: string | undefined): text is string =>
  text !== undefined && /^https?:\/\/.+\/$/.test(text) && URL.canParse(text);

/**
 * Spell checking by what this computer has: the system's own on macOS, elsewhere dictionaries (`en-US-10-1.bdic`) in the
 * folder `Dictionaries` of the profile, or at the address that the organization set. Never Chromium's own server.
 */
export function prepareSpelling(session: Session, env: NodeJS.ProcessEnv): void {
  if (process.platform === 'darwin') return;
  const address = env[DICTIONARIES];
  session.setSpellCheckerDictionaryDownloadURL(isAddress(address) ? address : NOWHERE);
}

export function applySpelling(
  session: Session,
  { spellCheck, spellLanguages }: Pick<Preferences, 'spellCheck' | 'spellLanguages'>,
  systemLanguages: readonly string[],
): void {
  session.setSpellCheckerEnabled(spellCheck);
  if (process.platform === 'darwin') return;
  const wanted = spellLanguages.length > 0 ? spellLanguages : systemLanguages;
  session.setSpellCheckerLanguages(
    spellCheck ? knownLanguages(wanted, session.availableSpellCheckerLanguages) : [],
  );
}

/** As Chromium names them: `de-AT` is checked as `de` where there is nothing closer. */
export function knownLanguages(wanted: readonly string[], available: readonly string[]): string[] {
  const found = wanted.flatMap((tag) => {
    const language = tag.split('-')[0] ?? tag;
    const match =
      available.find((name) => name.toLowerCase() === tag.toLowerCase()) ??
      available.find((name) => name === language) ??
      available.find((name) => name.startsWith(`${language}-`));
    return match === undefined ? [] : [match];
  });
  return [...new Set(found)];
}
