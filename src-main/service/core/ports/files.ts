/** Files that are served outside of the API's JSON answers (API decisions 7.6). */
import type { Caller } from './handlers.ts';

export interface StoredFile {
  /** As it is shown to whoever saves it. */
  readonly name: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** Changes when the bytes do. */
  readonly version: string;
  /**
   * @param from  first byte
   * @param to    last byte, inclusive
   * @returns undefined when the bytes are gone; each piece is the caller's alone
   */
  readonly read: (from: number, to: number) => Promise<AsyncIterable<Uint8Array> | undefined>;
}

export interface FileSource {
  /** How large an uploaded file may be now, in bytes. */
  readonly mostUploadBytes: () => Promise<number>;
  /** @param path  what follows `/user_uploads/`, decoded */
  readonly findUpload: (
    caller: Caller,
    path: string,
  ) => Promise<StoredFile | 'absent' | 'forbidden'>;
  /** An avatar or the image of an emoji. @param path  what follows `/user_avatars/`, decoded */
  readonly findAvatarFile: (path: string) => Promise<StoredFile | undefined>;
  /** Where the picture of the organization is, or the one that stands for none. */
  readonly findIconUrl: () => Promise<string>;
  /**
   * Where the avatar of an account is. Who is not known gets a picture for every name, and does not learn which of them
   * have an account.
   * @param who  an e-mail address or a user id
   */
  readonly findAvatarUrl: (caller: Caller | null, who: string) => Promise<string | undefined>;
}
