/**
 * The part of a desktop that shows icons of applications (org.kde.StatusNotifierWatcher), on the real session bus. It
 * speaks as much D-Bus as that takes; icons and their menus are asked through gdbus.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { promisify } from 'node:util';

const run = promisify(execFile);
const WATCHER = 'org.kde.StatusNotifierWatcher';
const ITEM = 'org.kde.StatusNotifierItem';
const MENU = 'com.canonical.dbusmenu';

const methodCall = 1;
const methodReturn = 2;
/** Codes of header fields, and the types of their values. */
const fields = {
  path: [1, 'o'],
  interface: [2, 's'],
  member: [3, 's'],
  replySerial: [5, 'u'],
  destination: [6, 's'],
  sender: [7, 's'],
  signature: [8, 'g'],
} as const;
type Field = keyof typeof fields;
type Header = Partial<Record<Field, string | number>>;

class Writer {
  #bytes: number[] = [];

  get bytes(): readonly number[] {
    return this.#bytes;
  }

  align(to: number): void {
    while (this.#bytes.length % to !== 0) this.#bytes.push(0);
  }

  byte(...values: readonly number[]): void {
    this.#bytes.push(...values);
  }

  uint32(value: number): void {
    this.align(4);
    this.byte(value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24);
  }

  string(text: string): void {
    const encoded = Buffer.from(text);
    this.uint32(encoded.length);
    this.byte(...encoded, 0);
  }

  signature(text: string): void {
    this.byte(text.length, ...Buffer.from(text), 0);
  }
}

function encode(type: number, serial: number, header: Header, body: readonly number[]): Buffer {
  const list = new Writer();
  for (const [name, value] of Object.entries(header)) {
    const [code, kind] = fields[name as Field];
    list.align(8);
    list.byte(code);
    list.signature(kind);
    if (kind === 'u') list.uint32(Number(value));
    else if (kind === 'g') list.signature(String(value));
    else list.string(String(value));
  }
  const message = new Writer();
  message.byte('l'.charCodeAt(0), type, 0, 1);
  message.uint32(body.length);
  message.uint32(serial);
  message.uint32(list.bytes.length);
  message.byte(...list.bytes);
  message.align(8);
  message.byte(...body);
  return Buffer.from(message.bytes);
}

interface Message {
  readonly type: number;
  readonly serial: number;
  readonly header: Header;
  readonly body: Buffer;
  readonly length: number;
}

const aligned = (offset: number, to: number): number => Math.ceil(offset / to) * to;

/** The first message of the bytes; undefined while it is not complete. */
function decode(bytes: Buffer): Message | undefined {
  if (bytes.length < 16) return undefined;
  const listEnd = 16 + bytes.readUInt32LE(12);
  const bodyStart = aligned(listEnd, 8);
  const length = bodyStart + bytes.readUInt32LE(4);
  if (bytes.length < length) return undefined;
  const header: Header = {};
  for (let at = 16; at < listEnd;) {
    at = aligned(at, 8);
    const code = bytes[at];
    const kind = String.fromCharCode(bytes[at + 2] ?? 0);
    const name = Object.entries(fields).find(([, [known]]) => known === code)?.[0];
    const [value, next] = readValue(bytes, at + 4, kind);
    if (name !== undefined) header[name as Field] = value;
    at = next;
  }
  const body = bytes.subarray(bodyStart, length);
  return { type: bytes[1] ?? 0, serial: bytes.readUInt32LE(8), header, body, length };
}

function readValue(bytes: Buffer, from: number, kind: string): [string | number, number] {
  if (kind === 'g') {
    const end = from + 1 + (bytes[from] ?? 0);
    return [bytes.toString('utf8', from + 1, end), end + 1];
  }
  const at = aligned(from, 4);
  const number = bytes.readUInt32LE(at);
  if (kind === 'u') return [number, at + 4];
  const end = at + 4 + number;
  return [bytes.toString('utf8', at + 4, end), end + 1];
}

function busPath(): string {
  const address = process.env['DBUS_SESSION_BUS_ADDRESS'] ?? '';
  const [, kind, path] = /unix:(path|abstract)=([^,;]+)/.exec(address) ?? [];
  if (path === undefined) throw new Error('no session bus');
  return kind === 'abstract' ? `\0${path}` : path;
}

export interface TrayItem {
  readonly tooltip: () => Promise<string>;
  /** Labels of the menu, in order, those of submenus too. */
  readonly menu: () => Promise<string>;
  readonly clickItem: (label: string) => Promise<void>;
  /** A click on the icon itself. */
  readonly activate: () => Promise<void>;
}

export interface TrayHost {
  /** The newest icon; waits for the first one. */
  readonly item: () => Promise<TrayItem>;
  readonly stop: () => void;
}

export async function startTrayHost(): Promise<TrayHost> {
  const socket = createConnection(busPath());
  await once(socket, 'connect');
  const names: string[] = [];
  let wake: (() => void) | undefined;
  const ready = serve(socket, (name) => {
    names.push(name);
    wake?.();
  });
  await ready;
  return {
    item: async () => {
      while (names.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return itemOf(names.at(-1)!);
    },
    stop: () => socket.destroy(),
  };
}

/** Takes the name and answers what applications ask of a watcher; settles when the name is ours. */
async function serve(socket: Socket, registered: (name: string) => void): Promise<void> {
  let serial = 0;
  const send = (type: number, header: Header, body: readonly number[] = []): number => {
    serial += 1;
    socket.write(encode(type, serial, header, body));
    return serial;
  };
  const uid = Buffer.from(String(process.getuid!())).toString('hex');
  socket.write(`\0AUTH EXTERNAL ${uid}\r\n`);
  await once(socket, 'data');
  socket.write('BEGIN\r\n');
  const bus = { path: '/org/freedesktop/DBus', destination: 'org.freedesktop.DBus' };
  const busCall = (member: string, signature = '', body: readonly number[] = []): number =>
    send(
      methodCall,
      { ...bus, interface: 'org.freedesktop.DBus', member, ...(signature && { signature }) },
      body,
    );

  function answer({ header, serial: asked, body }: Message): void {
    const reply: Header = { replySerial: asked, destination: header.sender! };
    if (header.member === 'Get') {
      const value = new Writer();
      value.signature('b');
      value.uint32(1);
      send(methodReturn, { ...reply, signature: 'v' }, value.bytes);
      return;
    }
    send(methodReturn, reply);
    if (header.member === 'RegisterStatusNotifierItem') {
      registered(String(readValue(body, 0, 's')[0]));
    }
  }

  const owned = new Promise<void>((resolve) => {
    let received = Buffer.alloc(0);
    let nameSerial = 0;
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      for (let message = decode(received); message !== undefined; message = decode(received)) {
        received = received.subarray(message.length);
        if (message.type === methodCall) answer(message);
        if (message.type === methodReturn && message.header.replySerial === nameSerial) resolve();
      }
    });
    busCall('Hello');
    const name = new Writer();
    name.string(WATCHER);
    name.uint32(0);
    nameSerial = busCall('RequestName', 'su', name.bytes);
  });
  await owned;
}

