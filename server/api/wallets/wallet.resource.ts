import { Id, Type } from '../../../protocol/schema.ts';
import type { Caller } from '../../platform/http/auth.ts';
import { readPage } from '../../platform/http/paging.ts';
import { Page, PageQuery } from '../../platform/http/paging.schema.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { route, type Route } from '../../platform/http/route.ts';
import type { Services } from '../../platform/services.ts';
import { refuseUnverified } from './verification-file.ts';
import {
  countWalletDomains,
  deleteWalletDomain,
  findWalletDomain,
  insertWalletDomain,
  showWalletDomain,
  WALLET_DOMAIN_LIST,
  type WalletDomainRow,
} from './wallet-domain.records.ts';
import { hostNameOf, WALLET_DOMAINS_MAX } from './wallet-domain.rules.ts';
import { WalletDomain, WalletDomainCreate, WalletSession, WalletSessionCreate } from './wallet.schema.ts';

// As the wallets' own sessions.
const SESSION_MS = 5 * 60_000;
const NONCE_BYTES = 16;

/** The same operations under the specification's paths and those of the client libraries, on one storage. */
export function walletRoutes(services: Services): Route[] {
  return [...family(services, '/wallet-pay'), ...family(services, '/apple-pay')];
}

function family(services: Services, base: '/wallet-pay' | '/apple-pay'): Route[] {
  const { clock, ids, store } = services;
  const common = { tag: 'Wallet domain', section: 'Spec §4.10', accountHeader: true };
  const find = ({ caller, params }: { caller: Caller; params: Record<string, string> }) =>
    findWalletDomain(store, caller.accountId, params['id']!);

  return [
    route({
      ...common,
      operation: `POST ${base}/web-domains`,
      summary: 'Register a site on which a wallet is to be shown',
      body: WalletDomainCreate,
      reply: WalletDomain,
      refusals: [
        'wallet_domain_name',
        'wallet_domain_used',
        'wallet_domains_limit',
        'wallet_domain_unverified',
      ],
      handle: async ({ caller: { accountId }, body }) =>
        showWalletDomain(await register(services, accountId, hostNameOf(body.domainName))),
    }),
    route({
      ...common,
      operation: `GET ${base}/web-domains`,
      summary: 'List the sites',
      query: PageQuery,
      reply: Page(WalletDomain),
      refusals: ['unknown_token'],
      async handle({ caller, query }) {
        const page = await readPage<WalletDomainRow>(store, WALLET_DOMAIN_LIST(caller.accountId), query);
        return { items: page.rows.map(showWalletDomain), paginationToken: page.paginationToken };
      },
    }),
    route({
      ...common,
      operation: `GET ${base}/web-domains/{id}`,
      summary: 'Fetch a site',
      reply: WalletDomain,
      find,
      handle: async ({ found }) => showWalletDomain(found),
    }),
    route({
      ...common,
      operation: `DELETE ${base}/web-domains/{id}`,
      summary: 'Take a site away',
      reply: Type.Object({ id: Id('walletDomain') }),
      find,
      async handle({ found }) {
        const deleted = await store.transaction((tx) => deleteWalletDomain(tx, found.id, clock.nowMs()));
        if (!deleted) throw new Refusal('not_found', { what: common.tag.toLowerCase() });
        return { id: found.id };
      },
    }),
    route({
      ...common,
      tag: 'Wallet session',
      operation: `POST ${base}/sessions`,
      summary: 'Begin a wallet session for a browser; any site will do in the sandbox',
      body: WalletSessionCreate,
      reply: WalletSession,
      refusals: ['wallet_domain_name'],
      async handle({ body: { displayName, domainName } }) {
        const session = {
          displayName,
          domainName: hostNameOf(domainName),
          expiresAt: clock.nowMs() + SESSION_MS,
          nonce: ids.secret(NONCE_BYTES),
        };
        return { sessionObject: Buffer.from(JSON.stringify(session)).toString('base64') };
      },
    }),
  ];
}

async function register(services: Services, accountId: string, domainName: string): Promise<WalletDomainRow> {
  const { clock, ids, store } = services;
  await refuseUnverified(services, domainName);
  return store.transaction(async (tx) => {
    const full = (await countWalletDomains(tx, accountId)) >= WALLET_DOMAINS_MAX;
    const domain = { id: ids.make('walletDomain'), accountId, domainName };
    const row = await insertWalletDomain(tx, domain, clock.nowMs());
    if (!row) throw new Refusal('wallet_domain_used');
    if (full) throw new Refusal('wallet_domains_limit', { most: WALLET_DOMAINS_MAX });
    return row;
  });
}
