/** The worker thread that runs a hosted service; `host.ts` starts it. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { compose, type RunningService } from './compose.ts';
import { type HostReport, readHostJob, readHostRequest } from './platform/host-messages.ts';
import { defaultTimes } from './platform/options.ts';
import { StartError } from './platform/start-error.ts';

function failureOf(error: unknown): HostReport {
  if (error instanceof StartError)
    return { type: 'failed', code: error.code, message: error.message };
  const reason = error instanceof Error ? error.message : String(error);
  return { type: 'failed', code: 'HOST_FAILED', message: `The service could not start: ${reason}` };
}

function start(): Promise<RunningService> {
  const { dataDir, port, secret, rendererDir } = readHostJob(workerData);
  return compose({
    ...defaultTimes,
    dataDir,
    port,
    rendererDir,
    host: '127.0.0.1',
    isDevelopment: false,
    allowPrivateAddresses: false,
    secret: Buffer.from(secret, 'hex'),
  });
}

async function host(port: MessagePort): Promise<void> {
  // Listened for from the beginning: it may be told to stop while it still starts.
  const asked = new Promise<void>((resolve) => {
    port.on('message', (message: unknown) => {
      if (readHostRequest(message) !== undefined) resolve();
    });
  });
  try {
    const service = await start();
    port.postMessage({ type: 'listening', origin: service.origin } satisfies HostReport);
    await asked;
    await service.stop();
  } catch (error) {
    port.postMessage(failureOf(error));
  }
  // Without a listener the port no longer keeps the thread alive.
  port.close();
}

if (parentPort === null) throw new Error('host-worker runs as a worker thread only');
await host(parentPort);
