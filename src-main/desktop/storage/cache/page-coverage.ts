/** What one page of the service has all of, in the tables of a cache. */
import type { PageCoverageScope, CoverageScope } from '#client/cache/port.ts';
import { idList, type IdRow, idsOf, type Sql } from './sql.ts';

const IN_RANGE = 'SELECT m.id FROM message m WHERE m.id >= :from AND m.id <= :through AND';
const inPlace: Readonly<Record<PageCoverageScope['kind'], string>> = {
  stream: 'm.stream_id = :streams',
  private: 'm.stream_id IS NULL',
  held: 'm.is_held = 1',
  subscribed: '(m.is_held = 1 OR m.stream_id IN (SELECT value FROM json_each(:streams)))',
};

function streamsOf(place: PageCoverageScope): { readonly streams?: number | string } {
  if (place.kind === 'stream') return { streams: place.streamId };
  return place.kind === 'subscribed' ? { streams: idList(place.streamIds) } : {};
}

/** The places that are known by it. */
export const placesIn = (place: PageCoverageScope): readonly CoverageScope[] =>
  place.kind === 'subscribed'
    ? [
        { kind: 'held' },
        ...place.streamIds.map((streamId): CoverageScope => ({ kind: 'stream', streamId })),
      ]
    : [place];

export const listInPlace = (
  sql: Sql,
  place: PageCoverageScope,
  range: { readonly from: number; readonly through: number },
): readonly number[] =>
  idsOf(sql.list<IdRow>(`${IN_RANGE} ${inPlace[place.kind]}`, { ...range, ...streamsOf(place) }));
