import { isCommandWord } from '../../platform/commands/command-words.ts';

/**
 * A command to be carried out without a window, with what belongs to it; undefined where the window is to open. Switches
 * of Chromium may stand before it.
 */
export function commandAmong(args: readonly string[]): readonly string[] | undefined {
  const start = args.findIndex((each) => !each.startsWith('-'));
  if (start === -1) return args.includes('--help') ? ['--help'] : undefined;
  return isCommandWord(args[start]) ? args.slice(start) : undefined;
}
