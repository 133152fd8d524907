/** What is done on the computer that an organization leaves, beside the service that runs there. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { databaseIn } from '#node/files/data-folder.ts';
import { pathExists } from '#node/files/exists.ts';
import { FINGERPRINT_FILE } from '#node/tls/server-identity.ts';
import { transferCodeText } from '#node/migration/transfer-code.ts';
import { readNextHostState } from '#service/db/sqlite/snapshot.ts';
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { backupWords } from '#shared/i18n/backup-words.ts';
import { checkOrganization } from '../collect.ts';
import {
  PENDING_TARGET_FILE,
  CANCEL_FILE,
  CONFIRMED_TARGET_FILE,
  SOURCE_STATE_FILE,
  digestOf,
  TRANSFER_OFFER_FILE,
  readPendingTarget,
  readServingState,
  removeState,
  type ServingState,
  writeState,
} from '#node/migration/transfer-files.ts';

export interface IssuedTransferCode {
  readonly code: string;
  readonly fingerprint: string;
  readonly expiresAt: Date;
}

const VALID_MS = 10 * 60_000;
const LOOK_LIMIT_MS = 10_000;

/** From this computer, whatever the address for all of them is. */
function ownOrigin({ origin }: ServingState): URL {
  const url = new URL('/api/v1/office/move/look', origin);
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.hostname === '[::]') url.hostname = '[::1]';
  return url;
}

/** Lets the service look at its folder. Undefined where none answers. */
async function notifyService(dataDir: string): Promise<{ readonly isOpen: boolean } | undefined> {
  const serving = await readServingState(dataDir);
  if (serving === undefined) return undefined;
  const url = ownOrigin(serving);
  const options = { method: 'POST', timeout: LOOK_LIMIT_MS };
  return new Promise((resolve) => {
    const asking =
      url.protocol === 'https:'
        ? // Nothing is said that anybody might not hear.
          requestHttps(url, { ...options, rejectUnauthorized: false })
        : requestHttp(url, options);
    asking.on('timeout', () => asking.destroy());
    asking.on('error', () => resolve(undefined));
    asking.on('response', (response) => {
      text(response).then(
        (body) =>
          resolve(
            response.statusCode === 200 ? { isOpen: body.includes('"is_open":true') } : undefined,
          ),
        () => resolve(undefined),
      );
    });
    asking.end();
  });
}

/** @throws ExplainedError where there is no organization, or one that has gone */
async function checkNotMigrated(dataDir: string): Promise<void> {
  await checkOrganization(dataDir);
  if (readNextHostState(databaseIn(dataDir)) === 'signed') {
    throw new ExplainedError(backupWords('move_handed_over'));
  }
}

/**
 * A code for one computer, valid for ten minutes; it replaces the one before. The service must be running.
 * @param asks  whether somebody here has to confirm whoever comes with it
 * @throws ExplainedError
 */
export async function issueTransferCode(
  dataDir: string,
  now: Date,
  asks: boolean,
): Promise<IssuedTransferCode> {
  await checkNotMigrated(dataDir);
  if (await pathExists(join(dataDir, SOURCE_STATE_FILE))) {
    throw new ExplainedError(backupWords('move_under_way'));
  }
  const serving = await readServingState(dataDir);
  if (serving === undefined || (await notifyService(dataDir)) === undefined)
    throw new ExplainedError(backupWords('move_not_served', { folder: dataDir }));
  const fingerprint = (await readFile(join(dataDir, FINGERPRINT_FILE), 'utf8')).trim();
  const token = randomBytes(16).toString('hex');
  const expiresAt = now.getTime() + VALID_MS;
  for (const file of [PENDING_TARGET_FILE, CONFIRMED_TARGET_FILE])
    await removeState(join(dataDir, file));
  await writeState(join(dataDir, TRANSFER_OFFER_FILE), { token: digestOf(token), expiresAt, asks });
  const addresses = serving.addresses.length === 0 ? [serving.origin] : serving.addresses;
  return {
    code: transferCodeText({ token, fingerprint, addresses }),
    fingerprint,
    expiresAt: new Date(expiresAt),
  };
}

/** Lets the computer in that asks, if it shows this number. @throws ExplainedError where no such one asks any more */
export async function confirmMigration(dataDir: string, number: string): Promise<void> {
  const asked = await readPendingTarget(dataDir);
  if (asked?.number !== number) {
    throw new ExplainedError(backupWords('move_not_asked_for'));
  }
  await writeState(join(dataDir, CONFIRMED_TARGET_FILE), { mover: asked.mover });
}

/**
 * Ends a move that has not handed over. Where no service runs, the next one does it before anything else.
 * @returns whether the organization is open again already
 * @throws ExplainedError where it is too late
 */
export async function cancelMigration(dataDir: string): Promise<boolean> {
  await checkNotMigrated(dataDir);
  await writeState(join(dataDir, CANCEL_FILE), {});
  // First, so that nobody comes with it meanwhile.
  for (const file of [TRANSFER_OFFER_FILE, PENDING_TARGET_FILE, CONFIRMED_TARGET_FILE]) {
    await removeState(join(dataDir, file));
  }
  const looked = await notifyService(dataDir);
  await checkNotMigrated(dataDir);
  return looked?.isOpen ?? false;
}
