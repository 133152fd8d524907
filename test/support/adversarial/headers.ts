/** The headers that the service reads, by what its sources ask for, and text as it may stand in one. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { integrations } from '#service/webhooks/integrations/index.ts';
import { projectDir } from '../machine.ts';

function sourcesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}

const asked = /\bheaders\.([a-z]+)\b(?!\()|\bheaders\['([a-z-]+)'\]|\bheader\('([a-z-]+)'\)/g;

/** What frames a message belongs to the parser, and ends the connection. */
const framing: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'connection']);

export function headersRead(): readonly string[] {
  const found = sourcesIn(join(projectDir, 'src-main/service')).flatMap((text) =>
    Array.from(
      text.matchAll(asked),
      ([, plain, quoted, called]) => plain ?? quoted ?? called ?? '',
    ),
  );
  const named = [...integrations.values()].flatMap(({ event }) =>
    event !== undefined && 'headers' in event
      ? event.headers.map((each) => each.toLowerCase())
      : [],
  );
  return [...new Set([...found, ...named])].filter((name) => !framing.has(name)).sort();
}

/** Its bytes, without those that no header may have. */
export const headerOf = (text: string, length: number): string =>
  Buffer.from(text.replaceAll(/\p{Cc}/gu, ' '))
    .toString('latin1')
    .slice(0, length);
