import type { StateCore } from 'markdown-it';
import { renderingOf } from '../env.ts';
import { hrefOf } from './previews.ts';

/** What stands behind the origin in links that lead somewhere in this organization. */
const OWN_PATH = /^\/(?:#narrow\/|user_uploads\/)/;

/**
 * A link with one of the service's own addresses becomes relative, so that it leads there for whoever reaches the service at
 * another one, and after its address has changed (API decisions 6).
 */
export function ownLinksRule(state: StateCore): void {
  const { ownOrigins } = renderingOf(state.env);
  if (ownOrigins.length === 0) return;
  for (const block of state.tokens) {
    for (const token of block.children ?? []) {
      if (token.type !== 'link_open') continue;
      const href = hrefOf(token);
      const origin = ownOrigins.find((each) => href.startsWith(`${each}/`));
      const path = href.slice(origin?.length ?? 0);
      if (origin !== undefined && OWN_PATH.test(path)) token.attrSet('href', path);
    }
  }
}
