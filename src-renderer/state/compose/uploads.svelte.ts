import { failure, type Outcome } from '#shared/bridge/outcome.ts';
import type { Bridge } from '#preload/bridge.ts';
import { composeWords } from '#renderer/i18n/compose.ts';
import { words } from '#renderer/i18n/common.ts';
import { nextPageId } from '#renderer/lib/page-id.ts';
import { fileTooLarge } from '#renderer/lib/writing/problems.ts';
import { settled } from '../calls.ts';
import type { ComposeDestination } from './drafts.svelte.ts';
import { viewKey } from '../places/places.ts';
import { shifted } from '#renderer/lib/writing/text-edit.ts';

/** A file on its way into a text. */
export interface Upload {
  readonly id: string;
  readonly name: string;
  readonly sizeBytes: number;
  /** 0 to 1 */
  readonly share: number;
  /** Why it did not arrive; empty while it is under way. */
  readonly failure: string;
  /** The file of one that an earlier page began may no longer be here. */
  readonly canRetry: boolean;
}

interface Running extends Upload {
  readonly view: ComposeDestination;
  /** Null where the other side has it. */
  readonly file: File | null;
  /** Where in the text its link will stand. */
  readonly at: number;
}

export type UploadCalls = Pick<
  Bridge,
  | 'holdFile'
  | 'upload'
  | 'cancelUpload'
  | 'retryUpload'
  | 'noteUploads'
  | 'resumeUploads'
  | 'uploadOutcome'
  | 'on'
>;

/** The text that links are put into, and what is asked before a file is sent. */
interface Text {
  readonly read: (view: ComposeDestination) => string;
  readonly write: (view: ComposeDestination, content: string) => void;
  /** Null while that is not known. */
  readonly maxUploadMiB: () => number | null;
  readonly removesCameraData: () => boolean;
}

/** Loaded with the first file. */
export const loadCameraDataRemoval = async () =>
  (await import('#renderer/lib/camera-data.ts')).withoutCameraDataOf;

/** Later than a text is saved: an upload of which the link is in no text is not forgotten. */
const NOTE_AFTER_MS = 1000;
/** A line of a table, a quote or a list takes the next one in. */
const ownLine = /(?:^|\n) {0,3}(?:[|>*+-]|\d+[.)])[^\n]*$/;
/** Brackets would end the text of the link. */
const linkText = (name: string): string => name.replaceAll(/[[\]\n]/g, ' ').trim();

/** Files on their way to the service, by the place whose text they belong to. */
export class Uploads {
  readonly #bridge: UploadCalls;
  readonly #accountId: string;
  readonly #text: Text;
  #all = $state.raw<readonly Running[]>([]);
  readonly #listeners = new Set<(view: ComposeDestination) => void>();
  /** Files that are being handed over; they are under way for this page only. */
  readonly #holding = new Set<Promise<unknown>>();
  #hasResumed = false;
  /** What was left by an earlier page is here. */
  #hasTaken = false;
  #noting: ReturnType<typeof setTimeout> | null = null;
  readonly stop: () => void;

