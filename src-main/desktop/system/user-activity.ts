/** What the system says of the person at this computer: their last input, the lock of the screen, sleep. */
import { powerMonitor } from 'electron';
import { ActivityTracker } from '#client/user-activity.ts';
import { callBus, watchBus } from './dbus.ts';
import { desktopClock } from './clock.ts';

export interface UserActivity extends Pick<ActivityTracker, 'activeSinceMs' | 'arrive'> {
  readonly stop: () => void;
}

export function watchUserActivity(changed: (hereSinceMs: number | null) => void): UserActivity {
  const attendance = new ActivityTracker({ clock: desktopClock, idleMs, changed });
  const { arrive, leave } = attendance;
  powerMonitor.on('suspend', leave);
  powerMonitor.on('lock-screen', leave);
  powerMonitor.on('unlock-screen', arrive);
  const unwatch = process.platform === 'linux' ? watchLock(attendance) : undefined;
  void attendance.follow();
  return {
    get activeSinceMs() {
      return attendance.activeSinceMs;
    },
    arrive,
    stop: () => {
      unwatch?.();
      attendance.stop();
    },
  };
}

const MUTTER = 'org.gnome.Mutter.IdleMonitor';

async function idleMs(): Promise<number | null> {
  if (process.platform === 'linux') {
    const path = '/org/gnome/Mutter/IdleMonitor/Core';
    const call = { bus: 'session', name: MUTTER, path, method: `${MUTTER}.GetIdletime` } as const;
    const told = /uint64 (\d+)/.exec((await callBus(call)) ?? '')?.[1];
    if (told !== undefined) return Number(told);
    // Other desktops of Wayland tell nobody, where Electron would say that there was input just now.
    if (process.env['XDG_SESSION_TYPE'] === 'wayland') return null;
  }
  return powerMonitor.getSystemIdleTime() * 1000;
}

const LOGIND = 'org.freedesktop.login1';
const PROPERTIES = 'org.freedesktop.DBus.Properties';
const sessionChanges = `type='signal',interface='${PROPERTIES}',member='PropertiesChanged',arg0='${LOGIND}.Session'`;

/** Electron tells of the lock on other systems only. */
function watchLock({ arrive, leave }: ActivityTracker): () => void {
  let wasLocked = false;
  async function look(): Promise<void> {
    const answer = await callBus({
      bus: 'system',
      name: LOGIND,
      // The one that this user sees, whichever this process belongs to.
      path: '/org/freedesktop/login1/session/auto',
      method: `${PROPERTIES}.Get`,
      args: [`string:${LOGIND}.Session`, 'string:LockedHint'],
    });
    const isLocked = answer?.includes('boolean true') === true;
    if (isLocked && !wasLocked) leave();
    if (!isLocked && wasLocked) arrive();
    wasLocked = isLocked;
  }
  void look();
  return watchBus('system', sessionChanges, (line) => {
    if (line.includes('"LockedHint"')) void look();
  });
}
