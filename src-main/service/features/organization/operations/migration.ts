/** An organization that leaves for another computer (architecture 4, a move): closed first, handed over then. */
import { refusal } from '#shared/api/refusal.ts';
import type { RestoreGeneration } from '#shared/api/restore-generation.ts';
import type { ActionSource } from '#service/core/ports/handlers.ts';
import type { RealmRow, Store } from '#service/db/port.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import { auditEntryMaker } from '../rules/audit.ts';

/** As long as it is not signed, the organization may open again here, and nowhere else. */
type UnsignedGeneration = Omit<RestoreGeneration, 'signature'>;

/** Where the organization goes on, as the sealed one tells whoever looks for it here. */
export interface NextHost {
  readonly epoch: RestoreGeneration;
  /** Origins at which it is reached; none as long as nobody has said so. */
  readonly addresses: readonly string[];
}

export interface MigrationOperations {
  /** The organization, and the newest restore generation that it has behind it. */
  readonly describe: () => Promise<{
    readonly name: string;
    readonly epoch: RestoreGeneration | undefined;
  }>;
  /**
   * Closes the organization under a restore generation that nobody has signed. Repeated for the same restore generation it changes nothing.
   * @throws BAD_REQUEST where it is closed for another reason
   */
  readonly close: (source: ActionSource, next: UnsignedGeneration) => Promise<void>;
  /**
   * From then on it never opens here again. Repeated it answers the same.
   * @throws BAD_REQUEST where it is not closed under this restore generation
   */
  readonly handOver: (next: RestoreGeneration) => Promise<RestoreGeneration>;
  readonly isHandedOver: (epochId: string) => Promise<boolean>;
  /** Where it is reached now; of another restore generation than that of the new computer nothing is taken. */
  readonly noteAddresses: (epochId: string, addresses: readonly string[]) => Promise<void>;
  /** Bytes of all uploads. */
  readonly filesSize: () => Promise<number>;
  /** Opens it again if it was not handed over. Answers whether it is open. */
  readonly reopen: (source: ActionSource) => Promise<boolean>;
}

type StoredNextHost = RestoreGeneration & { readonly addresses?: readonly string[] };

function nextHostOf(realm: RealmRow | undefined): StoredNextHost | undefined {
  const text = realm?.succeeded_by ?? null;
  // Written by this service alone.
  return text === null ? undefined : (JSON.parse(text) as StoredNextHost);
}

/** Undefined where it lives here, or may come back. */
export function signedNextHost(realm: RealmRow | undefined): NextHost | undefined {
  const kept = nextHostOf(realm);
  if (kept === undefined || kept.signature === null) return undefined;
  const { addresses = [], ...epoch } = kept;
  return { epoch, addresses };
}

const noOrganization = () => refusal('no_organization');

export const migrationOperations = (store: Store, context: DomainContext): MigrationOperations => ({
  async describe() {
    const realm = await store.findRealm();
    if (realm === undefined) throw noOrganization();
    return { name: realm.name, epoch: await store.findRestoreGeneration() };
  },
  close: (source, next) =>
    store.change(function* (tx) {
      const realm = yield* tx.findRealm();
      if (realm === undefined) throw noOrganization();
      const successor = nextHostOf(realm);
      if (successor?.id === next.id) return;
      if (successor !== undefined) throw goneElsewhere();
      if (realm.is_deactivated === 1) {
        throw refusal('organization_deactivated_before_move');
      }
      const entry = auditEntryMaker(context, source)('organization_succeeded');
      yield* tx.sealRealm({ ...next, signature: null }, entry);
    }),
  handOver: (next) =>
    store.change(function* (tx) {
      const successor = nextHostOf(yield* tx.findRealm());
      if (successor === undefined) throw refusal('move_called_off');
      if (successor.id !== next.id) throw goneElsewhere();
      const settled = signedNextHost(yield* tx.findRealm());
      if (settled !== undefined) return settled.epoch;
      yield* tx.signNextHost(next);
      return next;
    }),
  isHandedOver: async (epochId) => signedNextHost(await store.findRealm())?.epoch.id === epochId,
  noteAddresses: (epochId, addresses) =>
    store.change(function* (tx) {
      const known = signedNextHost(yield* tx.findRealm());
      if (known?.epoch.id === epochId) yield* tx.setNextHostAddresses(known.epoch, addresses);
    }),
  filesSize: () => store.countUploadedBytes(),
  reopen: (source) =>
    store.change(function* (tx) {
      yield* tx.unsealRealm(auditEntryMaker(context, source)('organization_reactivated'));
      return nextHostOf(yield* tx.findRealm()) === undefined;
    }),
});

const goneElsewhere = () => refusal('organization_moved');
