/** What is done to an organization that nobody serves now. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathExists } from '#node/files/exists.ts';
import { abortedBySignal } from '#node/terminal.ts';
import { SECRET_FILE } from '#node/tls/server-identity.ts';
import { defaultTimes } from '../default-times.ts';
import { readServingState, SERVING_FILE, writeState } from '#node/migration/transfer-files.ts';
import { compose, type RunningService } from '../compose-service.ts';
import { serveTable } from '../options/option-table.ts';
import { requestPeople } from './command-socket.ts';
import type { PeopleAnswer, PeopleRequest } from './people-requests.ts';
import { checkOrganization } from '#backup/collect.ts';
import { ExplainedError, toldOf } from '#shared/i18n/explained-error.ts';
import { cliWords } from '#shared/i18n/cli-words.ts';

/** Of a service that has never run here, and will with no options. */
const usualOrigin = `http://${serveTable.host.initialText}:${serveTable.port.initialText}`;

/** @throws ExplainedError where the folder cannot be served from here */
async function checkFolder(dataDir: string): Promise<void> {
  await checkOrganization(dataDir);
  // With a new one everybody would have to sign in anew.
  if (!(await pathExists(join(dataDir, SECRET_FILE)))) {
    throw new ExplainedError(cliWords('keys_held_by_desktop', { folder: dataDir }));
  }
}

/**
 * Serves the organization to this computer alone, as long as `work` takes.
 * @throws ExplainedError, or what the service says
 */
async function whileServed<T>(
  dataDir: string,
  work: (
    service: RunningService,
    /** A link for others, which begins with where they reached the service last. */
    asShared: (link: string) => string,
  ) => Promise<T>,
): Promise<T> {
  await checkFolder(dataDir);
  // Ended by a signal, it would leave in the folder where it is reached meanwhile.
  abortedBySignal();
  const before = await readServingState(dataDir);
  const [shared = before?.origin ?? usualOrigin] = before?.addresses ?? [];
  const service = await compose({
    ...defaultTimes,
    dataDir,
    port: 0,
    host: '127.0.0.1',
    isDevelopment: false,
    allowPrivateAddresses: false,
    secret: null,
    identity: null,
    rendererDir: null,
  });
  try {
    return await work(service, (link) => link.replace(service.origin, shared));
  } finally {
    await service.stop();
    const file = join(dataDir, SERVING_FILE);
    await (before === undefined ? rm(file, { force: true }) : writeState(file, before));
  }
}

/** A link for whoever signs in with an address. @throws ExplainedError, or what the service says */
export const makeLinkWithoutService = (dataDir: string, email: string): Promise<string> =>
  whileServed(dataDir, async (service, asShared) => {
    try {
      return asShared(await service.makePasswordLink(email, 'hearth command'));
    } catch (error) {
      const { message: reason } = toldOf(error);
      throw new ExplainedError(cliWords('email_refused', { email, reason }));
    }
  });

/** @throws ExplainedError, or what the service says */
export const managePeopleWithoutService = (
  dataDir: string,
  asked: PeopleRequest,
): Promise<PeopleAnswer> =>
  whileServed(dataDir, async (_service, asShared) => {
    // By the way that everybody takes.
    const answer = await requestPeople(dataDir, asked);
    if (answer === undefined)
      throw new ExplainedError(cliWords('organization_cannot_be_served', { folder: dataDir }));
    const people = answer.people.map(({ link, ...person }) =>
      link === undefined ? person : { ...person, link: asShared(link) },
    );
    return { ...answer, people };
  });