async function gdbus(name: string, path: string, ...call: readonly string[]): Promise<string> {
  const args = ['call', '--session', '--dest', name, '--object-path', path, '--method', ...call];
  return (await run('gdbus', args)).stdout;
}

function itemOf(name: string): TrayItem {
  const path = '/StatusNotifierItem';
  const property = (member: string): Promise<string> =>
    gdbus(name, path, 'org.freedesktop.DBus.Properties.Get', ITEM, member);

  async function menuPath(): Promise<string> {
    return /'(\/[^']*)'/.exec(await property('Menu'))?.[1] ?? '';
  }

  async function layout(): Promise<string> {
    return gdbus(name, await menuPath(), `${MENU}.GetLayout`, 'int32 0', 'int32 -1', '@as []');
  }

  return {
    tooltip: () => property('ToolTip'),
    menu: async () =>
      [...(await layout()).matchAll(/'label': <'([^']*)'>/g)].map((m) => m[1]).join('\n'),
    clickItem: async (label) => {
      const items = [...(await layout()).matchAll(/\((\d+), \{([^}]*)\}/g)];
      const id = items.find(([, , properties]) => properties?.includes(`<'${label}'>`))?.[1];
      if (id === undefined) throw new Error(`no ${label} in ${await layout()}`);
      await gdbus(
        name,
        await menuPath(),
        `${MENU}.Event`,
        `int32 ${id}`,
        "'clicked'",
        "<''>",
        'uint32 0',
      );
    },
    activate: async () => {
      await gdbus(name, path, `${ITEM}.Activate`, 'int32 0', 'int32 0');
    },
  };
}
