/**
 * The key that takes the place of the office's own once somebody else has that: made beside it, and kept under the seal of
 * the recovery code alone (API decisions 15.16).
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  type OfficeKeys,
  readRecoveryKit,
  type RecoveryKit,
  sealKeys,
} from './archive/recovery-kit.ts';
import {
  makeOfficeKey,
  noticeOf,
  readOfficeKey,
  type SuccessorNotice,
} from '#node/tls/server-identity.ts';
import { KeepingError } from './collect.ts';

type HeldKeys = Pick<OfficeKeys, 'secret' | 'officeKey'>;

/** Tells nothing of them: both are random, and long. */
const digestOf = ({ secret, officeKey }: HeldKeys): string =>
  createHash('sha256')
    .update(`${secret}\n${officeKey ?? ''}`)
    .digest('hex');

/** The kit with these keys under its seal. One that has no successor yet gets one where there is a key to follow. */
export async function withKeys(kit: RecoveryKit, keys: OfficeKeys): Promise<RecoveryKit> {
  const officeKey = keys.officeKey === null ? undefined : readOfficeKey(keys.officeKey);
  if (officeKey === undefined) {
    const sealed = await sealKeys({ ...keys, successorKey: null }, kit.recipient);
    return { ...kit, keys: sealed, successor: null };
  }
  const known = keys.successorKey === null ? undefined : readOfficeKey(keys.successorKey);
  const successor = known ?? makeOfficeKey();
  const sealed = await sealKeys({ ...keys, successorKey: successor.exported() }, kit.recipient);
  const notice = noticeOf(officeKey, successor.pin);
  return { ...kit, keys: sealed, successor: { notice, keysDigest: digestOf(keys) } };
}

/** The same of keys that a host holds. What is sealed already stays: nobody here could open it to take the successor out. */
export async function withHeldKeys(kit: RecoveryKit, keys: HeldKeys): Promise<RecoveryKit> {
  const isSealed = kit.keys !== null && kit.successor?.keysDigest === digestOf(keys);
  return isSealed ? kit : withKeys(kit, { ...keys, successorKey: null });
}

const SECRET_BYTES = 32;

/**
 * What an office goes on with when those are in other hands: another secret, and the successor as its key.
 * @throws KeepingError where no successor was made before
 */
export function keysAfterTheft(
  keys: OfficeKeys | null,
): OfficeKeys & { readonly officeKey: string } {
  const successor = keys?.successorKey ?? null;
  if (successor === null || readOfficeKey(successor) === undefined) {
    throw new KeepingError(
      'No other key was made for this organization in time, so that nobody would know it by one: go on with the key that it has, and have everybody choose another password.',
    );
  }
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  return { secret, officeKey: successor, successorKey: null };
}

/** Asked anew each time: what makes archives may be another process. */
export async function findSuccessorKey(dataDir: string): Promise<SuccessorNotice | undefined> {
  // One that cannot be read keeps nobody from signing in.
  const kit = await readRecoveryKit(dataDir).catch(() => undefined);
  return kit?.successor?.notice;
}
