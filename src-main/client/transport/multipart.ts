/** Bodies of forms with one file (RFC 7578), as bytes. */

export interface FormFile {
  readonly name: string;
  /** A media type; empty where it is not known. */
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const MEDIA_TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/;

const encoder = new TextEncoder();

/** As browsers write names: of the characters that have a meaning here only these three are escaped. */
const quoted = (name: string): string =>
  `"${name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')}"`;

/** What browsers write can be read in two ways where the name itself has an escape in it: then this says which. */
const extended = (name: string): string =>
  /["\\%\r\n]/.test(name)
    ? `; filename*=UTF-8''${encodeURIComponent(name).replace(
        /['()*]/g,
        (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
      )}`
    : '';

function boundary(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return `hearth-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

export function multipartBody(
  fields: Readonly<Record<string, string>>,
  { name, type, bytes }: FormFile,
): { readonly contentType: string; readonly bytes: Uint8Array<ArrayBuffer> } {
  const line = boundary();
  // Half a character cannot be written in UTF-8.
  const fileName = name.toWellFormed();
  const mediaType = MEDIA_TYPE.test(type) ? type : 'application/octet-stream';
  const parts = Object.entries(fields).map(
    ([key, value]) =>
      `--${line}\r\nContent-Disposition: form-data; name=${quoted(key)}\r\n\r\n${value}\r\n`,
  );
  const disposition = `form-data; name="file"; filename=${quoted(fileName)}${extended(fileName)}`;
  const head = encoder.encode(
    `${parts.join('')}--${line}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${mediaType}\r\n\r\n`,
  );
  const tail = encoder.encode(`\r\n--${line}--\r\n`);
  const body = new Uint8Array(head.length + bytes.length + tail.length);
  body.set(head);
  body.set(bytes, head.length);
  body.set(tail, head.length + bytes.length);
  return { contentType: `multipart/form-data; boundary=${line}`, bytes: body };
}
