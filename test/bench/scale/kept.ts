/** Organizations of many messages take minutes to make: they are kept in the temporary folder, and copied for each measurement. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { constants, cp, mkdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeDataDir } from '../processes.ts';
import { makeScaleOrganization } from './organization.ts';

const sources = ['./organization.ts', '../seed.ts', '../texts.ts'];

/** Another one as soon as it would be made otherwise; a newer service brings its database up to date at its start. */
function formOf(): string {
  const hash = createHash('sha256');
  for (const source of sources) {
    hash.update(readFileSync(fileURLToPath(new URL(source, import.meta.url))));
  }
  return hash.digest('hex').slice(0, 8);
}

async function keptOrganization(messages: number, tell: (line: string) => void): Promise<string> {
  const kept = join(tmpdir(), `hearth-scale-${formOf()}-${String(messages)}`);
  if (existsSync(kept)) return kept;
  const startedAt = performance.now();
  const making = `${kept}-making`;
  await rm(making, { recursive: true, force: true });
  await mkdir(making);
  await makeScaleOrganization(making, messages);
  await rename(making, kept);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  tell(`made ${messages.toLocaleString('en-US')} messages in ${seconds} s: ${kept}`);
  return kept;
}

/** A folder of one's own with an organization of so many messages. */
export async function copyOfOrganization(
  messages: number,
  tell: (line: string) => void,
): Promise<string> {
  const kept = await keptOrganization(messages, tell);
  const dataDir = await makeDataDir();
  await cp(kept, dataDir, { recursive: true, mode: constants.COPYFILE_FICLONE });
  return dataDir;
}
