import { readFileSync } from 'node:fs';
import { mkdir, open, rename } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { Log } from '#node/log.ts';

/** The texts that this version of the application has checked or written, by the names of their files: they are right as they are. */
export type CheckedTexts = Map<string, string>;

export interface ProfileFile<T> {
  /** Undefined where there is none yet, or where it is damaged: that one was moved aside. */
  readonly read: () => Promise<T | undefined>;
  /** Settles when the content is on the disk; a crash leaves the old content or the new one. */
  readonly write: (content: T) => Promise<void>;
  /** Name of the file that a damaged one was moved to, once: asking clears it. */
  readonly takeDamaged: () => string | undefined;
}

export interface ProfileFileParts {
  readonly log: Log;
  /** What needs no more checking; filled by what is checked and written. */
  readonly checked?: CheckedTexts | undefined;
}

/**
 * A JSON file of the profile.
 * @param codec  may be loaded where something has to be checked
 */
export function createProfileFile<T>(
  profileDir: string,
  name: string,
  codec: z.ZodType<T> | (() => Promise<z.ZodType<T>>),
  { log, checked = new Map() }: ProfileFileParts,
): ProfileFile<T> {
  const file = join(profileDir, name);
  let damaged: string | undefined;
  let lastUse: Promise<unknown> = Promise.resolve();

  async function parse(text: string): Promise<T | undefined> {
    if (checked.get(name) === text) return JSON.parse(text) as T;
    const loaded = typeof codec === 'function' ? await codec() : codec;
    try {
      const given: unknown = JSON.parse(text);
      const content = loaded.parse(given);
      if (isDeepStrictEqual(content, given)) checked.set(name, text);
      return content;
    } catch {
      return undefined;
    }
  }

  async function read(): Promise<T | undefined> {
    const text = readIfPresent(file);
    const content = text === undefined ? undefined : await parse(text);
    if (text === undefined || content !== undefined) return content;
    const extension = extname(name);
    const time = new Date().toISOString().replaceAll(':', '-');
    damaged = `${name.slice(0, -extension.length)}.damaged-${time}${extension}`;
    await rename(file, join(profileDir, damaged));
    log.error('a file of the profile is damaged and was moved aside', { file: damaged });
    return undefined;
  }

  /** One after the other: two writers would mix their contents, and two readers each move a damaged file aside. */
  function queue<R>(use: () => Promise<R>): Promise<R> {
    const using = lastUse.then(use);
    lastUse = using.catch(() => undefined);
    return using;
  }

  return {
    read: () => queue(read),
    write: (content) => {
      const text = `${JSON.stringify(content, undefined, 2)}\n`;
      return queue(async () => {
        await writeAtomically(file, text);
        checked.set(name, text);
      });
    },
    takeDamaged: () => {
      const moved = damaged;
      damaged = undefined;
      return moved;
    },
  };
}

/** At once: at a start of the application every turn of the loop takes far longer than reading a small file. */
function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The file has the old content or the new one, also after a power cut. */
export async function writeAtomically(file: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const temporary = `${file}.new`;
  const handle = await open(temporary, 'w', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
}
