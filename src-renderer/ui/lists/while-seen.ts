import type { Attachment } from 'svelte/attachments';

/**
 * Runs it whenever the element comes into sight, be it in a window or in what scrolls there, and what it answers when
 * the element is out of sight again.
 */
export const whileSeen =
  (run: () => (() => void) | undefined): Attachment =>
  (element) => {
    let leave: (() => void) | undefined;
    const observer = new IntersectionObserver((entries) => {
      leave?.();
      leave = entries.at(-1)?.isIntersecting === true ? run() : undefined;
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      leave?.();
    };
  };
