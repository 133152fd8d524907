/** What the window's page has to load before it can paint, as it was built. */
import { expect, test } from 'vitest';
import { measureScriptSize } from '../bench/figures/desktop/script-size.ts';

test('the scripts before the first paint stay below their limit', async () => {
  const [scripts] = await measureScriptSize();
  // Schemas that one list of words brought along once made a sixth of it.
  expect(scripts?.figure).toBeGreaterThan(50);
  expect(scripts?.ratio).toBeLessThanOrEqual(1);
});
