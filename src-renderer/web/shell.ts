/** What the desktop shell keeps in its profile, kept by the browser: for all tabs of this address. */
import { joinTokenOf } from '#shared/join-link.ts';
import type { BridgeEvents, ShellCalls } from '#shared/bridge/bridge.ts';
import type { BackupCalls, MigrationCalls } from '#shared/bridge/hosting-calls.ts';
import { ActivityTracker } from '#client/user-activity.ts';
import { createEmitter, type Emitter } from '#client/emitter.ts';
import type { Attention, Clock } from '#client/ports.ts';
import {
  changedPreferences,
  defaultPreferences,
} from '#shared/bridge/models/preference-defaults.ts';
import { SavedPreferences, type Preferences } from '#shared/bridge/models/preferences.ts';
import { SavedPlace } from '#shared/bridge/models/shell.ts';
import { failure, type Outcome, success } from '#shared/bridge/outcome.ts';
import { passwordLinkIn } from '../lib/links/password-link.ts';
import { browserWords } from '#shared/i18n/browser-words.ts';
import { clientWords } from '#shared/i18n/client-words.ts';

const PREFERENCES = 'hearth.preferences';
const PLACE = 'hearth.place';

type ShellEvents = Pick<
  BridgeEvents,
  | 'preferencesChanged'
  | 'activityChanged'
  | 'linkOpened'
  | 'passwordLinkOpened'
  | 'invitationOpened'
>;

export interface WebShell
  extends ShellCalls, BackupCalls, MigrationCalls, Pick<Attention, 'activeSinceMs'> {
  readonly on: Emitter<ShellEvents>['on'];
}

type PageClock = Pick<Clock, 'now' | 'wait'>;

/** Undefined for what is not there or not ours; another version of this page may have written it. */
function stored(storage: Storage, name: string): unknown {
  try {
    return JSON.parse(storage.getItem(name) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

export function readPreferences(): Preferences {
  const kept = stored(localStorage, PREFERENCES);
  const parsed = SavedPreferences.safeParse(kept);
  return parsed.success ? changedPreferences(defaultPreferences, parsed.data) : defaultPreferences;
}

/** The place belongs to the tab: two tabs may show two conversations. */
function readPlace(): SavedPlace | null {
  const parsed = SavedPlace.safeParse(stored(sessionStorage, PLACE));
  return parsed.success ? parsed.data : null;
}

/** It names conversations, and what was searched for. */
export const forgetPlace = (): void => {
  sessionStorage.removeItem(PLACE);
};

const doneElsewhere = async (): Promise<Outcome<never>> =>
  failure('CANNOT_HOST', browserWords('done_on_hosting_computer'));

const onHost = {
  startHosting: async (): Promise<Outcome<never>> =>
    failure('CANNOT_HOST', clientWords('hosting_not_possible')),
  makePasswordLinkHere: doneElsewhere,
  networkAccess: doneElsewhere,
  openToNetwork: doneElsewhere,
  allowNetwork: doneElsewhere,
  checkAddresses: doneElsewhere,
  webhookTargets: doneElsewhere,
  saveAuthority: doneElsewhere,
};

const keeping: BackupCalls = {
  backups: doneElsewhere,
  backUpNow: doneElsewhere,
  saveCopy: doneElsewhere,
  chooseBackupFolder: doneElsewhere,
  setBackupTime: doneElsewhere,
  postponeBackups: doneElsewhere,
  recoveryCode: doneElsewhere,
  confirmRecoveryCode: doneElsewhere,
  reportKeysStolen: doneElsewhere,
  chooseArchive: doneElsewhere,
  inspectArchive: doneElsewhere,
  restoreArchive: doneElsewhere,
  missing: doneElsewhere,
  openRestored: doneElsewhere,
  unlockHosting: doneElsewhere,
  startHostingWithNewKeys: doneElsewhere,
};

const onEither: MigrationCalls = {
  migrationSource: doneElsewhere,
  createTransferCode: doneElsewhere,
  confirmMigration: doneElsewhere,
  cancelMigration: doneElsewhere,
  migrationTarget: doneElsewhere,
  startMigration: doneElsewhere,
  stopMigration: doneElsewhere,
};

/** All that a page knows of the person is what they do in it. */
function followSomebody(
  clock: PageClock,
  emit: Emitter<ShellEvents>['emit'],
): Pick<WebShell, 'reportActivity' | 'activeSinceMs'> {
  const attendance = new ActivityTracker({
    clock,
    idleMs: async () => null,
    changed: (activeSinceMs) => emit('activityChanged', { activeSinceMs }),
  });
  void attendance.follow();
  return {
    reportActivity: async () => {
      attendance.arrive();
      return success(null);
    },
    activeSinceMs: () => attendance.activeSinceMs,
  };
}

export function createWebShell(clock: PageClock): WebShell {
  const { on, emit } = createEmitter<ShellEvents>();
  addEventListener('storage', ({ key }) => {
    if (key === PREFERENCES || key === null) emit('preferencesChanged', readPreferences());
  });
  /** The link that the page was told of, which stays in the address until the page is there: a reload keeps it. */
  let narrow = '';
  const clearFragment = (): void =>
    history.replaceState(history.state, '', `${location.pathname}${location.search}`);
  function takeLink(): void {
    const { hash } = location;
    if (hash.startsWith('#narrow/')) {
      narrow = hash;
      emit('linkOpened', { accountId: null, fragment: hash });
      return;
    }
    const link = passwordLinkIn(location.href);
    const token = joinTokenOf(location.href);
    if (link === null && token === null) return;
    // The next person at this computer must not find it in the address bar.
    clearFragment();
    const address = location.origin;
    if (link !== null) emit('passwordLinkOpened', { ...link, address });
    if (token !== null) {
      emit('invitationOpened', { token, addresses: [address], pin: null, realmName: '' });
    }
  }
  addEventListener('hashchange', takeLink);
  return {
    on,
    preferences: async () => success(readPreferences()),
    setPreferences: async (patch) => {
      const changed = changedPreferences(readPreferences(), patch);
      try {
        localStorage.setItem(PREFERENCES, JSON.stringify(changed));
      } catch {
        return failure('NOT_KEPT', browserWords('browser_keeps_no_preferences'));
      }
      emit('preferencesChanged', changed);
      return success(changed);
    },
    savePlace: async (place) => {
      sessionStorage.setItem(PLACE, JSON.stringify(place));
      if (narrow !== '' && location.hash === narrow) clearFragment();
      return success(null);
    },
    savedPlace: async () => success(readPlace()),
    pageReady: async () => {
      takeLink();
      return success(null);
    },
    readyToClose: async () => success(null),
    ...followSomebody(clock, emit),
    hosting: async () => success({ phase: 'off' }),
    ...onHost,
    ...keeping,
    ...onEither,
  };
}
