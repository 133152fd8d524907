export interface Passwords {
  /** argon2id of the password in its normal form (RFC 8265, section 4.2), encoded with its own parameters and salt. */
  readonly hash: (password: string) => Promise<string>;
  /** @param hash  null where there is no such account: the same work is done, and the answer is false */
  readonly verify: (hash: string | null, password: string) => Promise<boolean>;
}

/** The OWASP minimum for argon2id: 19 MiB, two passes, one lane. */
const memoryKib = 19_456;
const passes = 2;
const lanes = 1;

/** Each takes 19 MiB and a core for tens of milliseconds: a burst of sign-ins waits instead of taking them all. */
const AT_ONCE = 2;

/** Well-formed and of the same cost, but the hash of nothing: its digest is all zeros. */
const nobody = `$argon2id$v=19$m=${memoryKib},t=${passes},p=${lanes}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

function createQueue(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (work) => {
    if (running < limit) running++;
    // The place is handed over by the one who leaves, so `running` does not change.
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}

/** The same letters and blanks, whichever system's keyboard types them (RFC 8265, section 4.2). */
const normalForm = (password: string): string =>
  password.replaceAll(/\p{Zs}/gu, ' ').normalize('NFC');

/** Hashes from before passwords were normalised are of what was typed then, composed or decomposed. */
const formsOf = (password: string): ReadonlySet<string> =>
  new Set([normalForm(password), password, password.normalize('NFC'), password.normalize('NFD')]);

/** Not before somebody signs in: most starts are followed by none. */
const argon2 = () => import('@node-rs/argon2');

export function createPasswords(): Passwords {
  const queued = createQueue(AT_ONCE);
  // The library's algorithm is argon2id unless told otherwise.
  const options = {
    memoryCost: memoryKib,
    timeCost: passes,
    parallelism: lanes,
  } as const;
  return {
    hash: (password) => queued(async () => (await argon2()).hash(normalForm(password), options)),
    verify: async (hash, password) => {
      for (const form of formsOf(password)) {
        const isRight = await queued(async () => (await argon2()).verify(hash ?? nobody, form));
        if (isRight) return hash !== null;
      }
      return false;
    },
  };
}
