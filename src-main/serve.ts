/** The headless service: one line on standard output when it listens, a clean end by a signal. */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { RunningService } from './compose.ts';
import { readServeRequest, type ServeOptions } from './platform/options.ts';

const rendererDir = fileURLToPath(new URL('../out/renderer', import.meta.url));

const oneLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, ' ');

function fail(message: string, exitCode: number): void {
  process.stderr.write(`${message}\n`);
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

async function serve(options: ServeOptions): Promise<void> {
  // Everything else is compiled once and kept: a start then takes half as long.
  enableCompileCache();
  const { compose } = await import('./compose.ts');
  const starting = compose({ ...options, secret: null, rendererDir });
  stopOnSignal(starting);
  try {
    const { origin } = await starting;
    process.stdout.write(`serving ${origin}\n`);
  } catch (error) {
    fail(oneLine(error), 1);
  }
}

const request = readServeRequest(process.argv.slice(2));
switch (request.kind) {
  case 'help':
    process.stdout.write(request.text);
    break;
  case 'mistake':
    fail(`${request.message} (see --help)`, 2);
    break;
  case 'run':
    await serve(request.options);
    break;
}
