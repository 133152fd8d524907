import { contextBridge, ipcRenderer } from 'electron/renderer';
import { callNames, type Bridge } from './bridge.ts';

const calls = Object.fromEntries(
  callNames.map((name) => [
    name,
    (...args: readonly unknown[]): Promise<unknown> => ipcRenderer.invoke(`call:${name}`, ...args),
  ]),
) as unknown as Omit<Bridge, 'on'>;

const on: Bridge['on'] = (event, listener) => {
  const channel = `event:${event}`;
  const forward = (_event: unknown, payload: Parameters<typeof listener>[0]): void =>
    listener(payload);
  ipcRenderer.on(channel, forward);
  return () => ipcRenderer.off(channel, forward);
};

contextBridge.exposeInMainWorld('bridge', { ...calls, on } satisfies Bridge);
