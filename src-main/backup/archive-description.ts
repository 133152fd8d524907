/** What an archive says of itself, before anything is done with it. */

export interface ArchiveSummary {
  /** The organization's. */
  readonly name: string;
  /** ISO 8601, in UTC: the moment that the archive shows. */
  readonly madeAt: string;
  readonly messages: number;
  /** How many files were uploaded. */
  readonly files: number;
  /** Of Hearth. */
  readonly version: string;
  /** The length of the database where it is packed. */
  readonly databaseBytes?: number;
}

/** With everything as it is, with a packed database, and with packed files as well. */
const [PLAIN, PACKED_DATABASE, PACKED] = [1, 2, 3];

export const archiveSummaryText = (about: ArchiveSummary): string =>
  `${JSON.stringify({ format: about.databaseBytes === undefined ? PLAIN : PACKED, ...about }, null, 2)}\n`;

/** Undefined for what this version does not understand. */
export function readArchiveSummary(text: string): ArchiveSummary | undefined {
  const { format, name, madeAt, messages, files, version, databaseBytes } = JSON.parse(
    text,
  ) as Readonly<Record<string, unknown>>;
  const areTexts = [name, madeAt, version].every((each) => typeof each === 'string');
  const areCounts = [messages, files].every((each) => Number.isSafeInteger(each));
  const isPacked = format === PACKED_DATABASE || format === PACKED;
  const isKnown = format === PLAIN || (isPacked && Number.isSafeInteger(databaseBytes));
  if (!isKnown || !areTexts || !areCounts) return undefined;
  return {
    name: String(name),
    madeAt: String(madeAt),
    messages: Number(messages),
    files: Number(files),
    version: String(version),
    ...(isPacked ? { databaseBytes: Number(databaseBytes) } : {}),
  };
}
