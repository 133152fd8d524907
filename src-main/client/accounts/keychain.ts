import type { Outcome } from '#shared/bridge/outcome.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import { toldOf } from '#shared/i18n/explained-error.ts';
import { clientWords } from '#shared/i18n/client-words.ts';

/** By its code, as the port has it: a keychain may be built by itself and have a class of its own. */
const isKeychainError = (error: unknown): error is Error & { readonly code: 'NO_KEYCHAIN' } =>
  error instanceof Error && 'code' in error && error.code === 'NO_KEYCHAIN';

/** There is no second place for a key: without a keychain nothing is stored, and the person is told. */
export async function withKeychain<T>(access: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return success(await access());
  } catch (error) {
    // Any other text is the platform's own and may quote what was to be stored.
    const told = isKeychainError(error) ? toldOf(error) : clientWords('keychain_unusable');
    return failure('NO_KEYCHAIN', told);
  }
}

/** Work in which a keychain that cannot be used is one failure among others. Anything else that is thrown stays thrown. */
export async function catchingKeychain<T>(work: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  try {
    return await work();
  } catch (error) {
    if (isKeychainError(error)) return failure(error.code, toldOf(error));
    throw error;
  }
}
