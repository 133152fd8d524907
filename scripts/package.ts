import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { getCurrentFuseWire } from '@electron/fuses';
import { build as runBuilder, type AfterPackContext, type Configuration } from 'electron-builder';
import configuration from '../electron-builder.ts';
import { commandWords, switchesOfCommands } from '#cli/command-words.ts';
import { engineSwitch, serveEnvironment } from '#node/own-command.ts';
import { installedElectron } from './electron-binary.ts';
import { projectDir } from './run.ts';
import { buildIfStale } from './stale-build.ts';

/*
 * npm run package            the application and every installer of this platform, in dist/
 * npm run package -- --dir   only the application, unpacked
 * npm run package -- deb     only this installer
 *
 * ELECTRON_OVERRIDE_DIST_PATH   a folder with an Electron to take instead of downloading the official one
 * HEARTH_SQLITE_BINDING         a better_sqlite3.node built for it, where it is too old for the one that is shipped
 * HEARTH_PACKAGE_OUTPUT         another folder than dist/
 */

const platforms = {
  linux: { key: 'linux', targets: configuration.linux.target },
  win32: { key: 'win', targets: configuration.win.target },
  darwin: { key: 'mac', targets: configuration.mac.target },
} as const;

const isCi = Boolean(process.env['CI']) && process.env['CI'] !== 'false';

/** What a download of electron-builder's tools fails with where they cannot be reached. */
const unreachable =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT|\b(403|407)\b/;

type Outcome = 'built' | 'left out' | 'failed';

