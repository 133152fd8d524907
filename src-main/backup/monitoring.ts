/** What programs that watch a service are told of it beside what its organization knows. */
import { readFile } from 'node:fs/promises';
import { codeOf } from '#node/error-code.ts';
import { StartError } from '#node/start-error.ts';
import { backupWords } from '#shared/i18n/backup-words.ts';
import type { Monitoring } from '#service/http/monitoring.ts';
import { readLastArchive } from './last-archive.ts';

const MIN_TOKEN_LENGTH = 16;

/** @throws StartError */
async function readToken(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const told = backupWords('metrics_token_not_readable', { file, code: codeOf(error) });
    throw new StartError('HOST_FAILED', told, { cause: error });
  });
  const token = text.trim();
  if (token.length >= MIN_TOKEN_LENGTH && !/\s/.test(token)) return token;
  throw new StartError(
    'HOST_FAILED',
    backupWords('metrics_token_invalid', { file, least: MIN_TOKEN_LENGTH }),
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
