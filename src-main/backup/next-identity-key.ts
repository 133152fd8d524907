/**
 * The key that takes the place of the office's own once somebody else has that: made beside it, and kept under the seal of
 * the recovery code alone (API decisions 15.16).
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  type ServerKeys,
  readRecoveryKit,
  type RecoveryKit,
  sealKeys,
} from './archive/recovery-kit.ts';
import {
  makeServerIdentity,
  signNextKeyNotice,
  readServerIdentity,
  type NextKeyNotice,
} from '#node/tls/server-identity.ts';
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { backupWords } from '#shared/i18n/backup-words.ts';

type HostKeyTexts = Pick<ServerKeys, 'secret' | 'officeKey'>;

/** Tells nothing of them: both are random, and long. */
const digestOf = ({ secret, officeKey }: HostKeyTexts): string =>
  createHash('sha256')
    .update(`${secret}\n${officeKey ?? ''}`)
    .digest('hex');

/** The kit with these keys under its seal. One that has no next identity key yet gets one where there is a key to follow. */
export async function withSealedKeys(kit: RecoveryKit, keys: ServerKeys): Promise<RecoveryKit> {
  const officeKey = keys.officeKey === null ? undefined : readServerIdentity(keys.officeKey);
  if (officeKey === undefined) {
    const sealed = await sealKeys({ ...keys, successorKey: null }, kit.recipient);
    return { ...kit, keys: sealed, successor: null };
  }
  const known = keys.successorKey === null ? undefined : readServerIdentity(keys.successorKey);
  const successor = known ?? makeServerIdentity();
  const sealed = await sealKeys({ ...keys, successorKey: successor.exported() }, kit.recipient);
  const notice = signNextKeyNotice(officeKey, successor.fingerprint);
  return { ...kit, keys: sealed, successor: { notice, keysDigest: digestOf(keys) } };
}

/** The same of keys that a host holds. What is sealed already stays: nobody here could open it to take the next key out. */
export async function withHostKeys(kit: RecoveryKit, keys: HostKeyTexts): Promise<RecoveryKit> {
  const isSealed = kit.keys !== null && kit.successor?.keysDigest === digestOf(keys);
  return isSealed ? kit : withSealedKeys(kit, { ...keys, successorKey: null });
}

const SECRET_BYTES = 32;

/**
 * What an office goes on with when those are in other hands: another secret, and the next identity key as its key.
 * @throws ExplainedError where no next key was made before
 */
export function keysAfterTheft(
  keys: ServerKeys | null,
): ServerKeys & { readonly officeKey: string } {
  const successor = keys?.successorKey ?? null;
  if (successor === null || readServerIdentity(successor) === undefined) {
    throw new ExplainedError(backupWords('next_key_missing'));
  }
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  return { secret, officeKey: successor, successorKey: null };
}

/** Asked anew each time: what makes archives may be another process. */
export async function findNextIdentityKey(dataDir: string): Promise<NextKeyNotice | undefined> {
  // One that cannot be read keeps nobody from signing in.
  const kit = await readRecoveryKit(dataDir).catch(() => undefined);
  return kit?.successor?.notice;
}
