/** The headless service: one line on standard output when it listens, a clean end by a signal. */
import type { RunningService } from './compose-service.ts';
import { oneLine } from '#node/wording.ts';
import { systemClock } from '#node/clock.ts';
import { commandName } from '#node/own-command.ts';
import { cacheCompiledCode } from '#node/compile-cache.ts';
import { stderrLog } from '#node/log.ts';
import { tidyHeap } from '#node/threads/memory.ts';
import { isInOwnCertificate } from './reachable-addresses.ts';
import { isLoopback, ownAddresses, ownNetworks } from '#node/network/own-addresses.ts';
import {
  type BackupRequest,
  type BackupSchedule,
  loadServeRequest,
  type ServeOptions,
  type ServeRequest,
} from './options/serve-options.ts';
import { rendererDir } from '#node/files/app-files.ts';
import { holdBackHelpers, letServiceGoFirst } from '#node/threads/priority.ts';
import { safetyWords } from '#node/tls/fingerprint-words.ts';
import { abortedBySignal, print } from '#node/terminal.ts';

function fail(message: string, exitCode: number): void {
  print('stderr', message);
  process.exit(exitCode);
}

/** The first signal ends it cleanly, also while it is still starting; the second one at once. */
function stopOnSignal(starting: Promise<RunningService>): void {
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) process.exit(1);
    isStopping = true;
    starting
      .then((service) => service.stop())
      .then(
        () => process.exit(0),
        (error: unknown) => fail(`The service did not end cleanly: ${oneLine(error)}`, 1),
      );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** What scripts have goes on working, and whoever reads them hears how it is written now. */
const tellNewSpelling = (old: string, command: string): void =>
  print('stderr', `${old} is an old spelling of "${commandName} ${command}": use that.`);

/** For an administrator who cannot be helped by another one. Only the terminal is told. */
async function printPasswordLink(service: RunningService, email: string): Promise<void> {
  try {
    print('stdout', `password link ${await service.makePasswordLink(email, 'serve')}`);
  } catch (error) {
    await service.stop();
    throw error;
  }
}

/** Said before anybody relies on them; a code that a log has is nobody's secret, and so none is made here. */
async function checkBackups({ dataDir }: ServeOptions, { into }: BackupSchedule): Promise<void> {
  const { findScheduleProblem } = await import('#backup/schedule-problem.ts');
  const obstacle = await findScheduleProblem(dataDir, into);
  if (obstacle !== undefined) fail(obstacle, 1);
}

/** What somebody on another computer needs to get in, and to know that it is this one. */
async function printIdentity(
  { addresses, fingerprint }: RunningService,
  { host, certificate, publicUrl }: ServeOptions,
): Promise<void> {
  const reachable = addresses();
  if (reachable.length === 0) return;
  const isGood = (address: string): boolean =>
    certificate !== null ||
    address === publicUrl ||
    !address.startsWith('https:') ||
    isInOwnCertificate(address, host);
  const { good = [], foreign = [] } = Object.groupBy(reachable, (address) =>
    isGood(address) ? 'good' : 'foreign',
  );
  print('stdout', ...good.map((address) => `address ${address}`));
  print('stdout', `safety words ${await safetyWords(fingerprint)}`, `pin ${fingerprint}`);
  if (foreign.length === 0) return;
  print(
    'stderr',
    `The service's own certificate is not for ${foreign.join(', ')}: Hearth connects there by the key fingerprint, browsers and other programs are warned. For them put a proxy in front, or use --tls-cert.`,
  );
}

/** What runs where an organization was answers that it has moved, so that nobody who slept through it looks in vain. */
function printMove(addresses: readonly string[]): void {
  const places = addresses.map((address) => `moved to ${address}`);
  const unknown = 'moved to another computer, which has not said yet where it is reached';
  print('stdout', ...(places.length === 0 ? [unknown] : places));
  print(
    'stderr',
    'The organization lives on another computer now: serve it there. Nobody can use it here; this service tells people where it is. Stop it once all of them have gone along.',
  );
}

/** Whoever waits for what was asked waits as long as it serves. */
const endedBySignal = new Promise<never>(() => undefined);

type Run = Extract<ServeRequest, { readonly kind: 'run' }>;

/** What was begun beside it ends with it. */
async function withBackups(
  starting: Promise<RunningService>,
  { dataDir }: ServeOptions,
  backups: BackupSchedule | null,
): Promise<RunningService> {
  const service = await starting;
  if (backups === null) return service;
  const { startBackupSchedule } = await import('#backup/schedule.ts');
  const end = startBackupSchedule({ ...backups, dataDir, log: service.log });
  const stop = async (): Promise<void> => {
    await end();
    await service.stop();
  };
  return { ...service, stop };
}

/** A signal ends what is told of it, too, before it ends itself. */
async function withAnnouncements(
  starting: Promise<RunningService>,
  { host }: ServeOptions,
): Promise<RunningService> {
  const service = await starting;
  if (isLoopback(host)) return service;
  const [{ announceService }, { createAnnouncer }] = await Promise.all([
    import('./announce.ts'),
    import('#node/discovery/announcer.ts'),
  ]);
  const end = announceService(
    { ...service, host },
    {
      announcer: createAnnouncer(stderrLog),
      clock: systemClock,
      networks: ownNetworks,
      names: () => ownAddresses().names,
    },
  );
  const stop = async (): Promise<void> => {
    await end();
    await service.stop();
  };
  return { ...service, stop };
}

async function serve({ options, passwordLinkFor, isAnnounced, backups }: Run): Promise<void> {
  if (backups !== null) await checkBackups(options, backups);
  cacheCompiledCode();
  holdBackHelpers();
  const { compose } = await import('./compose-service.ts');
  const composed = compose({ ...options, secret: null, identity: null, rendererDir });
  const told = isAnnounced ? withAnnouncements(composed, options) : composed;
  const starting = withBackups(told, options, backups);
  stopOnSignal(starting);
  try {
    const service = await starting;
    const { origin, setupCode } = service;
    print('stdout', `serving ${origin}`);
    if (setupCode !== null) print('stdout', `setup code ${setupCode}`);
    if (passwordLinkFor !== null) await printPasswordLink(service, passwordLinkFor);
    const moved = await service.movedTo();
    if (moved === null) await printIdentity(service, options);
    else printMove(moved);
    tidyHeap(systemClock);
    await endedBySignal;
  } catch (error) {
    fail(oneLine(error), 1);
  }
}

async function backUpAndEnd(request: BackupRequest): Promise<void> {
  cacheCompiledCode();
  letServiceGoFirst();
  try {
    const { carryOutPlainCopy } = await import('#backup/plain-copy-command.ts');
    const { line, warnings, isComplete } = await carryOutPlainCopy(request, abortedBySignal());
    print('stdout', line);
    print('stderr', ...warnings);
    if (!isComplete) process.exitCode = 1;
  } catch (error) {
    fail(oneLine(error), 1);
  }
}

const { request, warnings } = await loadServeRequest(process.argv.slice(2), process.env);
print('stderr', ...warnings);
switch (request.kind) {
  case 'help':
    print('stdout', ...request.text.trimEnd().split('\n'));
    break;
  case 'mistake':
    fail(`${request.message} (see --help)`, 2);
    break;
  case 'backup':
    tellNewSpelling('--backup', 'backup DIR --plain');
    await backUpAndEnd(request.backup);
    break;
  case 'run':
    if (request.passwordLinkFor !== null)
      tellNewSpelling('--password-link', 'reset-password EMAIL');
    await serve(request);
    break;
}
