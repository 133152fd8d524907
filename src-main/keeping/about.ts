/** What an archive says of itself, before anything is done with it. */

export interface About {
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

/** With a database as it is, and with a packed one. */
const [PLAIN, PACKED] = [1, 2];

export const aboutText = (about: About): string =>
  `${JSON.stringify({ format: about.databaseBytes === undefined ? PLAIN : PACKED, ...about }, null, 2)}\n`;

/** Undefined for what this version does not understand. */
export function readAbout(text: string): About | undefined {
  const { format, name, madeAt, messages, files, version, databaseBytes } = JSON.parse(
    text,
  ) as Readonly<Record<string, unknown>>;
  const areTexts = [name, madeAt, version].every((each) => typeof each === 'string');
  const areCounts = [messages, files].every((each) => Number.isSafeInteger(each));
  const isKnown = format === PLAIN || (format === PACKED && Number.isSafeInteger(databaseBytes));
  if (!isKnown || !areTexts || !areCounts) return undefined;
  return {
    name: String(name),
    madeAt: String(madeAt),
    messages: Number(messages),
    files: Number(files),
    version: String(version),
    ...(format === PACKED ? { databaseBytes: Number(databaseBytes) } : {}),
  };
}
