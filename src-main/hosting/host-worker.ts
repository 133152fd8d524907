/** The worker thread that runs a hosted service; `host.ts` starts it. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { compose, type RunningService } from './compose-service.ts';
import { systemClock } from '#node/clock.ts';
import {
  type HostReport,
  type HostRequest,
  readHostJob,
  readHostRequest,
} from '#node/threads/host-messages.ts';
import { tidyHeap } from '#node/threads/memory.ts';
import { defaultTimes } from './default-times.ts';
import { readServerIdentity } from '#node/tls/server-identity.ts';
import { yieldProcessor } from '#node/threads/priority.ts';
import { StartError } from '#node/start-error.ts';
import { toldOf } from '#shared/i18n/explained-error.ts';
import { hostingWords } from '#shared/i18n/hosting-words.ts';

function failureOf(error: unknown): HostReport {
  const told = toldOf(error);
  return error instanceof StartError
    ? { type: 'failed', code: error.code, ...told }
    : {
        type: 'failed',
        code: 'HOST_FAILED',
        ...hostingWords('service_start_failed', { reason: told.message }),
      };
}

function start(): Promise<RunningService> {
  const { dataDir, port, secret, officeKey, rendererDir } = readHostJob(workerData);
  return compose({
    ...defaultTimes,
    dataDir,
    port,
    rendererDir,
    host: '127.0.0.1',
    isDevelopment: false,
    allowPrivateAddresses: false,
    secret: Buffer.from(secret, 'hex'),
    identity: readServerIdentity(officeKey) ?? null,
  });
}

/** As the audit log names the application. */
const CLIENT = 'Hearth';

async function makeLink(service: RunningService, id: number, email: string): Promise<HostReport> {
  try {
    const link = await service.makePasswordLink(email, CLIENT);
    return { type: 'password-link', id, link, refusal: '' };
  } catch (error) {
    const { message: refusal, ...cause } = toldOf(error);
    return { type: 'password-link', id, link: null, refusal, ...cause };
  }
}

type Targets = Extract<HostRequest, { readonly type: 'targets' }>;

async function changeTargets(
  service: RunningService,
  { id, allow, remove }: Targets,
): Promise<HostReport> {
  const change = {
    allow: allow === null ? [] : [allow],
    remove: remove === null ? [] : [remove],
  };
  try {
    return {
      type: 'targets',
      id,
      targets: await service.changeTargets(change, CLIENT),
      refusal: '',
    };
  } catch (error) {
    const { message: refusal, ...cause } = toldOf(error);
    return { type: 'targets', id, targets: null, refusal, ...cause };
  }
}

type ListenersRequest = Extract<HostRequest, { readonly type: 'doors' }>;

async function openListeners(
  service: RunningService,
  { id, addresses }: ListenersRequest,
): Promise<HostReport> {
  const closed = await service.listenOn(addresses);
  return { type: 'doors', id, closed, visitors: service.remoteClients() };
}

type Sleep = Extract<HostRequest, { readonly type: 'sleep' }>;

async function setAsleep(service: RunningService, { id, isAsleep }: Sleep): Promise<HostReport> {
  await service.setAsleep(isAsleep);
  return { type: 'sleep', id };
}

type AnsweredRequest = Exclude<HostRequest, { readonly type: 'stop' }>;

function answerTo(service: RunningService, request: AnsweredRequest): Promise<HostReport> {
  switch (request.type) {
    case 'sleep':
      return setAsleep(service, request);
    case 'doors':
      return openListeners(service, request);
    case 'targets':
      return changeTargets(service, request);
    case 'password-link':
      return makeLink(service, request.id, request.email);
  }
}

async function host(port: MessagePort): Promise<void> {
  let service: RunningService | undefined;
  // Listened for from the beginning: it may be told to stop while it still starts.
  const asked = new Promise<void>((resolve) => {
    port.on('message', (message: unknown) => {
      const request = readHostRequest(message);
      if (request?.type === 'stop') resolve();
      if (request === undefined || request.type === 'stop' || service === undefined) return;
      void answerTo(service, request).then((report) => port.postMessage(report));
    });
  });
  try {
    service = await start();
    const { origin, setupCode, fingerprint, isClosed } = service;
    port.postMessage({
      type: 'listening',
      origin,
      setupCode,
      pin: fingerprint,
      isClosed,
    } satisfies HostReport);
    tidyHeap(systemClock);
    await asked;
    await service.stop();
  } catch (error) {
    port.postMessage(failureOf(error));
  }
  // Without a listener the port no longer keeps the thread alive.
  port.close();
}

/**
 * Where both want the processor, the window's thread comes first: whoever sits here is not to notice how much others send.
 * Not by far, because other programs come first as well.
 */
const NICER_BY = 5;

if (parentPort === null) throw new Error('host-worker runs as a worker thread only');
yieldProcessor(NICER_BY);
await host(parentPort);
