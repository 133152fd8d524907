import { STREAM_NAME_CHARACTERS } from '#shared/api/bounds.ts';
import { fold } from '#shared/text/fold.ts';
import type { Bridge } from '#preload/bridge.ts';
import { lineProblem } from '#renderer/lib/writing/problems.ts';
import { streamTemplates, templateWords as text } from '#renderer/i18n/first-steps.ts';
import type { TemplateName } from '#renderer/i18n/first-steps.ts';
import { settled } from '../calls.ts';
import type { OrganizationState } from '../organization.svelte.ts';

/** One stream that may be created. */
export class TemplateRow {
  readonly id: number;
  name = $state('');
  description = $state('');
  isWanted = $state(true);
  /** It is created, whatever became of the rest. */
  isMade = $state(false);
  failure = $state('');

  constructor(id: number, name: string, description: string) {
    this.id = id;
    this.name = name;
    this.description = description;
  }
}

interface TemplateStreamsParts {
  readonly bridge: Pick<Bridge, 'createStream' | 'request'>;
  readonly accountId: string;
  readonly organization: Pick<OrganizationState, 'streams' | 'state'>;
}

/** The streams of a template on their way: what is chosen, what is wrong with it, what became of it. */
export class TemplateStreams {
  readonly #parts: TemplateStreamsParts;
  #template = $state<TemplateName>('workshop');
  #rows = $state.raw<readonly TemplateRow[]>(rowsOf('workshop'));
  #isBusy = $state(false);
  #isChecked = $state(false);
  readonly #taken = $derived.by(() => {
    const { streams, state } = this.#parts.organization;
    return new Set([...streams, ...state.otherStreams].map(({ name }) => fold(name)));
  });
  readonly #wanted = $derived(
    this.#rows.filter((row) => row.isWanted && !isDone(row) && !this.exists(row)),
  );
  /** Whoever joins is subscribed to them. */
  isForNew = $state(true);

  constructor(parts: TemplateStreamsParts) {
    this.#parts = parts;
  }

  get template(): TemplateName {
    return this.#template;
  }

  get rows(): readonly TemplateRow[] {
    return this.#rows;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Those of which something is left to do. */
  get wantedCount(): number {
    return this.#wanted.length;
  }

  get madeCount(): number {
    return this.#rows.filter(({ isMade }) => isMade).length;
  }

  /** Names of those with which something went wrong. */
  get failed(): readonly string[] {
    return this.#rows.filter(({ failure }) => failure !== '').map(({ name }) => name.trim());
  }

  choose(template: TemplateName): void {
    if (this.#isBusy) return;
    this.#template = template;
    this.#rows = rowsOf(template);
    this.#isChecked = false;
  }

  exists(row: TemplateRow): boolean {
    return !row.isMade && this.#taken.has(fold(row.name));
  }

  /** What is wrong with a row as it is typed; what is merely not typed yet only once somebody tried. */
  problemOf(row: TemplateRow): string {
    if (row.isMade || !row.isWanted || this.exists(row)) return '';
    const name = fold(row.name);
    if (name === '' && !this.#isChecked) return '';
    const problem = lineProblem(row.name, 'stream_name', STREAM_NAME_CHARACTERS);
    if (problem !== undefined) return problem;
    const first = this.#rows.find((each) => each.isWanted && fold(each.name) === name);
    return first === row ? '' : text.isTwice;
  }

  /** One after the other; what fails is said at its row and keeps no other from being made. */
  async create(): Promise<boolean> {
    this.#isChecked = true;
    if (this.#isBusy || this.#wanted.some((row) => this.problemOf(row) !== '')) return false;
    this.#isBusy = true;
    for (const row of this.#wanted) await this.#make(row);
    this.#isBusy = false;
    return this.failed.length === 0;
  }

  async #make(row: TemplateRow): Promise<void> {
    const { bridge, accountId } = this.#parts;
    const name = row.name.trim();
    const stream = { name, description: row.description.trim(), isPrivate: false, userIds: [] };
    if (!row.isMade) {
      const created = await settled(() => bridge.createStream(accountId, stream));
      row.isMade = created.ok;
      row.failure = created.ok ? '' : created.failure.message;
    }
    if (!row.isMade) return;
    row.failure = this.isForNew ? await this.#addForNew(name) : '';
  }

  async #addForNew(streamName: string): Promise<string> {
    const { bridge, accountId } = this.#parts;
    const added = await settled(() =>
      bridge.request(accountId, 'streamAdmin.addDefault', { streamName }),
    );
    return added.ok ? '' : text.forNewFailed(added.failure.message);
  }
}

const isDone = ({ isMade, failure }: TemplateRow): boolean => isMade && failure === '';

const rowsOf = (template: TemplateName): readonly TemplateRow[] =>
  streamTemplates[template].streams.map(
    ([name, description], index) => new TemplateRow(index, name, description),
  );
