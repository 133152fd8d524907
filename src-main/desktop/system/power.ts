import { powerMonitor, powerSaveBlocker } from 'electron';
import { inhibitIdle } from './inhibitor.ts';

export interface Power {
  readonly isOnBattery: () => boolean;
  readonly onChange: (listener: () => void) => void;
  /** @returns what lets the computer fall asleep again */
  readonly holdAwake: () => () => void;
}

/** Electron asks the session of the desktop on Linux, where logind is asked, too: not every session puts the computer to sleep. */
function holdAwake(): () => void {
  const blocker = powerSaveBlocker.start('prevent-app-suspension');
  const release =
    process.platform === 'linux' ? inhibitIdle('Others use the organization') : undefined;
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
};
