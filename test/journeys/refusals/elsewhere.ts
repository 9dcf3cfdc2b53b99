import type { RefusalName } from '../../../server/platform/http/refusals.ts';

const REFUSED_ON_ITS_SOCKET = [
  'server/platform/http/sockets.test.ts',
  '%s is refused as %s, with the envelope',
] as const;

/** Refusals that a world without a network, a wrong clock or a broken disk cannot give, and the tests that show them. */
export const ELSEWHERE = {
  rate_exceeded: ['server/platform/http/rate-limit.test.ts', 'the refusal says when to come back'],
  bad_http: [
    'server/platform/http/sockets.test.ts',
    '%s gets an answer that is valid HTTP with the envelope',
  ],
  bad_host: REFUSED_ON_ITS_SOCKET,
  headers_too_large: REFUSED_ON_ITS_SOCKET,
  chunk_extensions_too_large: REFUSED_ON_ITS_SOCKET,
  unknown_expectation: REFUSED_ON_ITS_SOCKET,
  request_timeout: [
    'server/platform/http/sockets.test.ts',
    'a request that does not arrive in time is refused with the envelope',
  ],
  stopping: [
    'server/platform/http/sockets.test.ts',
    'a request that comes while the server stops is refused with the envelope',
  ],
  webhook_private: ['server/api/webhooks/webhook.test.ts', 'with live keys an endpoint is https and public'],
  wallet_domain_unverified: [
    'server/api/wallets/wallet.test.ts',
    'with the setting on, a site is registered only when it serves its verification file',
  ],
  desk_closed: ['journeys/ledger.test.ts', 'no rates while the desk is closed, nor for who asks too often'],
  not_ready: [
    'server/platform/http/health.test.ts',
    'without the broker it is not ready, and says what is missing',
  ],
  store_failed: ['server/platform/http/answers.test.ts', 'a store that cannot write is said to be so'],
  key_wanted: [
    'server/dashboard/session.test.ts',
    'POST /dashboard/session refuses a caller without the key: %s',
  ],
  dashboard_token: [
    'server/dashboard/token.test.ts',
    'the dashboard token opens the operations of its buttons, and no other operation of the API',
  ],
  foreign_page: ['server/dashboard/session.test.ts', 'a page %s gets no token, not even with the key'],
  too_many_tries: [
    'server/dashboard/session.test.ts',
    'after ten wrong keys in a minute none is looked at, from that address',
  ],
  fault: ['server/platform/http/answers.test.ts', 'the log says what the fault was'],
} as const satisfies Partial<Record<RefusalName, readonly [file: string, title: string]>>;
