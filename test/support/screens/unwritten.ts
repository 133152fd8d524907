import type { Page } from 'playwright';

/** What a page says to those who read or hear it where a value was missing. None when all is well. */
export const unwritten = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const named = ['aria-label', 'title', 'placeholder', 'alt', 'href', 'src', 'class', 'id'];
    const texts = [document.title, ...document.body.innerText.split('\n')];
    for (const element of document.body.querySelectorAll('*')) {
      texts.push(...named.map((name) => element.getAttribute(name) ?? ''));
    }
    return texts.filter((text) => /\bundefined\b|\bNaN\b|\[object /.test(text));
  });
