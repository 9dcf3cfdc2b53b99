import { deleteRoute, listRoute } from '../../platform/http/object-routes.ts';
import { route, type FindContext, type Route } from '../../platform/http/route.ts';
import { registerWalletDomain, parseHostName, refuseUnverifiedDomain } from './wallet-domain-service.ts';
import { walletDomains } from './wallet-domain.records.ts';
import { WalletDomain, WalletDomainCreate, WalletSession, WalletSessionCreate } from './wallet.schema.ts';

// The lifetime of the wallets' own sessions.
const SESSION_MS = 5 * 60_000;
const NONCE_BYTES = 16;

const common = { tag: 'Wallet domain', section: 'Spec §4.10', accountHeader: true };

const find = ({ services: { store }, caller, params }: FindContext<'id'>) =>
  walletDomains.find(store, caller.accountId, params.id);

/** Returns the routes under one base path: the specification and the client libraries use different ones. */
function routesUnder(base: '/wallet-pay' | '/apple-pay'): Route[] {
  return [
    route({
      ...common,
      operation: `POST ${base}/web-domains`,
      summary: 'Register a web domain for wallets',
      body: WalletDomainCreate,
      reply: WalletDomain,
      refusals: [
        'wallet_domain_name',
        'wallet_domain_used',
        'wallet_domains_limit',
        'wallet_domain_unverified',
      ],
      prepare: ({ services, body }) => refuseUnverifiedDomain(services, parseHostName(body.domainName)),
      handle: async ({ services, caller: { accountId }, body }) =>
        walletDomains.show(await registerWalletDomain(services, accountId, parseHostName(body.domainName))),
    }),
    listRoute({
      ...common,
      operation: `GET ${base}/web-domains`,
      summary: 'List web domains',
      item: WalletDomain,
      list: ({ caller }) => walletDomains.listOf(caller.accountId),
      show: walletDomains.show,
    }),
    route({
      ...common,
      operation: `GET ${base}/web-domains/{id}`,
      summary: 'Retrieve a web domain',
      reply: WalletDomain,
      find,
      handle: async ({ found }) => walletDomains.show(found),
    }),
    deleteRoute({
      ...common,
      operation: `DELETE ${base}/web-domains/{id}`,
      summary: 'Delete a web domain',
      kind: 'walletDomain',
      find,
      remove: (tx, { id }, nowMs) => walletDomains.delete(tx, id, nowMs),
    }),
    route({
      ...common,
      tag: 'Wallet session',
      operation: `POST ${base}/sessions`,
      summary: 'Create a wallet session for a browser. The sandbox does not check the domain.',
      body: WalletSessionCreate,
      reply: WalletSession,
      refusals: ['wallet_domain_name'],
      async handle({ services: { clock, ids }, body: { displayName, domainName } }) {
        const session = {
          displayName,
          domainName: parseHostName(domainName),
          expiresAt: clock.nowMs() + SESSION_MS,
          nonce: ids.secret(NONCE_BYTES),
        };
        return { sessionObject: Buffer.from(JSON.stringify(session)).toString('base64') };
      },
    }),
  ];
}

export const walletRoutes: readonly Route[] = [...routesUnder('/wallet-pay'), ...routesUnder('/apple-pay')];
