/** What outgoing bots may reach inside the office, as it is kept in the data folder: another computer has another network. */
import { join } from 'node:path';
import { z } from 'zod';
import {
  type InternalAccess,
  type AllowedTarget,
  isService,
  portOf,
  parseTarget,
} from './allowed-targets.ts';
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { hostingWords } from '#shared/i18n/hosting-words.ts';
import { readIfThere } from '../files/read-if-exists.ts';
import { writeState } from '../migration/transfer-files.ts';

const TARGETS_FILE = 'webhook-targets.json';
const MAX_TARGETS = 100;

export interface TargetChange {
  readonly allow: readonly string[];
  readonly remove: readonly string[];
}

/** What is done to one of them, as it is noted. */
export type NoteTarget = (text: string, isAllowed: boolean) => Promise<void>;

export interface WebhookTargets extends InternalAccess {
  readonly noteOrigins: (origins: readonly (string | null)[]) => void;
  /** Answers all that are allowed then. @throws an Error of one sentence; then nothing has changed */
  readonly change: (change: TargetChange, note: NoteTarget) => Promise<readonly string[]>;
}

function readTargetsFile(text: string): readonly AllowedTarget[] {
  try {
    return z.array(z.string()).parse(JSON.parse(text)).map(parseTarget);
  } catch {
    // Nothing is allowed by what cannot be read.
    return [];
  }
}

export async function openWebhookTargets(dataDir: string): Promise<WebhookTargets> {
  const file = join(dataDir, TARGETS_FILE);
  const text = (await readIfThere(file))?.toString();
  let targets = text === undefined ? [] : readTargetsFile(text);
  let servicePorts: readonly number[] = [];
  // One that was allowed while the service had another port counts for nothing.
  const shown = (): readonly string[] =>
    targets.filter((each) => !isService(each, servicePorts)).map(({ text: each }) => each);
  return {
    targets: () => targets,
    servicePorts: () => servicePorts,
    noteOrigins(origins) {
      servicePorts = origins.flatMap((each) => (each === null ? [] : [portOf(new URL(each))]));
    },
    async change({ allow, remove }, note) {
      const known = new Set(targets.map((each) => each.text));
      const removed = new Set(remove.map((each) => parseTarget(each).text));
      const unknown = [...removed].find((each) => !known.has(each));
      if (unknown !== undefined) {
        throw new ExplainedError(hostingWords('target_not_allowed', { target: unknown }));
      }
      const added = allow.map(parseTarget).filter((each) => !known.has(each.text));
      const next = [...targets.filter((each) => !removed.has(each.text)), ...added];
      if (next.length > MAX_TARGETS) {
        throw new ExplainedError(hostingWords('too_many_targets', { limit: MAX_TARGETS }));
      }
      const itself = added.find((each) => isService(each, servicePorts));
      if (itself !== undefined) {
        throw new ExplainedError(hostingWords('target_is_service', { target: itself.text }));
      }
      for (const each of added) await note(each.text, true);
      for (const each of removed) await note(each, false);
      if (added.length + removed.size > 0) {
        await writeState(
          file,
          next.map((each) => each.text),
        );
        targets = next;
      }
      return shown();
    },
  };
}
