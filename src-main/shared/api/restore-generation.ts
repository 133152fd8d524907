/** Since when an office goes on from a backup or on another computer (API decisions 15.11). */
export interface RestoreGeneration {
  /** Greater than that of every restore generation before. */
  readonly n: number;
  /** 32 hexadecimal digits, random. */
  readonly id: string;
  /** The `id` of the one before; empty for the first. */
  readonly parent: string;
  /** By the key of the office, in base64; null where the office had none. */
  readonly signature: string | null;
}

/** Everybody takes the same one for the later, even where two were made at once, as on two computers. */
export const isLaterRestoreGeneration = (
  one: Pick<RestoreGeneration, 'n' | 'id'>,
  other: Pick<RestoreGeneration, 'n' | 'id'> | undefined,
): boolean => other === undefined || one.n > other.n || (one.n === other.n && one.id > other.id);
