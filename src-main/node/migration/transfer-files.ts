/**
 * What a data folder knows of a move. Whoever may write to the folder may offer it and call it off; the service that runs on
 * it does what stands there. Each file has one writer.
 */
import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { flushDirectory, replacePrivately } from '../files/durable-files.ts';
import { codeOf } from '../error-code.ts';

/** Written by whoever makes the code. */
export const TRANSFER_OFFER_FILE = 'move-offer.json';
/** The same, to call the move off: its presence is enough. */
export const CANCEL_FILE = 'move-call-off';
/** Written by the service: who wants to be let in by an offer that asks first. */
export const PENDING_TARGET_FILE = 'move-asked.json';
/** Written by whoever sits at this computer: who is let in. */
export const CONFIRMED_TARGET_FILE = 'move-confirmed.json';
/** Written by the service: whom it has let in, and what it has handed out. */
export const SOURCE_STATE_FILE = 'move.json';
/** Written by the service: where it is reached. */
export const SERVING_FILE = 'serving.json';

const TransferOffer = z.object({
  token: z.string(),
  expiresAt: z.number(),
  /** Whether somebody at this computer has to confirm whoever comes. */
  asks: z.boolean().default(false),
});
const PendingTarget = z.object({
  mover: z.string(),
  /** As it calls itself. */
  computer: z.string(),
  address: z.string(),
  /** Shown on both screens. */
  number: z.string(),
});
const ConfirmedTarget = z.object({ mover: z.string() });
const SourceState = z.object({
  token: z.string(),
  mover: z.string(),
  epoch: z.object({ n: z.number(), id: z.string(), parent: z.string() }),
  /** SHA-256 of what was handed out whole. */
  digests: z.array(z.string()),
  computer: z.string().default(''),
  /** From then on the organization lives elsewhere. */
  isHandedOver: z.boolean().default(false),
  /** Origins at which it is reached there, as far as they are known. */
  addresses: z.array(z.string()).default([]),
});
const ServingState = z.object({ origin: z.string(), addresses: z.array(z.string()).readonly() });

/** `token` and `mover` are kept as digests: the folder lets nobody in elsewhere. */
export type TransferOffer = z.output<typeof TransferOffer>;
export type PendingTarget = z.output<typeof PendingTarget>;
export type SourceState = z.output<typeof SourceState>;
export type ServingState = z.output<typeof ServingState>;

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The same on both screens, so that nobody lets somebody else in. */
export const confirmationNumberOf = (mover: string): string =>
  String(Number.parseInt(digestOf(`number ${mover}`).slice(0, 8), 16) % 10_000).padStart(4, '0');

async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T | undefined> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : schema.parse(JSON.parse(text));
}

export const readTransferOffer = (dataDir: string): Promise<TransferOffer | undefined> =>
  readJson(join(dataDir, TRANSFER_OFFER_FILE), TransferOffer);
export const readPendingTarget = (dataDir: string): Promise<PendingTarget | undefined> =>
  readJson(join(dataDir, PENDING_TARGET_FILE), PendingTarget);
/** The digest of whoever was let in by somebody at this computer. */
export const readConfirmedTarget = async (dataDir: string): Promise<string | undefined> =>
  (await readJson(join(dataDir, CONFIRMED_TARGET_FILE), ConfirmedTarget))?.mover;
export const readSourceState = (dataDir: string): Promise<SourceState | undefined> =>
  readJson(join(dataDir, SOURCE_STATE_FILE), SourceState);
export const readServingState = (dataDir: string): Promise<ServingState | undefined> =>
  readJson(join(dataDir, SERVING_FILE), ServingState);

/** It is on disk when this settles, or what was there before is. */
export const writeState = (file: string, value: unknown): Promise<void> =>
  replacePrivately(file, `${JSON.stringify(value)}\n`);

export async function removeState(file: string): Promise<void> {
  await rm(file, { force: true });
  await flushDirectory(dirname(file));
}
