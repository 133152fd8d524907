/** Takes the files that the preload script hands over. The page has no such calls: no path comes from it. */
import { ipcMain, type WebFrameMain } from 'electron';
import { heldPathChannel, heldPieceChannel } from '#preload/bridge.ts';
import { freeBytes } from '#node/files/free-bytes.ts';
import type { DesktopHeldFiles } from '../storage/held-files.ts';

export type HeldFileTaker = Pick<DesktopHeldFiles, 'holdPath' | 'holdPiece'>;

export interface HeldFileCallParts {
  readonly isTrusted: (frame: WebFrameMain | null) => boolean;
  readonly files: Promise<HeldFileTaker>;
}

export function serveHeldFiles({ isTrusted, files }: HeldFileCallParts): void {
  const loadCodecs = () => import('./call-codecs.ts');
  ipcMain.handle(heldPathChannel, async (event, ...args: unknown[]) => {
    if (!isTrusted(event.senderFrame)) throw new Error('a file from an untrusted frame');
    const { heldPath } = await loadCodecs();
    return (await files).holdPath(...heldPath.parse(args));
  });
  ipcMain.handle(heldPieceChannel, async (event, ...args: unknown[]) => {
    if (!isTrusted(event.senderFrame)) throw new Error('a file from an untrusted frame');
    const { heldPiece } = await loadCodecs();
    const [uploadId, piece] = heldPiece.parse(args);
    const outcome = await (await files).holdPiece(uploadId, piece);
    freeBytes(piece.bytes);
    return outcome;
  });
}
