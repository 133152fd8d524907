import {
  changedPreferences,
  defaultPreferences,
} from '#shared/bridge/models/preference-defaults.ts';
import type { Preferences, PreferencesPatch } from '#shared/bridge/models/preferences.ts';
import { failure, success, type Outcome } from '#shared/bridge/outcome.ts';
import type { Log } from '#node/log.ts';
import { createProfileFile, type CheckedTexts } from './profile-file.ts';
import { systemWords } from '#shared/i18n/system-words.ts';

const loadCodec = async () => (await import('./preference-codec.ts')).StoredPreferences;

/** What the system is asked for because of a choice. A rejection says what it refused, as a sentence. */
export type Effect = (next: Preferences, old: Preferences) => Promise<Outcome<null>>;

export interface PreferenceStore {
  readonly current: () => Preferences;
  readonly change: (patch: PreferencesPatch) => Promise<Outcome<Preferences>>;
  /** For what depends on how it is: asked when earlier changes are made. */
  readonly changeBy: (
    patch: (current: Preferences) => PreferencesPatch,
  ) => Promise<Outcome<Preferences>>;
  readonly onChange: (listener: (next: Preferences, old: Preferences) => void) => void;
  /** Runs before a change is kept; one that fails leaves everything as it was. */
  readonly addEffect: (effect: Effect) => void;
  /** Settles when the last change is on the disk. */
  readonly settled: () => Promise<unknown>;
}

/** The choices of this computer in a file of the profile; a damaged file is moved aside and the defaults hold. */
export async function openPreferences(
  profileDir: string,
  log: Log,
  checked?: CheckedTexts,
): Promise<PreferenceStore> {
  const file = createProfileFile(profileDir, 'preferences.json', loadCodec, { log, checked });
  const kept = await file.read().catch((error: unknown) => {
    log.error('the preferences could not be read', { error });
    return undefined;
  });
  let current = changedPreferences(defaultPreferences, kept?.choices ?? {});
  const effects: Effect[] = [];
  const listeners: ((next: Preferences, old: Preferences) => void)[] = [];
  let lastChange: Promise<unknown> = Promise.resolve();

  async function applyEffects(next: Preferences, old: Preferences): Promise<Outcome<null>> {
    for (const effect of effects) {
      const outcome = await effect(next, old);
      if (!outcome.ok) return outcome;
    }
    return success(null);
  }

  async function change(
    patch: (current: Preferences) => PreferencesPatch,
  ): Promise<Outcome<Preferences>> {
    const old = current;
    const next = changedPreferences(old, patch(old));
    const applied = await applyEffects(next, old);
    if (!applied.ok) return applied;
    try {
      await file.write({ version: 1, choices: next });
    } catch (error) {
      log.error('the preferences could not be written', { error });
      await applyEffects(old, next);
      return failure('NOT_KEPT', systemWords('preference_not_kept'));
    }
    current = next;
    for (const listener of listeners) listener(next, old);
    return success(next);
  }

  /** One after the other: two changes at once would each start from what the other replaces. */
  function queue(patch: (current: Preferences) => PreferencesPatch): Promise<Outcome<Preferences>> {
    const changing = lastChange.then(() => change(patch));
    lastChange = changing.catch(() => undefined);
    return changing;
  }

  return {
    current: () => current,
    change: (patch) => queue(() => patch),
    changeBy: queue,
    onChange: (listener) => listeners.push(listener),
    addEffect: (effect) => effects.push(effect),
    settled: () => lastChange,
  };
}
