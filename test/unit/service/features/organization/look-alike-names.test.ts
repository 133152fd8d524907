import { expect, test } from 'vitest';
import { lookAlikesIn } from '#service/features/organization/rules/look-alike-names.ts';

test('names are taken for those of others that look the same, which are read once for all of them', () => {
  let reads = 0;
  const named = ['Ben Member', 'Ada Admin'].map((name, id) => ({
    id,
    get name() {
      reads += 1;
      return name;
    },
  }));
  const lookAlikes = lookAlikesIn(named, {});
  const asked = ['BEN MEMBER', 'Ada  Admin', 'Nia New', 'ben member'];
  expect(asked.map(lookAlikes)).toEqual([[0], [1], [], [0]]);
  expect(reads).toBe(named.length);
});
