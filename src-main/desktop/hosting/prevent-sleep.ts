/** The computer that hosts does not fall asleep by itself while others are connected. */
import type { NetworkAccess } from '#shared/bridge/models/hosting.ts';
import type { Preferences } from '#shared/bridge/models/preferences.ts';
import type { Power } from '../system/power.ts';

interface Changes<T> {
  readonly onChange: (listener: (now: T) => void) => unknown;
}

export interface StayingAwakeParts {
  readonly networkAccess: Changes<Pick<NetworkAccess, 'remoteClients'>>;
  readonly preferences: Changes<Pick<Preferences, 'staysAwake'>> & {
    readonly current: () => Pick<Preferences, 'staysAwake'>;
  };
  readonly power: Pick<Power, 'isOnBattery' | 'onChange' | 'holdAwake'>;
}

/** @returns what ends it for good */
export function stayAwake({ networkAccess, preferences, power }: StayingAwakeParts): () => void {
  let hasVisitors = false;
  let isEnded = false;
  let release: (() => void) | undefined;
  const look = (): void => {
    const { staysAwake } = preferences.current();
    if (!isEnded && hasVisitors && staysAwake && !power.isOnBattery()) {
      release ??= power.holdAwake();
      return;
    }
    release?.();
    release = undefined;
  };
  networkAccess.onChange(({ remoteClients }) => {
    hasVisitors = remoteClients.length > 0;
    look();
  });
  preferences.onChange(look);
  power.onChange(look);
  return () => {
    isEnded = true;
    look();
  };
}
