import { mkdirSync, mkdtempSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, isDiskFull } from '#node/error-code.ts';
import { systemWords } from '#shared/i18n/system-words.ts';

/** Why nothing can be kept in the profile, as sentences; undefined where it can. At once: the window waits for it. */
export function findProfileProblem(profileDir: string): string | undefined {
  try {
    mkdirSync(profileDir, { recursive: true, mode: 0o700 });
    rmdirSync(mkdtempSync(join(profileDir, '.probe-')));
    return undefined;
  } catch (error) {
    // What is there can be read meanwhile.
    if (isDiskFull(error)) return undefined;
    const refused = { folder: profileDir, code: codeOf(error) };
    return systemWords('profile_folder_not_writable', refused).message;
  }
}
