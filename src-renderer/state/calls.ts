import type { Outcome } from '#shared/bridge/outcome.ts';
import { words } from '../i18n/common.ts';

/** A rejection is a bug on the other side, which logs it; here it is one more thing that did not work. */
export async function settled<T>(call: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  try {
    return await call();
  } catch {
    return { ok: false, failure: { code: 'INTERNAL_ERROR', message: words.bug } };
  }
}
