/** What is done to an organization that nobody serves now. */
import { join } from 'node:path';
import { isThere } from '#node/files/exists.ts';
import { SECRET_FILE } from '#node/tls/server-identity.ts';
import { defaultTimes } from '../options.ts';
import { readServing, SERVING_FILE, writeWhole } from '#node/migration/transfer-files.ts';
import { checkOrganization, KeepingError } from '#backup/collect.ts';

/** As much of what puts a service together as is needed here. */
type Compose = (
  options: typeof defaultTimes & {
    readonly dataDir: string;
    readonly port: number;
    readonly host: string;
    readonly isDevelopment: boolean;
    readonly allowPrivateAddresses: boolean;
    readonly secret: null;
    readonly officeKey: null;
    readonly rendererDir: null;
  },
) => Promise<{
  readonly origin: string;
  readonly makePasswordLink: (email: string, client: string) => Promise<string>;
  readonly stop: () => Promise<void>;
}>;

/** @throws KeepingError where the folder cannot be served from here */
async function checkFolder(dataDir: string): Promise<void> {
  await checkOrganization(dataDir);
  // With a new one everybody would have to sign in anew.
  if (!(await isThere(join(dataDir, SECRET_FILE)))) {
    throw new KeepingError(
      `The keys of the organization in ${dataDir} are in the keychain of a desktop: open Hearth there, then give the command again.`,
    );
  }
}

/**
 * A link for whoever signs in with an address, that begins with where the service was last.
 * @throws KeepingError, or what the service says
 */
export async function linkWithoutService(
  dataDir: string,
  email: string,
  compose: Compose,
): Promise<string> {
  await checkFolder(dataDir);
  const before = await readServing(dataDir);
  const service = await compose({
    ...defaultTimes,
    ...{ dataDir, port: 0, host: '127.0.0.1', isDevelopment: false },
    ...{ allowPrivateAddresses: false, secret: null, officeKey: null, rendererDir: null },
  });
  try {
    const link = await service.makePasswordLink(email, 'hearth command');
    return before === undefined ? link : link.replace(service.origin, before.origin);
  } catch (error) {
    throw new KeepingError(
      `EMAIL ${email}: ${error instanceof Error ? error.message : String(error)}`,
    );
  } finally {
    await service.stop();
    if (before !== undefined) await writeWhole(join(dataDir, SERVING_FILE), before);
  }
}
