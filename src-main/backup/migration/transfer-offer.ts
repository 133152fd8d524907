/** What is done on the computer that an organization leaves, beside the service that runs there. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { databaseIn } from '#node/files/data-folder.ts';
import { isThere } from '#node/files/exists.ts';
import { OFFICE_PIN_FILE } from '#node/tls/server-identity.ts';
import { moveCodeText } from '#node/migration/transfer-code.ts';
import { readSuccessor } from '#service/db/sqlite/snapshot.ts';
import { checkOrganization, KeepingError } from '../collect.ts';
import {
  ASKED_FILE,
  CALL_OFF_FILE,
  CONFIRMED_FILE,
  DEPARTURE_FILE,
  digestOf,
  OFFER_FILE,
  readAsked,
  readServing,
  removeDurably,
  type Serving,
  writeWhole,
} from '#node/migration/transfer-files.ts';

export interface MadeOffer {
  readonly code: string;
  readonly pin: string;
  readonly expiresAt: Date;
}

const VALID_MS = 10 * 60_000;
const LOOK_LIMIT_MS = 10_000;

const notServed = (dataDir: string): KeepingError =>
  new KeepingError(
    `The organization in ${dataDir} is not served now: start it so that the other computer reaches it, then make the code.`,
  );

/** From this computer, whatever the address for all of them is. */
function ownOrigin({ origin }: Serving): URL {
  const url = new URL('/api/v1/office/move/look', origin);
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.hostname === '[::]') url.hostname = '[::1]';
  return url;
}

/** Lets the service look at its folder. Undefined where none answers. */
async function letLook(dataDir: string): Promise<{ readonly isOpen: boolean } | undefined> {
  const serving = await readServing(dataDir);
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

/** @throws KeepingError where there is no organization, or one that has gone */
async function checkHere(dataDir: string): Promise<void> {
  await checkOrganization(dataDir);
  if (readSuccessor(databaseIn(dataDir)) === 'signed') {
    throw new KeepingError(
      'The organization goes on on another computer. If that one is lost, restore a backup with the recovery code.',
    );
  }
}

/**
 * A code for one computer, valid for ten minutes; it replaces the one before. The service must be running.
 * @param asks  whether somebody here has to confirm whoever comes with it
 * @throws KeepingError
 */
export async function offerMove(dataDir: string, now: Date, asks: boolean): Promise<MadeOffer> {
  await checkHere(dataDir);
  if (await isThere(join(dataDir, DEPARTURE_FILE))) {
    throw new KeepingError(
      'A move is under way: finish it on the other computer, or call it off here first.',
    );
  }
  const serving = await readServing(dataDir);
  if (serving === undefined || (await letLook(dataDir)) === undefined) throw notServed(dataDir);
  const pin = (await readFile(join(dataDir, OFFICE_PIN_FILE), 'utf8')).trim();
  const token = randomBytes(16).toString('hex');
  const expiresAt = now.getTime() + VALID_MS;
  for (const file of [ASKED_FILE, CONFIRMED_FILE]) await removeDurably(join(dataDir, file));
  await writeWhole(join(dataDir, OFFER_FILE), { token: digestOf(token), expiresAt, asks });
  const addresses = serving.addresses.length === 0 ? [serving.origin] : serving.addresses;
  return { code: moveCodeText({ token, pin, addresses }), pin, expiresAt: new Date(expiresAt) };
}

/** Lets the computer in that asks, if it shows this number. @throws KeepingError where no such one asks any more */
export async function confirmMove(dataDir: string, number: string): Promise<void> {
  const asked = await readAsked(dataDir);
  if (asked?.number !== number) {
    throw new KeepingError('That computer does not ask any more: make another code.');
  }
  await writeWhole(join(dataDir, CONFIRMED_FILE), { mover: asked.mover });
}

/**
 * Ends a move that has not handed over. Where no service runs, the next one does it before anything else.
 * @returns whether the organization is open again already
 * @throws KeepingError where it is too late
 */
export async function callOffMove(dataDir: string): Promise<boolean> {
  await checkHere(dataDir);
  await writeWhole(join(dataDir, CALL_OFF_FILE), {});
  // First, so that nobody comes with it meanwhile.
  for (const file of [OFFER_FILE, ASKED_FILE, CONFIRMED_FILE]) {
    await removeDurably(join(dataDir, file));
  }
  const looked = await letLook(dataDir);
  await checkHere(dataDir);
  return looked?.isOpen ?? false;
}
