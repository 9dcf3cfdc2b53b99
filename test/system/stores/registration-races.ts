import { actionRoutes } from '../../../server/api/in-person/actions/action.resource.ts';
import { locationRoutes } from '../../../server/api/in-person/terminals/location.resource.ts';
import { terminalRoutes } from '../../../server/api/in-person/terminals/terminal.resource.ts';
import { pairingRoutes } from '../../../server/api/pairing/pairing.resource.ts';
import { walletRoutes } from '../../../server/api/wallets/wallet.resource.ts';
import { webhookRoutes } from '../../../server/api/webhooks/webhook.resource.ts';
import { fleetRoutes } from '../../../server/sandbox-controls/fleet.resource.ts';
import { ADDRESS } from '../../server/api/in-person/shop-server.ts';
import type { Contender, Rows } from './interleavings.ts';
import { openRacingServer, type RacingServer } from './racing-server.ts';
import { racesOf } from './request-races.ts';

const ROUTES = [
  ...locationRoutes,
  ...terminalRoutes,
  ...actionRoutes,
  ...pairingRoutes,
  ...fleetRoutes,
  ...webhookRoutes,
  ...walletRoutes,
];

const TABLES = ['locations', 'terminals', 'actions', 'payment_sessions', 'webhooks', 'wallet_domains'];

/** One more webhook may be added. */
const WEBHOOKS = 49;

/** What is registered, and requests about it that race each other. */
interface RacingRegistrations extends Rows {
  request: RacingServer['request'];
  /** A location without a terminal. */
  emptyId: string;
  terminalId: string;
}

async function openRacingRegistrations(url: string): Promise<RacingRegistrations> {
  const { made, request, keep } = await openRacingServer(url, ROUTES);
  const { id: locationId } = await made('/v1/in-person/locations', { name: 'Corner', address: ADDRESS });
  const { id: emptyId } = await made('/v1/in-person/locations', { name: 'Market', address: ADDRESS });
  const { id: terminalId } = await made('/v1/in-person/terminals', {
    serialNumber: '1853000001',
    locationId,
  });
  for (let number = 0; number < WEBHOOKS; number += 1) await made('/v1/webhooks', webhook(number));
  return {
    request,
    emptyId,
    terminalId,
    prepare: await keep(TABLES),
    async state(queries) {
      const all = (sql: string) => queries.all(sql);
      return {
        locations: await all('SELECT name, deleted FROM locations ORDER BY seq'),
        terminals: await all(
          'SELECT serial_number, location_id, pairing_generation, key_scheme, deleted FROM terminals ORDER BY serial_number',
        ),
        actions: await all('SELECT type, status FROM actions ORDER BY type'),
        webhooks: await all('SELECT url, deleted FROM webhooks ORDER BY url'),
        domains: await all('SELECT domain_name, deleted FROM wallet_domains ORDER BY domain_name, deleted'),
      };
    },
  };
}

const webhook = (number: number) => ({
  url: `https://shop.example/${number}`,
  active: true,
  eventTypes: ['Account.created'],
});

const REQUESTS = {
  'new terminal': ({ request, emptyId }) =>
    request('POST /v1/in-person/terminals', { serialNumber: '1853000002', locationId: emptyId }),
  fleet: ({ request, emptyId }) => request('POST /sandbox/fleets', { terminals: 2, locationId: emptyId }),
  'move of the terminal': ({ request, terminalId, emptyId }) =>
    request(`PATCH /v1/in-person/terminals/${terminalId}`, { locationId: emptyId }),
  'deletion of the location': ({ request, emptyId }) =>
    request(`DELETE /v1/in-person/locations/${emptyId}`, {}),
  'deletion of the terminal': ({ request, terminalId }) =>
    request(`DELETE /v1/in-person/terminals/${terminalId}`, {}),
  'terminal payment': ({ request, terminalId }) =>
    request(`POST /v1/in-person/terminals/${terminalId}/payment`, {
      amounts: { requested: 1_000 },
      currency: 'GBP',
    }),
  pairing: ({ request, terminalId }) => request(`POST /pairing/terminals/${terminalId}`, {}),
  'new webhook': ({ request }) => request('POST /v1/webhooks', webhook(100)),
  'other new webhook': ({ request }) => request('POST /v1/webhooks', webhook(200)),
  'new domain': ({ request }) => request('POST /v1/wallet-pay/web-domains', { domainName: 'shop.example' }),
} as const satisfies Record<string, (registrations: RacingRegistrations) => Contender>;

/** Pairs of requests that touch the rules of what is registered: terminals and their locations, webhooks, wallet domains. */
export const REGISTRATION_RACES = racesOf({
  open: openRacingRegistrations,
  requests: REQUESTS,
  pairs: {
    terminalRegistration: [
      { requests: ['new terminal', 'deletion of the location'], guardOut: true },
      { requests: ['move of the terminal', 'deletion of the location'], guardOut: true },
      { requests: ['fleet', 'deletion of the location'] },
      { requests: ['fleet', 'fleet'] },
      { requests: ['terminal payment', 'deletion of the terminal'], guardOut: true },
      { requests: ['pairing', 'deletion of the terminal'] },
      { requests: ['pairing', 'pairing'] },
    ],
    registrationLimits: [
      { requests: ['new webhook', 'other new webhook'], guardOut: true },
      { requests: ['new domain', 'new domain'] },
    ],
  },
});
