import type { Log } from '#node/log.ts';

export interface TestLog extends Log {
  readonly lines: { readonly level: string; readonly message: string }[];
}

/** A log that is read instead of printed. */
export function createTestLog(): TestLog {
  const lines: TestLog['lines'] = [];
  const write = (level: string) => (message: string) => void lines.push({ level, message });
  return { lines, info: write('info'), warn: write('warn'), error: write('error') };
}
