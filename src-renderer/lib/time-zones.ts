import { plain } from '#shared/text/fuzzy.ts';

const named = (name: string): string => plain(name).replaceAll('_', ' ').trim();

/** The time zone of this name, or the only one of this city; undefined where there is none, or more than one. */
export function timeZoneNamed(name: string, zones: readonly string[]): string | undefined {
  const wanted = named(name);
  const exact = zones.find((zone) => named(zone) === wanted);
  if (exact !== undefined) return exact;
  const ofCity = zones.filter((zone) => named(zone.split('/').at(-1) ?? '') === wanted);
  return ofCity.length === 1 ? ofCity[0] : undefined;
}
