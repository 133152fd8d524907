/** What outlives the program of files on their way to the service. */
import type { BackgroundUpload } from '#shared/bridge/models/client.ts';

/** What the service has a part of. */
export interface BegunUpload {
  /** The service's. */
  readonly id: string;
  /** Of the file, as it was then. */
  readonly version: string;
}

export interface StoredUpload extends BackgroundUpload {
  /** A media type; empty where it is not known. */
  readonly type: string;
  readonly begun: BegunUpload | null;
  /** The address of one that has arrived and is not yet linked to. */
  readonly uri: string | null;
}

/** It is on disk when `write` settles. */
export interface UploadStore {
  readonly read: () => Promise<readonly StoredUpload[]>;
  readonly write: (uploads: readonly StoredUpload[]) => Promise<void>;
}

/** By the ids of the window. */
export type BegunUploads = Pick<Map<string, BegunUpload>, 'get' | 'set' | 'delete'>;
