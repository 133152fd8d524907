/** Makes the headless service one of the system's, or no longer. */
import { spawn } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '#node/error-code.ts';
import { type ServicePlace, type SystemService, systemService } from './system-service.ts';
import { serveName } from '#node/own-command.ts';
import { pathExists } from '#node/files/exists.ts';
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { cliWords } from '#shared/i18n/cli-words.ts';

export interface ServiceState {
  readonly file: string;
  readonly isInstalled: boolean;
  /** Null where the system cannot be asked. */
  readonly isRunning: boolean | null;
}

/** The first command that did not work; null where all did. */
type Unfinished = readonly string[] | null;

/** How it ended; null where there is no such program, or it was killed. */
function runQuietly([program = '', ...args]: readonly string[]): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore' });
    child.on('error', () => resolve(null));
    child.on('close', resolve);
  });
}

async function runAll(commands: readonly (readonly string[])[]): Promise<Unfinished> {
  for (const command of commands) if ((await runQuietly(command)) !== 0) return command;
  return null;
}

function serviceOf(place: ServicePlace): SystemService {
  const service = systemService(place);
  if (service !== undefined) return service;
  throw new ExplainedError(cliWords('service_not_supported', { command: serveName }));
}

const mayNot = (file: string, error: unknown): ExplainedError =>
  new ExplainedError(cliWords('service_file_not_writable', { file, code: codeOf(error) }));

/**
 * @param words  the program with its arguments
 * @throws ExplainedError
 */
export async function installService(
  place: ServicePlace,
  words: readonly string[],
): Promise<{ readonly file: string; readonly starts: string; readonly unfinished: Unfinished }> {
  const strange = words.find((word) => /[\n\r\0]/.test(word));
  if (strange !== undefined) {
    throw new ExplainedError(cliWords('service_path_with_line_break'));
  }
  const { file, text, begin, starts } = serviceOf(place);
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text(words), { mode: 0o644 });
  } catch (error) {
    throw mayNot(file, error);
  }
  return { file, starts, unfinished: await runAll(begin) };
}

/** @returns the file that was removed; null where there was none @throws ExplainedError */
export async function uninstallService(place: ServicePlace): Promise<string | null> {
  const { file, end } = serviceOf(place);
  if (!(await pathExists(file))) return null;
  await runAll(end);
  try {
    await rm(file);
  } catch (error) {
    throw mayNot(file, error);
  }
  return file;
}

/** @throws ExplainedError */
export async function serviceState(place: ServicePlace): Promise<ServiceState> {
  const { file, isRunning: asked } = serviceOf(place);
  const isInstalled = await pathExists(file);
  const code = isInstalled ? await runQuietly(asked) : null;
  return { file, isInstalled, isRunning: code === null ? null : code === 0 };
}