async function main(args: readonly string[]): Promise<boolean> {
  const { platform, installers } = choose(args);
  const runtime = givenRuntime();
  const temporary = mkdtempSync(join(tmpdir(), 'hearth-package-'));
  try {
    const config = await configurationFor(runtime, temporary);
    await buildIfStale();
    const application = await packApplication(platform, config);
    console.log(`\nbuilt     ${relative(projectDir, application)}`);
    const outcomes: Outcome[] = [];
    for (const installer of installers) {
      outcomes.push(await makeInstaller(platform, installer, application, config));
    }
    return outcomes.every((outcome) => outcome === 'built' || (outcome === 'left out' && !isCi));
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

type PlatformKey = (typeof platforms)[keyof typeof platforms]['key'];

function choose(args: readonly string[]): {
  readonly platform: PlatformKey;
  readonly installers: readonly string[];
} {
  const { platform } = process;
  if (!Object.hasOwn(platforms, platform))
    throw new Error(`Hearth is not packaged for ${platform}`);
  const { key, targets } = platforms[platform as keyof typeof platforms];
  if (args.length === 0) return { platform: key, installers: targets };
  const known: readonly string[] = ['--dir', ...targets];
  const unknown = args.filter((arg) => !known.includes(arg));
  if (unknown.length > 0) {
    throw new Error(`there is no ${unknown.join(', ')} here; choose among ${known.join(', ')}`);
  }
  return { platform: key, installers: args.filter((arg) => arg !== '--dir') };
}

interface Runtime {
  readonly folder: string;
  readonly executable: string;
  readonly version: string;
}

/** The Electron that was given instead of the official one. */
function givenRuntime(): Runtime | undefined {
  const folder = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (folder === undefined || folder === '') return undefined;
  const executable = installedElectron();
  const versionFile = join(folder, 'version');
  if (executable === undefined || !existsSync(versionFile)) {
    throw new Error(
      `ELECTRON_OVERRIDE_DIST_PATH names ${folder}, which holds no Electron: its executable and its file "version"`,
    );
  }
  const version = readFileSync(versionFile, 'utf8').trim().replace(/^v/, '');
  return { folder: resolve(folder), executable: resolve(executable), version };
}

async function configurationFor(
  runtime: Runtime | undefined,
  temporary: string,
): Promise<Configuration> {
  const output = process.env['HEARTH_PACKAGE_OUTPUT'] ?? configuration.directories.output;
  const directories = { ...configuration.directories, output };
  if (runtime === undefined) return { directories };
  const binding = process.env['HEARTH_SQLITE_BINDING'] ?? '';
  assertSqliteLoads(runtime, binding);
  const files: Configuration['files'] = [...configuration.files];
  if (binding !== '') {
    copyFileSync(binding, join(temporary, 'better_sqlite3.node'));
    // The place where the module looks before it takes the build that it ships.
    files.push({ from: temporary, to: 'node_modules/better-sqlite3/build/Release' });
  }
  return {
    directories,
    files,
    electronDist: runtime.folder,
    electronVersion: runtime.version,
    ...((await hasFuses(runtime)) ? {} : { electronFuses: null }),
  };
}

/** Tries it in that Electron, because an application that cannot open its database helps nobody. */
function assertSqliteLoads({ executable, version }: Runtime, binding: string): void {
  const options = binding === '' ? '{}' : JSON.stringify({ nativeBinding: binding });
  const script = `new (require('better-sqlite3'))(':memory:', ${options}).close()`;
  const { status, signal, stderr } = spawnSync(executable, ['-e', script], {
    cwd: projectDir,
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    encoding: 'utf8',
    timeout: 30_000,
  });
  if (status === 0) return;
  // Loading a build for another Node-API ends the process without a word.
  const said = stderr
    .split('\n')
    .find((line) => line.includes('Error'))
    ?.trim();
  const reason = said ?? `it ends with ${signal ?? String(status)}`;
  throw new Error(
    `better-sqlite3 cannot be loaded in Electron ${version} (${reason}): name a build of it for this Electron in HEARTH_SQLITE_BINDING`,
  );
}

async function hasFuses({ executable }: Runtime): Promise<boolean> {
  try {
    await getCurrentFuseWire(executable);
    return true;
  } catch (error) {
    console.warn(
      `THE FUSES ARE NOT SET: ${executable} has none (${messageOf(error)}). Do not give this application to anybody.`,
    );
    return false;
  }
}

/** Gives the folder, or on macOS the application, that installers are made from. */
async function packApplication(platform: PlatformKey, config: Configuration): Promise<string> {
  const contexts: AfterPackContext[] = [];
  const afterPack = (context: AfterPackContext): void => {
    contexts.push(context);
    removeForeign(context);
  };
  try {
    await runBuilder({
      projectDir,
      dir: true,
      [platform]: [],
      publish: 'never',
      config: { ...config, afterPack },
    });
  } catch (error) {
    if (!unreachable.test(messageOf(error))) throw error;
    throw new Error(
      `Electron could not be downloaded (${messageOf(error)}): name a folder that holds it in ELECTRON_OVERRIDE_DIST_PATH`,
      { cause: error },
    );
  }
  const context = contexts[0];
  if (context === undefined) throw new Error('electron-builder packed nothing');
  const { appOutDir, packager } = context;
  if (platform === 'linux') wrapExecutable(join(appOutDir, configuration.linux.executableName));
  return platform === 'mac'
    ? join(appOutDir, `${packager.appInfo.productFilename}.app`)
    : appOutDir;
}

/**
 * A script in the executable's place. As root Chromium ends before any of our code runs, unless its sandbox is off: commands,
 * which show no page, turn it off. And a service starts as npm and the system start it.
 */
function wrapExecutable(executable: string): void {
  renameSync(executable, `${executable}.bin`);
  const commands = [...switchesOfCommands, ...commandWords].join('|');
  const environment = Object.entries(serveEnvironment).map(([name, value]) => `${name}=${value}`);
  const script = `#!/bin/sh
program=$(readlink -f "$0").bin
for word; do
  case $word in
    ${commands})
      [ "$word" = serve ] && export ${environment.join(' ')} && set -- '${engineSwitch}' "$@"
      [ "$(id -u)" = 0 ] && set -- --no-sandbox "$@"
      break ;;
    -*) ;;
    *) break ;;
  esac
done
exec "$program" "$@"
`;
  writeFileSync(executable, script, { mode: 0o755 });
}

/** A folder with an Electron may hold an application, its own at least, which has no place beside ours. */
function removeForeign({ appOutDir, packager }: AfterPackContext): void {
  const resources = packager.getResourcesDir(appOutDir);
  for (const foreign of ['default_app.asar', 'app']) {
    rmSync(join(resources, foreign), { recursive: true, force: true });
  }
  rmSync(join(appOutDir, 'version'), { force: true });
}

/** One at a time, so that a tool which cannot be had for one takes nothing away from the others. */
async function makeInstaller(
  platform: PlatformKey,
  installer: string,
  prepackaged: string,
  config: Configuration,
): Promise<Outcome> {
  try {
    const files = await runBuilder({
      projectDir,
      prepackaged,
      [platform]: [installer],
      publish: 'never',
      config,
    });
    for (const file of files) console.log(`built     ${relative(projectDir, file)}`);
    return 'built';
  } catch (error) {
    const message = messageOf(error);
    const outcome = unreachable.test(message) ? 'left out' : 'failed';
    console.log(`${outcome.padEnd(9)} ${installer}: ${message}`);
    return outcome;
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

try {
  process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
