/** The names that formats put before their parts. Empty where the bytes end too early. */
export function letters(view: DataView, at: number, count: number): string {
  if (at + count > view.byteLength) return '';
  let text = '';
  for (let index = 0; index < count; index += 1) {
    text += String.fromCharCode(view.getUint8(at + index));
  }
  return text;
}
