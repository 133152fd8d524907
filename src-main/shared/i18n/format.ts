/** What compiled messages are made with: the rules of a language come from Intl, and are looked up when first needed. */
const memoized = <T>(make: (locale: string, options?: object) => T) => {
  const made = new Map<string, T>();
  return (locale: string, options?: object): T => {
    const key = `${locale} ${JSON.stringify(options)}`;
    const found = made.get(key) ?? make(locale, options);
    made.set(key, found);
    return found;
  };
};

const numbers = memoized((locale, options) => new Intl.NumberFormat(locale, options));
const dates = memoized((locale, options) => new Intl.DateTimeFormat(locale, options));
const plurals = memoized((locale, options) => new Intl.PluralRules(locale, options));

/** @public  compiled catalogues name it */
export const formatNumber = (
  locale: string,
  value: number,
  options?: Intl.NumberFormatOptions,
): string => numbers(locale, options).format(value);

/** @public  compiled catalogues name it */
export const formatDate = (
  locale: string,
  value: Date | number,
  options: Intl.DateTimeFormatOptions,
): string => dates(locale, options).format(value);

/**
 * The plural category of a number: `one`, `few`, `other` …
 * @public  compiled catalogues name it
 */
export const pluralOf = (
  locale: string,
  value: number,
  options?: Intl.PluralRulesOptions,
): Intl.LDMLPluralRule => plurals(locale, options).select(value);

/** The text of a value, or that of all others. */
export const select = (
  value: string,
  texts: Readonly<Record<string, string>>,
  other: string,
): string => (Object.hasOwn(texts, value) ? texts[value] : undefined) ?? other;
