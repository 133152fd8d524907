import { ipcMain, type WebFrameMain } from 'electron';
import { z } from 'zod';
import { callNames, type BridgeCalls, type BridgeEvents } from '../../src-preload/bridge.ts';
import {
  ConnectRequest,
  Draft,
  HostRequest,
  MessagePageRequest,
  NewPerson,
  NewStream,
  View,
} from '../contract/models/client.ts';

const AccountId = z.string().min(1).max(1000);

/** What each call accepts; a window sends nothing else, so anything else is refused as a bug. */
const codecs: { readonly [K in keyof BridgeCalls]: z.ZodType<Parameters<BridgeCalls[K]>> } = {
  start: z.tuple([]),
  retryStart: z.tuple([]),
  hostOrganization: z.tuple([HostRequest]),
  connect: z.tuple([ConnectRequest]),
  signOut: z.tuple([AccountId]),
  realm: z.tuple([AccountId]),
  connection: z.tuple([AccountId]),
  messages: z.tuple([AccountId, MessagePageRequest]),
  sendMessage: z.tuple([AccountId, Draft]),
  topics: z.tuple([AccountId, z.int()]),
  createStream: z.tuple([AccountId, NewStream]),
  createPerson: z.tuple([AccountId, NewPerson]),
  showView: z.tuple([AccountId, View.nullable()]),
  openLink: z.tuple([z.string().max(10_000)]),
};

type Run = (...args: readonly unknown[]) => Promise<unknown>;

export const callChannel = (call: keyof BridgeCalls): string => `call:${call}`;
export const eventChannel = (event: keyof BridgeEvents): string => `event:${event}`;

/** Serves every call to trusted frames; the calls of any other and malformed arguments are rejected. */
export function serveBridge(
  handlers: BridgeCalls,
  isTrusted: (frame: WebFrameMain | null) => boolean,
): void {
  for (const name of callNames) {
    const run = handlers[name] as Run;
    ipcMain.handle(callChannel(name), async (event, ...args: unknown[]) => {
      if (!isTrusted(event.senderFrame)) throw new Error(`${name} from an untrusted frame`);
      const parsed = codecs[name].safeParse(args);
      // The issues are left out: the message goes to the page, and arguments may hold a password.
      if (!parsed.success) throw new Error(`${name} with malformed arguments`);
      return run(...parsed.data);
    });
  }
}
