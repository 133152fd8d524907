import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withThousands } from '#shared/text/thousands.ts';

test('whole numbers are written with commas, as English does', () => {
  fc.assert(
    fc.property(fc.nat(), (value) => {
      expect(withThousands(value)).toBe(value.toLocaleString('en'));
    }),
  );
});
