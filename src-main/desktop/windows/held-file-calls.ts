/** Takes the files that the preload script hands over. The page has no such calls: no path comes from it. */
import type { WebFrameMain } from 'electron';
import { heldPathChannel, heldPieceChannel } from '#preload/bridge.ts';
import { freeBytes } from '#node/files/free-bytes.ts';
import type { DesktopHeldFiles } from '../storage/held-files.ts';
import { serveCall } from './serve-call.ts';

export type HeldFileTaker = Pick<DesktopHeldFiles, 'holdPath' | 'holdPiece'>;

export interface HeldFileCallParts {
  readonly isTrusted: (frame: WebFrameMain | null) => boolean;
  readonly files: Promise<HeldFileTaker>;
}

export function serveHeldFiles({ isTrusted, files }: HeldFileCallParts): void {
  const loadCodecs = () => import('./call-codecs.ts');
  serveCall({
    channel: heldPathChannel,
    name: 'a file',
    isTrusted,
    loadCodec: async () => (await loadCodecs()).heldPath,
    run: async (...held) => (await files).holdPath(...held),
  });
  serveCall({
    channel: heldPieceChannel,
    name: 'a file',
    isTrusted,
    loadCodec: async () => (await loadCodecs()).heldPiece,
    run: async (uploadId, piece) => {
      const outcome = await (await files).holdPiece(uploadId, piece);
      freeBytes(piece.bytes);
      return outcome;
    },
  });
}
