/** The first question to every call: may this kind of account make it at all? */
import { api, type Api } from '#shared/api/endpoints/index.ts';
import { accessOf, type AnyEndpoint, type Table } from '#shared/api/endpoint.ts';
import type { ApiHandlers, Caller } from './ports/handlers.ts';
import { checkAccess } from './rules/permissions.ts';

type Untyped = (call: { readonly caller: Caller | null }, params: unknown) => Promise<object>;

function guardOne(endpoint: AnyEndpoint, handler: Untyped): Untyped {
  const access = accessOf(endpoint);
  if (access === 'anyone' || access === 'account') return handler;
  return (call, params) => {
    checkAccess(access, call.caller);
    return handler(call, params);
  };
}

/** All handlers, each behind the access that its endpoint names: none can be forgotten. */
export function guardAll(handlers: ApiHandlers<Api>): ApiHandlers<Api> {
  const untyped = handlers as unknown as Readonly<
    Record<string, Readonly<Record<string, Untyped>>>
  >;
  const guarded = Object.entries<Table>(api).map(([name, table]) => [
    name,
    guardTable(table, untyped[name] ?? {}),
  ]);
  return Object.fromEntries(guarded) as ApiHandlers<Api>;
}

function guardTable(
  table: Table,
  handlers: Readonly<Record<string, Untyped>>,
): Readonly<Record<string, Untyped>> {
  return Object.fromEntries(
    Object.entries(table).map(([name, endpoint]) => {
      const handler = handlers[name];
      if (handler === undefined) throw new Error(`${endpoint.path} has no handler`);
      return [name, guardOne(endpoint, handler)];
    }),
  );
}
