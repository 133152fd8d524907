/** Links with which people choose a new password, for those who forgot theirs (API decisions 15.8). */
import { linkNotValid, variableMissing } from '#shared/api/errors.ts';
import { refusal } from '#shared/api/refusal.ts';
import { fold } from '#shared/text/fold.ts';
import type { ResultOf } from '#shared/api/endpoint.ts';
import type { api } from '#shared/api/endpoints/index.ts';
import type { CallerActionSource, ActionSource } from '#service/core/ports/handlers.ts';
import type { AccountRow, Operation, Reading, Store, Transaction } from '#service/db/port.ts';
import { checkOpenTo } from '#service/core/callers.ts';
import { change, untilCurrent } from '#service/core/change.ts';
import { OWN_DAYS } from '../rules/invitations.ts';
import { changeAccount, getFacts } from './account-changes.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import { checkPassword } from '#service/core/rules/names.ts';
import { auditEntryMaker } from '#service/features/organization/rules/audit.ts';
import { renewAll } from './devices.ts';
import { ownPasswordCheck, stillOwn } from './own-password.ts';

export interface PasswordLinkOperations {
  /**
   * @param origin  what the link begins with
   * @param ask     whose it is to be, and the caller's own password
   * @throws BAD_REQUEST for oneself, a bot, nobody; WRONG_PASSWORD, REQUEST_VARIABLE_MISSING
   */
  readonly makePasswordLink: (
    source: CallerActionSource,
    ask: { readonly userId: number; readonly password: string | undefined },
    origin: string,
  ) => Promise<ResultOf<typeof api.passwordLinks.make>>;
  /**
   * For whoever sits at the computer of the service.
   * @param made  what the link begins with, and the program that asks for it
   * @throws BAD_REQUEST when no person has the address
   */
  readonly makePasswordLinkFromHost: (
    email: string,
    made: { readonly origin: string; readonly client: string },
  ) => Promise<string>;
  /** Step: for an account that whoever sits there has just made. */
  readonly makeFirstLink: (
    tx: Transaction,
    source: ActionSource,
    accountId: number,
    origin: string,
  ) => Operation<string>;
  /** @throws BAD_REQUEST, REALM_DEACTIVATED, ORGANIZATION_CLOSED */
  readonly usePasswordLink: (
    source: ActionSource,
    use: { readonly token: string; readonly newPassword: string },
  ) => Promise<ResultOf<typeof api.passwordLinks.use>>;
}

const DAY_SECONDS = 86_400;

type LinkOwner = Pick<AccountRow, 'id' | 'password_hash'>;

/** One to a first password is good for as long as an invitation. */
const validityOf = ({ password_hash: hash }: LinkOwner): number =>
  DAY_SECONDS * (hash === null ? OWN_DAYS : 1);

/** The hash of a link's token, as it is kept. @throws BAD_REQUEST, REALM_DEACTIVATED, ORGANIZATION_CLOSED */
function* checkLink(
  tx: Reading,
  { apiKeys }: Pick<DomainContext['credentials'], 'apiKeys'>,
  link: {
    readonly deed: ActionSource;
    readonly accountId: number;
    readonly tokenHash: string;
    /** UNIX seconds. */
    readonly now: number;
  },
): Operation<void> {
  yield* checkOpenTo(tx, link.deed);
  const user = yield* tx.findUser(link.accountId);
  if (user === undefined) throw linkNotValid();
  const known = yield* tx.findPasswordLink(link.accountId, link.now - validityOf(user));
  if (!apiKeys.isEqual(known ?? '', link.tokenHash)) throw linkNotValid();
}

type MadePasswordLink = ResultOf<typeof api.passwordLinks.make>;

export function linkOperations(store: Store, context: DomainContext): PasswordLinkOperations {
  const { nowSeconds, credentials } = context;
  const { apiKeys, passwords } = credentials;
  const check = ownPasswordCheck(store, context);

  /** Behind the `#`, so that no server or proxy on the way is told. */
  function* make(
    tx: Transaction,
    source: ActionSource,
    user: LinkOwner,
    origin: string,
  ): Operation<MadePasswordLink> {
    const accountId = user.id;
    const token = `${String(accountId)}-${apiKeys.random()}`;
    const madeAt = nowSeconds();
    const makerId = source.caller?.userId ?? null;
    const link = { accountId, makerId, tokenHash: apiKeys.hash(token), madeAt };
    if (!(yield* tx.setPasswordLink(link))) throw refusal('no_such_user');
    yield* tx.record(
      auditEntryMaker(context, source)('password_link_created', { userId: accountId }),
    );
    return { link: `${origin}/#password/${token}`, valid_until: madeAt + validityOf(user) };
  }

  return {
    async makePasswordLink(source, { userId, password }, origin) {
      // A key that was stolen must not be enough to take its own account away.
      if (userId === source.caller.userId) throw refusal('own_password_link');
      return untilCurrent(async () => {
        // With the link one signs in as somebody else, and reads what only they may: a key alone is not enough for that.
        const caller = await store.findUser(source.caller.userId);
        if (caller?.password_hash !== null) {
          if (password === undefined || password === '') throw variableMissing('password');
          await check(source, caller, password);
        }
        return change(store, source.caller, function* (tx) {
          yield* stillOwn(tx, caller);
          const user = yield* tx.findUser(userId);
          if (user === undefined) throw refusal('no_such_user');
          return yield* make(tx, source, user, origin);
        });
      });
    },
    makePasswordLinkFromHost: (email, { origin, client }) =>
      store.change(function* (tx) {
        const user = yield* tx.findUserByEmail(fold(email.trim()));
        if (user === undefined) throw refusal('no_account_with_email');
        // Whoever sits there needs no account.
        const source = { caller: null, address: '', client };
        return (yield* make(tx, source, user, origin)).link;
      }),
    *makeFirstLink(tx, source, accountId, origin) {
      return (yield* make(tx, source, { id: accountId, password_hash: null }, origin)).link;
    },
    async usePasswordLink(source, { token: given, newPassword }) {
      const token = given.trim();
      const accountId = Number(/^(\d{1,15})-/.exec(token)?.[1] ?? 0);
      const now = nowSeconds();
      const link = { deed: source, accountId, tokenHash: apiKeys.hash(token), now };
      // Hashing is dear: only for who has a link.
      await store.read((tx) => checkLink(tx, credentials, link));
      const password_hash = await passwords.hash(checkPassword(newPassword, 'new_password'));
      const email = await store.change(function* (tx) {
        yield* checkLink(tx, credentials, link);
        const { user } = yield* getFacts(tx, accountId);
        const { columns } = yield* renewAll(tx, context, user, null);
        const whose = { actorId: user.id, userId: user.id };
        const entry = auditEntryMaker(context, source)('password_changed', whose);
        yield* changeAccount(tx, user.id, {
          columns: { ...columns, password_hash },
          events: [entry],
        });
        return user.email;
      });
      context.releasePolls(accountId);
      return { email };
    },
  };
}
