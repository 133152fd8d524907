import { powerMonitor, powerSaveBlocker } from 'electron';
import { inhibit } from './sleep-inhibitor.ts';

export interface Power {
  readonly isOnBattery: () => boolean;
  readonly onChange: (listener: () => void) => void;
  /** @returns what lets the computer fall asleep again */
  readonly holdAwake: () => () => void;
  /** Told true when the computer goes to sleep, and false when it is awake again. */
  readonly onSleep: (listener: (isAsleep: boolean) => void) => void;
  /** Whoever is told that it goes to sleep has a moment left. @returns what lets it go at once */
  readonly delaySleep: () => () => void;
}

/** Electron asks the session of the desktop on Linux, where logind is asked, too: not every session puts the computer to sleep. */
function holdAwake(): () => void {
  const blocker = powerSaveBlocker.start('prevent-app-suspension');
  const why = 'Others use the organization';
  const release =
    process.platform === 'linux' ? inhibit({ what: 'idle', mode: 'block', why }) : undefined;
  return () => {
    powerSaveBlocker.stop(blocker);
    release?.();
  };
}

export const systemPower: Power = {
  isOnBattery: () => powerMonitor.isOnBatteryPower(),
  onChange: (listener) => {
    powerMonitor.on('on-ac', listener);
    powerMonitor.on('on-battery', listener);
  },
  holdAwake,
  onSleep: (listener) => {
    powerMonitor.on('suspend', () => listener(true));
    powerMonitor.on('resume', () => listener(false));
  },
  // Other systems wait for a moment by themselves.
  delaySleep: () =>
    process.platform === 'linux'
      ? inhibit({
          what: 'sleep',
          mode: 'delay',
          why: 'Others are told that the organization pauses',
        })
      : () => undefined,
};
