/**
 * Places what stands above the page beside its anchor: at first, when its size changes, and when the window's does, which
 * moves the anchor a frame later. An anchor that has gone counts where it was last.
 * @returns what ends it
 */
export function anchorPopover(
  element: HTMLElement,
  anchor: HTMLElement,
  placeBeside: (beside: DOMRect) => void,
): () => void {
  let frame = 0;
  let beside = anchor.getBoundingClientRect();
  const place = (): void => {
    if (anchor.isConnected) beside = anchor.getBoundingClientRect();
    placeBeside(beside);
  };
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
