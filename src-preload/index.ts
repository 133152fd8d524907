import { contextBridge, ipcRenderer, webUtils } from 'electron/renderer';
import {
  callNames,
  firstAnswersChannel,
  heldPathChannel,
  heldPieceChannel,
  isSameJson,
  type ExposedBridge,
  type FilePiece,
  type FirstAnswer,
} from './bridge.ts';

/** As much of a file as crosses to main at once. */
const PIECE_BYTES = 1024 * 1024;
const notRead = {
  ok: false,
  failure: { code: 'FILE_NOT_READ', message: 'The file could not be read.' },
} as const;

/** The empty document, which stands there until the page does, has a bridge too. */
const isPage = location.protocol !== 'about:';

/** What main knows that the page will ask first. Each is good for one call, and for none once everything is loaded. */
let first = isPage ? (ipcRenderer.sendSync(firstAnswersChannel) as readonly FirstAnswer[]) : [];
ipcRenderer.once(firstAnswersChannel, () => (first = []));

function takeFirst(name: string, args: readonly unknown[]): FirstAnswer | undefined {
  const found = first.find((each) => each.name === name && isSameJson(each.args, args));
  first = first.filter((each) => each !== found);
  return found;
}

const calls = Object.fromEntries(
  callNames.map((name) => [
    name,
    async (...args: readonly unknown[]): Promise<unknown> => {
      const known = takeFirst(name, args);
      return known === undefined ? ipcRenderer.invoke(`call:${name}`, ...args) : known.answer;
    },
  ]),
) as unknown as Omit<ExposedBridge, 'on' | 'holdFile'>;

type Held = ReturnType<ExposedBridge['holdFile']>;

/** Where a file is says the system, and only of one that a person chose or dropped: the page has no say in it. */
const holdFile: ExposedBridge['holdFile'] = async (uploadId, file) => {
  const path = file instanceof File ? webUtils.getPathForFile(file) : '';
  return path === ''
    ? holdContent(uploadId, file)
    : (ipcRenderer.invoke(heldPathChannel, uploadId, path) as Held);
};

/** One that is nowhere on the disk: from the clipboard, or made by the page. */
async function holdContent(uploadId: string, file: Blob): Held {
  for (let offset = 0; ; offset += PIECE_BYTES) {
    const bytes = await bytesOf(file.slice(offset, offset + PIECE_BYTES));
    if (bytes === null) return notRead;
    const isLast = offset + PIECE_BYTES >= file.size;
    const piece: FilePiece = { offset, bytes, isLast };
    const held = ipcRenderer.invoke(heldPieceChannel, uploadId, piece) as Held;
    // It was copied: many of them would be garbage for long.
    bytes.buffer.transfer(0);
    const outcome = await held;
    if (!outcome.ok || isLast) return outcome;
  }
}

async function bytesOf(part: Blob): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return new Uint8Array(await part.arrayBuffer());
  } catch {
    return null;
  }
}

const on: ExposedBridge['on'] = (event, listener) => {
  const channel = `event:${event}`;
  const forward = (_event: unknown, json: string): void => listener(json);
  ipcRenderer.on(channel, forward);
  return () => ipcRenderer.off(channel, forward);
};

contextBridge.exposeInMainWorld('bridge', { ...calls, holdFile, on } satisfies ExposedBridge);
