/** What the notification daemon of this desktop session received. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface ReceivedNotification {
  readonly application: string;
  readonly title: string;
  readonly body: string;
}

interface Entry {
  readonly id: { readonly data: number };
  /** Microseconds. */
  readonly timestamp: { readonly data: number };
  readonly appname: { readonly data: string };
  readonly summary: { readonly data: string };
  readonly body: { readonly data: string };
}

/** The daemon remembers the last twenty only. */
const known = new Map<string, ReceivedNotification>();

/** All that were received and are closed, oldest first; those on the screen are closed first. */
export async function receivedNotifications(): Promise<readonly ReceivedNotification[]> {
  await run('dunstctl', ['close-all']);
  const { stdout } = await run('dunstctl', ['history']);
  const { data } = JSON.parse(stdout) as { readonly data: readonly (readonly Entry[])[] };
  for (const { id, timestamp, appname, summary, body } of data.flat().reverse()) {
    const received = { application: appname.data, title: summary.data, body: body.data };
    known.set(`${id.data} ${timestamp.data}`, received);
  }
  return [...known.values()];
}

/** How many are on the screen now. */
export async function displayedNotifications(): Promise<number> {
  const { stdout } = await run('dunstctl', ['count', 'displayed']);
  return Number(stdout.trim());
}

/** Does what a click on the newest one does. */
export async function clickNotification(): Promise<void> {
  await run('dunstctl', ['action', '0']);
}
