import { contextBridge, ipcRenderer } from 'electron/renderer';
import {
  callNames,
  firstAnswersChannel,
  isSameJson,
  type ExposedBridge,
  type FirstAnswer,
} from './bridge.ts';

/** The empty document, which stands there until the page does, has a bridge too. */
const isPage = location.protocol !== 'about:';

/** What main knows that the page will ask first. Each is good for one call, and for none once everything is loaded. */
let first = isPage ? (ipcRenderer.sendSync(firstAnswersChannel) as readonly FirstAnswer[]) : [];
ipcRenderer.once(firstAnswersChannel, () => (first = []));

function takeFirst(name: string, args: readonly unknown[]): FirstAnswer | undefined {
  const found = first.find((each) => each.name === name && isSameJson(each.args, args));
  first = first.filter((each) => each !== found);
  return found;
}

const calls = Object.fromEntries(
  callNames.map((name) => [
    name,
    async (...args: readonly unknown[]): Promise<unknown> => {
      const known = takeFirst(name, args);
      return known === undefined ? ipcRenderer.invoke(`call:${name}`, ...args) : known.answer;
    },
  ]),
) as unknown as Omit<ExposedBridge, 'on'>;

const on: ExposedBridge['on'] = (event, listener) => {
  const channel = `event:${event}`;
  const forward = (_event: unknown, json: string): void => listener(json);
  ipcRenderer.on(channel, forward);
  return () => ipcRenderer.off(channel, forward);
};

contextBridge.exposeInMainWorld('bridge', { ...calls, on } satisfies ExposedBridge);
