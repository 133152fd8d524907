import type { Attachment } from 'svelte/attachments';

/** Runs it once, when the element first comes into sight, be it in a window or in what scrolls there. */
export const whenSeen =
  (run: () => void): Attachment =>
  (element) => {
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      run();
    });
    observer.observe(element);
    return () => observer.disconnect();
  };
