import type { Env } from 'markdown-it';
import type { MentionDirectory } from './directory.ts';
import type { Engines } from './engines.ts';
import { linkifierBudget, type Linkifier, type LinkifierBudget } from './syntax/linkifiers.ts';

/** What an organization adds to the markup of its messages. */
export interface OrganizationMarkup {
  readonly linkifiers: readonly Linkifier[];
  /** Paths of the images of custom emoji, by name. */
  readonly customEmoji: ReadonlyMap<string, string>;
  /** The language of code blocks that name none. */
  readonly defaultCodeLanguage: string | null;
  /** Whether images that links lead to are shown, also those of other hosts. */
  readonly showsLinkedImages: boolean;
}

export const plainMarkup: OrganizationMarkup = {
  linkifiers: [],
  customEmoji: new Map(),
  defaultCodeLanguage: null,
  showsLinkedImages: true,
};

/** What may still be spent on one message. Without bounds, few characters could keep the service busy. */
interface Budgets {
  readonly linkifiers: LinkifierBudget;
  codeLength: number;
  mathLength: number;
}

export interface Rendering {
  /** Without one nobody is mentioned. */
  readonly directory: MentionDirectory | undefined;
  readonly markup: OrganizationMarkup;
  readonly engines: Engines;
  /** Addresses of the service itself; asked for by what may be a link to one of them alone. */
  readonly ownOrigins: () => readonly string[];
  readonly budgets: Budgets;
}

// In characters: of highlighted code, and of the MathML of all formulas.
const MAX_CODE = 6000;
const MAX_MATH = 200_000;

/** What the rules know beside the text; for one message only. */
export const renderingEnv = ({
  ownOrigins = () => [],
  ...about
}: Omit<Rendering, 'budgets' | 'ownOrigins'> & Partial<Pick<Rendering, 'ownOrigins'>>): Env => ({
  rendering: {
    ...about,
    ownOrigins,
    budgets: { linkifiers: linkifierBudget(), codeLength: MAX_CODE, mathLength: MAX_MATH },
  } satisfies Rendering,
});

export const renderingOf = (env: Env): Rendering => env['rendering'] as Rendering;
