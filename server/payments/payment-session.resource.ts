import { Type } from '../../protocol/schema.ts';
import { sameText } from '../accounts/api-keys.ts';
import type { Caller } from '../http/auth.ts';
import { route, type Route } from '../http/route.ts';
import type { Services } from '../services.ts';
import type { Queries } from '../store/store.ts';
import { findAnySession, findSession, showSession } from './payment-session.records.ts';
import { PaymentSession } from './payment-session.schema.ts';

/** Looks up what `{paymentSessionId}` of a path names, for the account that calls. */
export function sessionById(queries: Queries) {
  return ({ caller, params }: { caller: Caller; params: Record<string, string> }) =>
    findSession(queries, caller.accountId, params['paymentSessionId']!);
}

export function paymentSessionRoutes({ store }: Services): Route[] {
  const byOwner = sessionById(store);

  return [
    route({
      operation: 'GET /payment-sessions/{paymentSessionId}',
      tag: 'Payment session',
      summary: 'Fetch a payment session; with the public key, by its client secret',
      section: 'Spec §4.1',
      access: 'public',
      accountHeader: true,
      query: Type.Object({ clientSecret: Type.Optional(Type.String({ maxLength: 200 })) }),
      reply: PaymentSession,
      // A public key names nobody: what it may see is what the client secret opens (docs/choices.md, Keys).
      async find({ caller, params, query }) {
        if (caller.keyKind === 'secret') return byOwner({ caller, params });
        const row = await findAnySession(store, params['paymentSessionId']!);
        return row && sameText(query.clientSecret ?? '', row.client_secret) ? row : undefined;
      },
      handle: async ({ found }) => showSession(found),
    }),
  ];
}
