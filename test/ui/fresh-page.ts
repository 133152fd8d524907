/** All files of a worker share one page and its modules: each test begins with nothing in it. */
import { beforeEach } from 'vitest';
import { cleanup } from 'vitest-browser-svelte/pure';

beforeEach(() => {
  cleanup();
  document.body.replaceChildren();
});
