/** How commands speak. */

export const oneLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');

export const counted = (count: number, thing: string): string =>
  `${String(count)} ${thing}${count === 1 ? '' : 's'}`;

export const sizeText = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(1)} MiB`;

/** Made when it is asked for: a start is not to wait for it. */
const moments = (): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  });

/** A moment for people, whatever language the shell speaks: `29 Nov 2026, 20:41 CET`. Programs get ISO 8601. */
export const timeText = (time: Date): string =>
  Number.isNaN(time.getTime()) ? 'an unknown date' : moments().format(time);

/** Nobody should throw away an older copy that has more. */
export const lostWarning = (dataDir: string, lost: readonly string[]): readonly string[] =>
  lost.length === 0
    ? []
    : [
        `The copy is whole but for ${counted(lost.length, 'file')} that ${dataDir} itself has lost, such as files/${lost[0] ?? ''}: look for them in an older copy.`,
      ];
