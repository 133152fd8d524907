/** As people sort by hand: `Person 2` before `Person 10`. Made once, because that takes longer than to compare. */
const collator = new Intl.Collator(undefined, { numeric: true });

export const compareNames = (a: string, b: string): number => collator.compare(a, b);

interface Named {
  readonly name: string;
}

interface Called {
  readonly fullName: string;
}

export const byName = (a: Named, b: Named): number => compareNames(a.name, b.name);

export const byFullName = (a: Called, b: Called): number => compareNames(a.fullName, b.fullName);
