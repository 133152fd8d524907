/** What `hearth service` does. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { databaseIn } from '#node/files/data-folder.ts';
import { serveCommand } from '#node/own-command.ts';
import { SECRET_FILE } from '#node/tls/server-identity.ts';
import type { ServiceCommand } from './command-kinds.ts';
import type { CommandOutput } from './command-output.ts';
import { installService, serviceState, uninstallService } from './install-service.ts';
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { cliWords } from '#shared/i18n/cli-words.ts';

const running = (isRunning: boolean | null): string => {
  if (isRunning === null) return 'the system cannot be asked whether it runs';
  return isRunning ? 'it runs' : 'it does not run';
};

export async function runService({
  action,
  dataDir,
  isForSystem,
  serveArgs,
}: ServiceCommand): Promise<CommandOutput> {
  const { env, platform } = process;
  const place = { platform, env, home: homedir(), userId: process.getuid?.() ?? 0, isForSystem };
  const said = { warnings: [], exitCode: 0 };
  if (action === 'status') {
    const { file, isInstalled, isRunning } = await serviceState(place);
    const line = isInstalled ? `installed as ${file}; ${running(isRunning)}` : 'not installed';
    const fields = { file, is_installed: isInstalled, is_running: isRunning };
    return { ...said, lines: [line], fields };
  }
  if (action === 'uninstall') {
    const file = await uninstallService(place);
    const line = file === null ? 'nothing was installed' : `removed ${file}; the data folder stays`;
    return { ...said, lines: [line], fields: { file } };
  }
  if (existsSync(databaseIn(dataDir)) && !existsSync(join(dataDir, SECRET_FILE))) {
    throw new ExplainedError(cliWords('keys_out_of_reach', { folder: dataDir }));
  }
  const words = [...serveCommand(), ...serveArgs];
  const { file, starts, unfinished } = await installService(place, words);
  const warnings =
    unfinished === null
      ? []
      : [
          `The file is there, but "${unfinished.join(' ')}" did not work: start the service yourself.`,
        ];
  const fields = { file, is_started: unfinished === null };
  return { ...said, lines: [`installed as ${file}. ${starts}`], warnings, fields };
}
