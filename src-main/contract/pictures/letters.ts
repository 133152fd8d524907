/** The names that formats put before their parts. Empty where the bytes end too early. */
export const letters = (view: DataView, at: number, count: number): string =>
  at + count > view.byteLength
    ? ''
    : String.fromCharCode(...new Uint8Array(view.buffer, view.byteOffset + at, count));
