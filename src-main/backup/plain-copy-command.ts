/** What is said of a plain copy, whichever command made it. */
import { makePlainCopy } from './plain-copy.ts';
import { counted, lostWarning, sizeText } from '#node/wording.ts';

export interface CopySaid {
  readonly line: string;
  readonly warnings: readonly string[];
  readonly fields: Readonly<Record<string, unknown>>;
  readonly isComplete: boolean;
}

/** @throws an Error of one sentence; then nothing is left of the copy */
export async function carryOutPlainCopy(
  request: Parameters<typeof makePlainCopy>[0],
  signal: AbortSignal,
): Promise<CopySaid> {
  const { dataDir } = request;
  const made = await makePlainCopy(request, new Date(), signal);
  const { folder, messages, sizeBytes, hasSecret, lost } = made;
  const secretWarning = `The folder ${dataDir} has no file secret, as on a desktop, which keeps it in the keychain: on another computer everybody signs in anew.`;
  return {
    line: `backed up ${counted(messages, 'message')}, ${sizeText(sizeBytes)}, into ${folder}`,
    warnings: [...(hasSecret ? [] : [secretWarning]), ...lostWarning(dataDir, lost)],
    fields: { folder, messages, size_bytes: sizeBytes, lost_files: lost, has_keys: hasSecret },
    isComplete: lost.length === 0,
  };
}
