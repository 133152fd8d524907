/** An organization that leaves for another computer (architecture 4, a move): closed first, handed over then. */
import { badRequest } from '#shared/api/errors.ts';
import type { Epoch } from '#shared/api/restore-generation.ts';
import type { Deed } from '#service/core/ports/handlers.ts';
import type { RealmRow, Store } from '#service/db/port.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import { noting } from '../rules/audit.ts';

/** As long as it is not signed, the organization may open again here, and nowhere else. */
type Unsigned = Omit<Epoch, 'signature'>;

/** Where the organization goes on, as the sealed one tells whoever looks for it here. */
export interface Successor {
  readonly epoch: Epoch;
  /** Origins at which it is reached; none as long as nobody has said so. */
  readonly addresses: readonly string[];
}

export interface MoveOperations {
  /** The organization, and the newest epoch that it has behind it. */
  readonly present: () => Promise<{ readonly name: string; readonly epoch: Epoch | undefined }>;
  /**
   * Closes the organization under an epoch that nobody has signed. Repeated for the same epoch it changes nothing.
   * @throws BAD_REQUEST where it is closed for another reason
   */
  readonly close: (deed: Deed, next: Unsigned) => Promise<void>;
  /**
   * From then on it never opens here again. Repeated it answers the same.
   * @throws BAD_REQUEST where it is not closed under this epoch
   */
  readonly handOver: (next: Epoch) => Promise<Epoch>;
  readonly isHandedOver: (epochId: string) => Promise<boolean>;
  /** Where it is reached now; of another epoch than that of the successor nothing is taken. */
  readonly tellPlace: (epochId: string, addresses: readonly string[]) => Promise<void>;
  /** Bytes of all uploads. */
  readonly filesSize: () => Promise<number>;
  /** Opens it again if it was not handed over. Answers whether it is open. */
  readonly reopen: (deed: Deed) => Promise<boolean>;
}

type Kept = Epoch & { readonly addresses?: readonly string[] };

function successorOf(realm: RealmRow | undefined): Kept | undefined {
  const text = realm?.succeeded_by ?? null;
  // Written by this service alone.
  return text === null ? undefined : (JSON.parse(text) as Kept);
}

/** Undefined where it lives here, or may come back. */
export function signedSuccessor(realm: RealmRow | undefined): Successor | undefined {
  const kept = successorOf(realm);
  if (kept === undefined || kept.signature === null) return undefined;
  const { addresses = [], ...epoch } = kept;
  return { epoch, addresses };
}

const noOrganization = () => badRequest('There is no organization here');

export const moveOperations = (store: Store, context: DomainContext): MoveOperations => ({
  async present() {
    const realm = await store.findRealm();
    if (realm === undefined) throw noOrganization();
    return { name: realm.name, epoch: await store.findEpoch() };
  },
  close: (deed, next) =>
    store.change(function* (tx) {
      const realm = yield* tx.findRealm();
      if (realm === undefined) throw noOrganization();
      const successor = successorOf(realm);
      if (successor?.id === next.id) return;
      if (successor !== undefined) throw goneElsewhere();
      if (realm.is_deactivated === 1) {
        throw badRequest('The organization is deactivated: reactivate it before it moves');
      }
      const entry = noting(context, deed)('organization_succeeded');
      yield* tx.sealRealm({ ...next, signature: null }, entry);
    }),
  handOver: (next) =>
    store.change(function* (tx) {
      const successor = successorOf(yield* tx.findRealm());
      if (successor === undefined) throw badRequest('The move was called off');
      if (successor.id !== next.id) throw goneElsewhere();
      const settled = signedSuccessor(yield* tx.findRealm());
      if (settled !== undefined) return settled.epoch;
      yield* tx.signSuccessor(next);
      return next;
    }),
  isHandedOver: async (epochId) => signedSuccessor(await store.findRealm())?.epoch.id === epochId,
  tellPlace: (epochId, addresses) =>
    store.change(function* (tx) {
      const known = signedSuccessor(yield* tx.findRealm());
      if (known?.epoch.id === epochId) yield* tx.placeSuccessor(known.epoch, addresses);
    }),
  filesSize: () => store.countUploadedBytes(),
  reopen: (deed) =>
    store.change(function* (tx) {
      yield* tx.unsealRealm(noting(context, deed)('organization_reactivated'));
      return successorOf(yield* tx.findRealm()) === undefined;
    }),
});

const goneElsewhere = () => badRequest('The organization goes on on another computer already');
