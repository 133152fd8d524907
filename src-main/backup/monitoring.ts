/** What programs that watch a service are told of it beside what its organization knows. */
import { readFile } from 'node:fs/promises';
import { codeOf } from '#node/error-code.ts';
import { StartError } from '#node/start-error.ts';
import type { Monitoring } from '#service/http/monitoring.ts';
import { readLastArchive } from './last-archive.ts';

const MIN_TOKEN_LENGTH = 16;

/** @throws StartError */
async function readToken(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const message = `The file ${file} of --metrics-token cannot be read (${codeOf(error)}): make it, or start without it.`;
    throw new StartError('HOST_FAILED', message, { cause: error });
  });
  const token = text.trim();
  if (token.length >= MIN_TOKEN_LENGTH && !/\s/.test(token)) return token;
  throw new StartError(
    'HOST_FAILED',
    `The file ${file} of --metrics-token needs one word of at least ${String(MIN_TOKEN_LENGTH)} characters and nothing else.`,
  );
}

export interface MonitoringOptions extends Pick<
  Monitoring,
  'isServing' | 'health' | 'warningCounts'
> {
  readonly dataDir: string;
  readonly metricsTokenFile: string | null;
}

export async function openMonitoring({
  dataDir,
  metricsTokenFile,
  ...watched
}: MonitoringOptions): Promise<Monitoring> {
  return {
    ...watched,
    lastBackupAt: async () => (await readLastArchive(dataDir))?.madeAtSeconds ?? null,
    metricsToken: metricsTokenFile === null ? null : await readToken(metricsTokenFile),
  };
}
