let count = 0;

/** Belongs to one page and is never the same twice: pages that came over plain HTTP have no `crypto.randomUUID`. */
export function nextPageId(): string {
  count += 1;
  return `${String(Date.now())}-${String(count)}`;
}
