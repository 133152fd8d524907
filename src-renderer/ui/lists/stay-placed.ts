/**
 * Places what stands above the page beside something: at first, when its size changes, and when the window's does, which
 * moves what it stands beside a frame later.
 * @returns what ends it
 */
export function stayPlaced(element: HTMLElement, place: () => void): () => void {
  let frame = 0;
  const observer = new ResizeObserver(() => {
    place();
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(place);
  });
  observer.observe(element);
  observer.observe(document.documentElement);
  return () => {
    cancelAnimationFrame(frame);
    observer.disconnect();
  };
}
