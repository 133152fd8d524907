import { readFileSync } from 'node:fs';

export interface AsarFile {
  /** Within the archive, without a leading slash. */
  readonly path: string;
  /** Whether its content is in the folder beside the archive. */
  readonly isUnpacked: boolean;
}

interface Entry {
  readonly files?: Readonly<Record<string, Entry>>;
  readonly unpacked?: boolean;
}

/** The files of an Electron archive, as its header lists them. */
export function filesOfAsar(archive: string): readonly AsarFile[] {
  const content = readFileSync(archive);
  const length = content.readUInt32LE(12);
  return filesOf(JSON.parse(content.toString('utf8', 16, 16 + length)) as Entry, '');
}

function filesOf({ files, unpacked }: Entry, path: string): readonly AsarFile[] {
  if (files === undefined) return [{ path, isUnpacked: unpacked === true }];
  return Object.entries(files).flatMap(([name, entry]) =>
    filesOf(entry, path === '' ? name : `${path}/${name}`),
  );
}
