/** A system bus of the test's own with a logind on it (Debian's python3-dbusmock). */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { vi } from 'vitest';
import { busConfig } from '../bus-config.ts';
import { WAIT_LIMIT_MS } from '../patience.ts';

const run = promisify(execFile);
const LOGIND = 'org.freedesktop.login1';
const MANAGER = '/org/freedesktop/login1';
const SESSION = '/org/freedesktop/login1/session/auto';
/** The system's own, which has Debian's packages. */
const PYTHON = '/usr/bin/python3';
/** `dbus-send` cannot write the argument. */
const emitSleep = `
import dbus, sys
logind = dbus.SystemBus().get_object("${LOGIND}", "${MANAGER}")
logind.EmitSignal("${LOGIND}.Manager", "PrepareForSleep", "b", [sys.argv[1] == "true"],
    dbus_interface="org.freedesktop.DBus.Mock")
`;

export interface SystemBus {
  /** What the application is started with. */
  readonly env: Readonly<Record<string, string>>;
  readonly lock: (isLocked: boolean) => Promise<void>;
  /** Tells that the computer goes to sleep, or is awake again. */
  readonly sleep: (isAsleep: boolean) => Promise<void>;
  /** As they are printed. */
  readonly inhibitors: () => Promise<string>;
  readonly stop: () => Promise<void>;
}

export async function startSystemBus(): Promise<SystemBus> {
  const dir = await mkdtemp(join(tmpdir(), 'hearth-bus-'));
  const address = `unix:path=${join(dir, 'bus')}`;
  await writeFile(join(dir, 'bus.conf'), busConfig(address));
  const env = { DBUS_SYSTEM_BUS_ADDRESS: address };
  const options = { env: { ...process.env, ...env }, stdio: 'ignore' } as const;
  const bus = spawn('dbus-daemon', [`--config-file=${join(dir, 'bus.conf')}`, '--nofork'], options);
  const call = async (
    path: string,
    method: string,
    ...args: readonly string[]
  ): Promise<string> => {
    const words = ['--system', '--print-reply', `--dest=${LOGIND}`, path, method, ...args];
    return (await run('dbus-send', words, { env: options.env })).stdout;
  };
  const peer = (): Promise<unknown> =>
    call(MANAGER, 'org.freedesktop.DBus.Peer.Ping').catch(() => undefined);
  const logind = spawn(PYTHON, ['-m', 'dbusmock', '--template', 'logind'], options);
  await vi.waitUntil(async () => (await peer()) !== undefined, { timeout: WAIT_LIMIT_MS });
  const session = ['auto', 'seat0'].map((word) => `string:${word}`);
  await call(
    MANAGER,
    'org.freedesktop.DBus.Mock.AddSession',
    ...session,
    `uint32:${process.getuid?.() ?? 0}`,
    'string:somebody',
    'boolean:true',
  );
  return {
    env,
    lock: async (isLocked) => {
      await call(SESSION, `${LOGIND}.Session.SetLockedHint`, `boolean:${isLocked}`);
    },
    sleep: async (isAsleep) => {
      await run(PYTHON, ['-c', emitSleep, String(isAsleep)], { env: options.env });
    },
    inhibitors: () => call(MANAGER, `${LOGIND}.Manager.ListInhibitors`),
    stop: async () => {
      for (const child of [logind, bus]) {
        const ended = once(child, 'exit');
        child.kill();
        await ended;
      }
      await rm(dir, { recursive: true, force: true });
    },
  };
}
