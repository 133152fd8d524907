/** Packets of multicast DNS that no responder sends. */

const label = (text: string): Buffer => Buffer.from(`${String.fromCharCode(text.length)}${text}`);
const pointer = (to: number): Buffer => Buffer.from([0xc0 | (to >> 8), to & 0xff]);

const TYPES = { A: 1, NULL: 10, PTR: 12, TXT: 16, SRV: 33 };

/** A response that grows record by record. */
class Response {
  readonly #parts: Buffer[] = [Buffer.alloc(12)];
  #count = 0;
  bytes = 12;

  /** Answers where its data begins. */
  add(type: keyof typeof TYPES, name: Buffer, data: Buffer): number {
    const head = Buffer.alloc(10);
    head.writeUInt16BE(TYPES[type], 0);
    head.writeUInt16BE(1, 2);
    head.writeUInt32BE(120, 4);
    head.writeUInt16BE(data.length, 8);
    this.#parts.push(name, head, data);
    this.#count += 1;
    this.bytes += name.length + 10 + data.length;
    return this.bytes - data.length;
  }

  packet(): Buffer {
    const packet = Buffer.concat(this.#parts);
    packet.writeUInt16BE(0x8400, 2);
    packet.writeUInt16BE(this.#count, 6);
    return packet;
  }
}

const end = Buffer.from([0]);
const service = Buffer.concat([label('_hearth'), label('_tcp'), label('local'), end]);
/** What it says of itself: the letters of a fingerprint. */
const base32 = (n: number): string =>
  n.toString(32).replaceAll(/[0189]/g, (digit) => 'wzxy'['0189'.indexOf(digit)] ?? '');

const host = Buffer.concat([label('h'), end]);

function addOffice(response: Response, name: string, pin: string): number {
  const isFirst = response.bytes === 12;
  const pointed = isFirst ? service : pointer(12);
  const at = response.add('PTR', pointed, Buffer.concat([label(name), pointer(12)]));
  if (isFirst) response.add('A', host, Buffer.from([10, 77, 0, 9]));
  const server = Buffer.concat([Buffer.from([0, 0, 0, 0, 0x26, 0xfd]), host]);
  response.add('SRV', pointer(at), server);
  const texts = ['v=1', `name=${name}`, `pin=${pin}`].map(label);
  response.add('TXT', pointer(at), Buffer.concat(texts));
  return at;
}

/** One office, told of by as many pointers as fit: it was heard once for each. */
export function repeatedOffice(bytes: number): Buffer {
  const response = new Response();
  const at = addOffice(response, 'evil', 'evil'.padEnd(20, 'a'));
  while (response.bytes + 14 <= bytes) response.add('PTR', pointer(12), pointer(at));
  return response.packet();
}

/** As many offices as fit, each with a fingerprint of its own that begins with `evil`. */
export function manyOffices(bytes: number, from = 0): Buffer {
  const response = new Response();
  for (let n = from; response.bytes + 120 <= bytes; n += 1)
    addOffice(response, `e${String(n)}`, `evil${base32(n)}`.padEnd(20, 'a'));
  return response.packet();
}

export function oneOffice(name: string): Buffer {
  const response = new Response();
  addOffice(response, name, name.replaceAll(' ', '').padEnd(20, 'a'));
  return response.packet();
}

/** Half of it pointers, each to the one before; the other half records whose names are at the end of that chain. */
export function pointerChains(bytes: number): Buffer {
  const response = new Response();
  const links = Math.min(Math.floor(bytes / 4), 8_000);
  const begin = 12 + service.length + 10;
  const chain = Array.from({ length: links }, (_, n) =>
    pointer(n === 0 ? 12 : begin + 2 * (n - 1)),
  );
  response.add('NULL', service, Buffer.concat(chain));
  const last = pointer(begin + 2 * (links - 1));
  while (response.bytes + 14 <= bytes) response.add('PTR', last, last);
  return response.packet();
}

/** A header that promises all that can be promised, and nothing behind it but a name. */
export const emptyPromise = (): Buffer =>
  Buffer.concat([Buffer.from([0, 0, 0x84, 0]), Buffer.alloc(8, 0xff), service]);
