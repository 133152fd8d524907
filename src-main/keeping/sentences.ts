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
