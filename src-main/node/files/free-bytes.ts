/**
 * Gives the memory of bytes back that nobody uses any more. V8 looks for them when there are 64 MiB of such garbage, which is
 * what a long transfer would hold. A part of what others use stays.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
