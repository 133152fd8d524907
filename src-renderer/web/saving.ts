/** Files that a person saves out of a tab: the browser keeps them until it has written them where it writes downloads. */
import type { SavePort } from '#client/ports.ts';
import { saveFile } from '../lib/save-file.ts';

/** What is longer a browser keeps on the disk, and not in the page. */
const PART_BYTES = 4 * 1024 * 1024;

export const webSaving: SavePort = {
  choose: async (name) => {
    const parts: Blob[] = [];
    let waiting: Uint8Array<ArrayBuffer>[] = [];
    let waitingBytes = 0;
    const put = (): void => {
      parts.push(new Blob(waiting));
      [waiting, waitingBytes] = [[], 0];
    };
    return {
      write: async (bytes) => {
        waiting.push(bytes.slice());
        waitingBytes += bytes.length;
        if (waitingBytes >= PART_BYTES) put();
      },
      finish: async () => {
        put();
        saveFile(name, ...parts);
      },
      remove: async () => {
        parts.length = 0;
      },
    };
  },
};
