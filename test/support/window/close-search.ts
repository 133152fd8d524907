import type { Page } from 'playwright';

/** Leaves the search by its cross, which first clears what is asked for. */
export async function closeSearch(page: Page): Promise<void> {
  const clear = page.getByRole('button', { name: 'Clear the search' });
  if (await clear.isVisible()) await clear.click();
  await page.getByRole('button', { name: 'Close the search' }).click();
}
