/** A payload of the project's own, after what a service documents. */
export interface Own {
  readonly name: string;
  /** In the header that names events. */
  readonly event?: string;
  readonly payload: unknown;
  readonly query?: Readonly<Record<string, string>>;
  /** The first message's; absent where nothing is said. */
  readonly topic?: string;
  readonly says?: readonly string[];
}

export type Row = readonly [
  event: string,
  payload: unknown,
  topic: string | null,
  ...says: readonly string[],
];

/** Rows of one integration whose events a header names. */
export const rowsOf = (name: string, rows: readonly Row[]): readonly Own[] =>
  rows.map(([event, payload, topic, ...says]) => ({
    name,
    event,
    payload,
    ...(topic === null ? {} : { topic, says }),
  }));

/** One payload of an integration whose payloads name their events themselves. */
export const own = (
  name: string,
  payload: unknown,
  topic: string | null,
  ...says: readonly string[]
): Own => ({ name, payload, ...(topic === null ? {} : { topic, says }) });
