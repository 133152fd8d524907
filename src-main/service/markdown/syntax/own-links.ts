import type { StateCore } from 'markdown-it';
import { renderingOf } from '../env.ts';
import { hrefOf } from './previews.ts';

/** What links that lead somewhere in an organization have behind their origin. */
const OWN_LINK = /^(https?:\/\/[^/]+)(\/(?:#narrow|user_uploads)\/.*)$/;

/**
 * A link with one of the service's own addresses becomes relative, so that it leads there for whoever reaches the service at
 * another one, and after its address has changed (API decisions 6).
 */
export function ownLinksRule(state: StateCore): void {
  const { ownOrigins } = renderingOf(state.env);
  for (const block of state.tokens) {
    for (const token of block.children ?? []) {
      if (token.type !== 'link_open') continue;
      const [, origin, path] = OWN_LINK.exec(hrefOf(token)) ?? [];
      if (origin === undefined || path === undefined) continue;
      if (ownOrigins().includes(origin)) token.attrSet('href', path);
    }
  }
}
