/** What may be pressed or read in a row besides the actions of a message. */
const TAKEN = 'a, button, summary, input, .message-image, .user-mention, .aside > *';
const GAP_PX = 4;
/** Farther away nothing is in the way of any place that the actions could take. */
const NEAR_PX = 160;

type Box = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>;

/**
 * Keeps the actions of a message beside what may be pressed in it and in its neighbours: as near as possible to where they
 * stand otherwise, and in contact with their row.
 * @param _message  what the row shows: where it changes, the place is looked for again
 * @returns what ends it
 */
export function avoidOverlap(toolbar: HTMLElement, _message: unknown): () => void {
  const row = toolbar.closest<HTMLElement>('.message');
  const list = toolbar.closest('[role="list"]');
  if (row === null || list === null) return () => undefined;
  const place = (): void => standClear(toolbar, row, list);
  const observer = new ResizeObserver(place);
  observer.observe(row);
  list.addEventListener('scroll', place, { passive: true });
  return () => {
    observer.disconnect();
    list.removeEventListener('scroll', place);
  };
}

function standClear(toolbar: HTMLElement, row: HTMLElement, list: Element): void {
  toolbar.style.translate = '';
  const wanted = toolbar.getBoundingClientRect();
  const taken = takenAround(toolbar, row, wanted);
  if (!taken.some((box) => overlap(box, wanted) > 0)) return;
  const frame = list.getBoundingClientRect();
  // There is the name of the conversation, in a mixed list.
  const covered = Number.parseFloat(getComputedStyle(list).getPropertyValue('--covered'));
  const own = row.getBoundingClientRect();
  const { width, height } = wanted;
  const lefts = taken.flatMap(({ left, right }) => [left - width - GAP_PX, right + GAP_PX]);
  const tops = taken.flatMap(({ top, bottom }) => [top - height, bottom]);
  const places = [wanted.left, ...lefts]
    .flatMap((left) => [wanted.top, ...tops].map((top) => new DOMRect(left, top, width, height)))
    .filter(
      ({ left, top, right, bottom }) =>
        left >= own.left &&
        right <= own.right &&
        top >= frame.top + covered &&
        bottom <= frame.bottom &&
        top <= own.bottom &&
        bottom >= own.top,
    );
  const cost = (place: DOMRect): number =>
    // Nothing is worse than to cover something; a way to the side is less of a surprise than one up or down.
    1000 * taken.reduce((sum, box) => sum + overlap(box, place), 0) +
    Math.abs(place.left - wanted.left) +
    2 * Math.abs(place.top - wanted.top);
  let best = wanted;
  for (const place of places) if (cost(place) < cost(best)) best = place;
  toolbar.style.translate = `${String(best.left - wanted.left)}px ${String(best.top - wanted.top)}px`;
}

function takenAround(toolbar: HTMLElement, row: HTMLElement, wanted: DOMRect): readonly DOMRect[] {
  const item = row.parentElement;
  return [item?.previousElementSibling, item, item?.nextElementSibling]
    .flatMap((each) => [...(each?.querySelectorAll(TAKEN) ?? [])])
    .filter((element) => !toolbar.contains(element) && element.closest('.toolbar') === null)
    .flatMap((element) => [...element.getClientRects()])
    .filter(
      ({ top, bottom, width }) =>
        width > 0 && bottom > wanted.top - NEAR_PX && top < wanted.bottom + NEAR_PX,
    );
}

/** In square pixels. */
function overlap(one: Box, other: Box): number {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return width > 0 && height > 0 ? width * height : 0;
}
