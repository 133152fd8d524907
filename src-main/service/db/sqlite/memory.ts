/** What a store keeps in memory. */
import type Database from 'better-sqlite3';
import {
  bytesOfMessage,
  type MessageRow,
} from '#service/features/messages/queries/message-rows.ts';
import type { CachedFrom } from '../operation.ts';
import type { StoreCaches } from './run-operation.ts';
import { createRowCache } from './row-cache.ts';
import { createFileVersion, createReadCache } from './read-cache.ts';

interface StoreMemory extends Required<StoreCaches> {
  /** Who is told after a commit that something of it may have changed, by what was written. */
  readonly invalidators: Readonly<Record<CachedFrom, Set<() => void>>>;
}

/** How much is kept, and how long after another program wrote into the file it may be what was there before. */
export interface MemoryOptions {
  readonly messageBytes: number;
  readonly foreignWritesMs: number;
}

export function createMemory(
  writing: Database.Database,
  { messageBytes, foreignWritesMs }: MemoryOptions,
): StoreMemory {
  const fileVersion = createFileVersion(writing, foreignWritesMs);
  const directory = createReadCache(fileVersion);
  const names = createReadCache(fileVersion);
  const messages = createRowCache<MessageRow>({
    maxBytes: messageBytes,
    bytesOf: bytesOfMessage,
    version: directory.version,
  });
  return {
    caches: { directory, names },
    messages,
    invalidators: {
      directory: new Set([directory.clear]),
      names: new Set([names.clear]),
      messages: new Set([messages.clear]),
    },
  };
}
