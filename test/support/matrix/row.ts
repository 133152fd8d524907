/** What the rules say of one operation. */
import type { ErrorCode } from '#shared/api/errors.ts';
import type { Audience, Test, Thing } from './facts.ts';

export interface Row {
  /** Whose key is needed: everybody's but an incoming webhook bot's; also that; one in the query; or nobody's. */
  readonly auth: 'user' | 'sender' | 'webhook' | 'none';
  readonly on: readonly Thing[];
  readonly may: Test;
  /** How whoever may not is answered. */
  readonly code: ErrorCode | ((...of: Parameters<Test>) => ErrorCode);
  /** Whoever does not know of the thing is answered as for one that does not exist. */
  readonly knows?: Test;
  /** Whether an answer holds the thing. */
  readonly shows?: Test;
  /** By type and operation of an event, who is told. */
  readonly tells: Readonly<Record<string, Audience>>;
}

const somewhere: readonly Thing[] = [{ place: 'public', moment: 'held' }];

export const row = (
  may: Test,
  tells: Row['tells'] = {},
  more: Partial<Omit<Row, 'may' | 'tells'>> = {},
): Row => ({ auth: 'user', on: somewhere, code: 'BAD_REQUEST', may, tells, ...more });
