import { isCommandWord, switchesOfCommands } from '#cli/command-words.ts';

/**
 * A command to be carried out without a window, with what belongs to it; undefined where the window is to open. Switches
 * of Chromium may stand before it.
 */
export function commandAmong(args: readonly string[]): readonly string[] | undefined {
  const start = args.findIndex((each) => !each.startsWith('-'));
  if (start === -1) {
    const asked = switchesOfCommands.find((each) => args.includes(each));
    return asked === undefined ? undefined : [asked];
  }
  return isCommandWord(args[start]) ? args.slice(start) : undefined;
}

/** Whether a window can open at all: without a display Chromium ends with a segmentation fault. */
export const hasDisplay = (
  platform: NodeJS.Platform,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): boolean =>
  platform !== 'linux' ||
  [env['DISPLAY'], env['WAYLAND_DISPLAY']].some((name = '') => name !== '') ||
  args.some((each) => each.startsWith('--ozone-platform='));
