/** Base64 of the UTF-8 form of a text; `btoa` alone knows Latin-1 only. */
export const base64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