  constructor(bridge: UploadCalls, accountId: string, text: Text) {
    this.#bridge = bridge;
    this.#accountId = accountId;
    this.#text = text;
    const end = bridge.on('uploadProgress', ({ uploadId, share }) =>
      this.#change(uploadId, { share }),
    );
    this.stop = () => {
      end();
      this.#hasTaken = false;
      // What is left goes on for whoever shows this account next.
      void this.leave().finally(() => (this.#all = []));
    };
  }

  /** The page may go: what is under way goes on without it, and the next page has it. */
  async leave(): Promise<void> {
    if (this.#all.length === 0) return;
    await Promise.allSettled(this.#holding);
    await this.#tell();
  }

  /** Shows what an earlier page left, and links it when it arrives. Only once the texts are here. */
  async resume(): Promise<void> {
    if (this.#hasResumed) return;
    this.#hasResumed = true;
    const outcome = await settled(() => this.#bridge.resumeUploads(this.#accountId));
    if (!outcome.ok) return;
    const taken = outcome.value.map(({ uploadId, ...upload }) => ({
      ...upload,
      id: uploadId,
      file: null,
    }));
    this.#all = [...taken, ...this.#all];
    this.#hasTaken = true;
    for (const { id, failure } of taken) {
      const ending = (): Promise<Outcome<string>> =>
        this.#bridge.uploadOutcome(this.#accountId, id);
      if (failure === '') void settled(ending).then((ended) => this.#end(id, ended));
    }
  }

  of(view: ComposeDestination): readonly Upload[] {
    const key = viewKey(view);
    return this.#all.filter((each) => viewKey(each.view) === key);
  }

  isRunning(view: ComposeDestination): boolean {
    return this.of(view).some(({ failure }) => failure === '');
  }

  /** Called when the last upload of a place has ended, well or not. */
  onSettled(listener: (view: ComposeDestination) => void): void {
    this.#listeners.add(listener);
  }

  /** @param at  where in the text the links will stand; they move with what is written before them */
  add(view: ComposeDestination, files: readonly File[], at: number): void {
    const fresh = files.map((file) => ({
      id: nextPageId(),
      // A picture from the clipboard has a name that says nothing; one without any cannot be linked.
      name: file.name === '' ? composeWords.pastedFile : file.name,
      sizeBytes: file.size,
      share: 0,
      failure: this.#problemOf(file),
      view,
      file,
      at,
      canRetry: true,
    }));
    this.#all = [...this.#all, ...fresh];
    this.#note();
    for (const upload of fresh) if (upload.failure === '') void this.#send(upload, upload.file);
  }

  retry(id: string): void {
    const upload = this.#all.find((each) => each.id === id);
    if (upload === undefined || upload.failure === '') return;
    const { file } = upload;
    if (file === null) {
      void this.#sendKept(id);
      return;
    }
    const again = { ...upload, failure: this.#problemOf(file) };
    this.#all = this.#all.map((each) => (each === upload ? again : each));
    if (again.failure === '') void this.#send(again, file);
  }

  /** Stops it, or takes one away that failed. */
  remove(id: string): void {
    const upload = this.#all.find((each) => each.id === id);
    if (upload === undefined) return;
    this.#all = this.#all.filter((each) => each !== upload);
    // The file of one that failed is not kept any longer either.
    void this.#bridge.cancelUpload(id);
    this.#settle(upload.view);
  }

  /** Those of them that still have not arrived are given up. */
  drop(ids: readonly string[]): void {
    for (const { id, failure } of this.#all) {
      if (failure !== '' && ids.includes(id)) this.remove(id);
    }
  }

  /** The text of a place is another one now: links stand where they stood in it. */
  follow(view: ComposeDestination, before: string, after: string): void {
    const key = viewKey(view);
    if (!this.#all.some((each) => viewKey(each.view) === key)) return;
    this.#all = this.#all.map((each) =>
      viewKey(each.view) === key ? { ...each, at: shifted(each.at, before, after) } : each,
    );
    this.#noteSoon();
  }

  /** What belonged to one place belongs to another one. */
  move(from: ComposeDestination, to: ComposeDestination): void {
    const key = viewKey(from);
    this.#all = this.#all.map((each) =>
      viewKey(each.view) === key ? { ...each, view: to } : each,
    );
    this.#noteSoon();
  }

  /** For the next page, should this one end unasked. */
  #note(): void {
    if (this.#noting !== null) clearTimeout(this.#noting);
    this.#noting = null;
    if (this.#hasTaken) void this.#tell();
  }

  #noteSoon(): void {
    this.#noting ??= setTimeout(() => this.#note(), NOTE_AFTER_MS);
  }

  async #tell(): Promise<void> {
    const left = this.#all.map(({ id, canRetry: _retry, file: _file, ...upload }) => ({
      ...upload,
      uploadId: id,
    }));
    await settled(() => this.#bridge.noteUploads(this.#accountId, left));
  }

  #problemOf(file: File): string {
    if (file.size === 0) return composeWords.fileEmpty;
    return fileTooLarge(file, this.#text.maxUploadMiB()) ?? '';
  }

  async #send({ id, name }: Running, file: File): Promise<void> {
    this.#end(id, await this.#deliver(id, file, name));
  }

  /** One of which the file is on the other side, which goes on where it was. */
  async #sendKept(id: string): Promise<void> {
    this.#change(id, { failure: '' });
    const outcome = await settled(() => this.#bridge.retryUpload(this.#accountId, id));
    if (!outcome.ok && outcome.failure.code === 'UPLOAD_GONE')
      this.#change(id, { canRetry: false });
    this.#end(id, outcome);
  }

  #end(id: string, outcome: Outcome<string>): void {
    const upload = this.#all.find((each) => each.id === id);
    // It was cancelled meanwhile.
    if (upload === undefined) return;
    if (outcome.ok) this.#insert(upload, `[${linkText(upload.name)}](${outcome.value})`);
    else this.#change(id, { failure: outcome.failure.message });
    this.#settle(upload.view);
  }

  async #deliver(id: string, file: File, name: string): Promise<Outcome<string>> {
    const holding = this.#hold(id, file);
    this.#holding.add(holding);
    const held = await holding.finally(() => this.#holding.delete(holding));
    if (!held.ok) return held;
    if (!this.#all.some((each) => each.id === id)) {
      void this.#bridge.cancelUpload(id);
      return failure('CANCELLED', '');
    }
    this.#all = this.#all.map((each) => (each.id === id ? { ...each, file: null } : each));
    const request = { uploadId: id, name, type: file.type };
    return settled(() => this.#bridge.upload(this.#accountId, request));
  }

  async #hold(id: string, file: File): Promise<Outcome<null>> {
    try {
      const removed = this.#text.removesCameraData() ? await loadCameraDataRemoval() : undefined;
      const sent = removed === undefined ? file : await removed(file);
      if (sent !== null) return await this.#bridge.holdFile(id, sent);
      return failure('FILE_TOO_LARGE', composeWords.pictureTooLarge);
    } catch (error) {
      // A folder, or a file that has gone since, cannot be read; anything else is a bug of the other side.
      const isUnreadable = error instanceof DOMException;
      return failure('FILE_NOT_READ', isUnreadable ? composeWords.fileUnreadable : words.bug);
    }
  }

  #insert(upload: Running, link: string): void {
    const place = this.#all.indexOf(upload);
    this.#all = this.#all.filter((each) => each !== upload);
    const { view } = upload;
    const content = this.#text.read(view);
    const at = Math.min(upload.at, content.length);
    const [before, after] = [content.slice(0, at), content.slice(at)];
    const lead = before === '' || /\s$/.test(before) ? '' : ownLine.test(before) ? '\n\n' : '\n';
    const tail = /^\s/.test(after) ? '' : '\n';
    const inserted = `${lead}${link}${tail}`;
    this.#text.write(view, `${before}${inserted}${after}`);
    // Where files were added together, the later ones stand behind.
    const key = viewKey(view);
    this.#all = this.#all.map((each, index) =>
      index >= place && each.at === at && viewKey(each.view) === key
        ? { ...each, at: at + inserted.length }
        : each,
    );
  }

  #change(id: string, change: Partial<Upload>): void {
    this.#all = this.#all.map((each) => (each.id === id ? { ...each, ...change } : each));
  }

  #settle(view: ComposeDestination): void {
    this.#noteSoon();
    if (this.isRunning(view)) return;
    for (const listener of this.#listeners) listener(view);
  }
}
