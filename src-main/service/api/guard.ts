/** The first question to every call: may this kind of account make it at all? */
import { accessOf, type Access, type AnyEndpoint, type Table } from '../../contract/endpoint.ts';
import { badRequest } from '../../contract/errors.ts';
import type { Caller, Handlers } from '../../contract/handlers.ts';
import { mayCall } from '../domain/rules/permissions.ts';

const refusals: Readonly<Record<Access, string>> = {
  anyone: '',
  account: 'This needs an account',
  person: 'This endpoint does not accept bot requests',
  member: 'Not allowed for guest users',
  'member-person': 'Not allowed for guest users and bots',
  admin: 'Must be an organization administrator',
};

type Untyped = (call: { readonly caller: Caller | null }, params: unknown) => Promise<object>;

function guardOne(endpoint: AnyEndpoint, handler: Untyped): Untyped {
  const access = accessOf(endpoint);
  if (access === 'anyone' || access === 'account') return handler;
  return (call, params) =>
    mayCall(access, call.caller)
      ? handler(call, params)
      : Promise.reject(badRequest(refusals[access]));
}

/** The handlers of a table, each behind the access that its endpoint names. */
export function guarded<T extends Table>(table: T, handlers: Handlers<T>): Handlers<T> {
  const untyped = handlers as unknown as Readonly<Record<string, Untyped>>;
  return Object.fromEntries(
    Object.entries(table).map(([name, endpoint]) => {
      const handler = untyped[name];
      if (handler === undefined) throw new Error(`${endpoint.path} has no handler`);
      return [name, guardOne(endpoint, handler)];
    }),
  ) as unknown as Handlers<T>;
}
