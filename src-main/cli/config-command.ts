/** `hearth config`: the options with which the service would start, and where each comes from. */
import { OptionError } from '#node/command-line/option.ts';
import { effectiveLines, effectiveOptions } from '#hosting/options/effective-options.ts';
import { loadServeRequest } from '#hosting/options/serve-options.ts';
import type { ConfigCommand } from './command-kinds.ts';
import type { CommandOutput } from './command-output.ts';

/** @throws OptionError */
export async function runConfig({ args }: ConfigCommand): Promise<CommandOutput> {
  const { request, warnings, given } = await loadServeRequest(args, process.env);
  if (request.kind === 'mistake') throw new OptionError(request);
  const options = effectiveOptions(given);
  return { lines: effectiveLines(options), warnings, fields: { options }, exitCode: 0 };
}
