/** What a store keeps in memory. */
import type Database from 'better-sqlite3';
import {
  bytesOfMessage,
  type MessageRow,
} from '#service/features/messages/queries/message-rows.ts';
import type { KeptFrom } from '../operation.ts';
import type { Kept } from './run-operation.ts';
import { createKeptRows } from './row-cache.ts';
import { createFileVersion, createReadCache } from './read-cache.ts';

interface Memory extends Required<Kept> {
  /** Who is told after a commit that something of it may have changed, by what was written. */
  readonly told: Readonly<Record<KeptFrom, Set<() => void>>>;
}

/** How much is kept, and how long after another program wrote into the file it may be what was there before. */
export interface MemoryOptions {
  readonly messageBytes: number;
  readonly foreignWritesMs: number;
}

export function createMemory(
  writing: Database.Database,
  { messageBytes, foreignWritesMs }: MemoryOptions,
): Memory {
  const fileVersion = createFileVersion(writing, foreignWritesMs);
  const directory = createReadCache(fileVersion);
  const names = createReadCache(fileVersion);
  const messages = createKeptRows<MessageRow>({
    maxBytes: messageBytes,
    bytesOf: bytesOfMessage,
    version: directory.version,
  });
  return {
    caches: { directory, names },
    messages,
    told: {
      directory: new Set([directory.clear]),
      names: new Set([names.clear]),
      messages: new Set([messages.clear]),
    },
  };
}
