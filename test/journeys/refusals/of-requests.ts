import type { RefusalCases } from './refusal-context.ts';

const STRANGER = 'ac_00000000-0000-4000-8000-000000000000';

/** What is refused whatever is asked for: keys, paths, bodies, lists. */
export const OF_REQUESTS = {
  no_credentials: ({ api }) => api.withKey('').get('/v1/customers'),
  bad_key: ({ api }) => api.withKey('sk_sandbox_nobody').get('/v1/customers'),
  key_not_alone: ({ api }) => api.withKey('Bearer sk_sandbox_world').get('/v1/customers'),
  public_key: ({ api }) => api.withKey('pk_sandbox_world').get('/v1/customers'),
  account_malformed: ({ api }) => api.as('ac_x').get('/v1/events'),
  account_not_linked: ({ api }) => api.as(STRANGER).get('/v1/events'),
  unknown_path: ({ api }) => api.get('/v1/nothing'),
  wrong_method: ({ api }) => api.delete('/v1/customers'),
  undecodable_path: ({ api }) => api.get('/v1/customers/%ff'),
  not_found: ({ api }) => api.get('/v1/customers/cus_x'),
  body_too_large: ({ api }) => api.raw('POST', '/v1/customers', ' '.repeat(1024 * 1024 + 1)),
  body_too_deep: ({ api }) => api.raw('POST', '/v1/customers', '{"metadata":'.repeat(33)),
  not_json: ({ api }) => api.raw('POST', '/v1/customers', '{'),
  content_encoding: ({ api }) => api.raw('POST', '/v1/customers', '{}', { 'content-encoding': 'gzip' }),
  final_slash: ({ api }) => api.delete('/v1/customers/'),
  unsupported_media: ({ api }) => api.raw('POST', '/v1/customers', '{}', { 'content-type': ';;;' }),
  invalid_field: ({ api }) => api.post('/v1/customers', { email: 'sam' }),
  unknown_token: ({ api }) => api.get('/v1/customers?startsAfter=cus_x'),
  idempotency_key_length: ({ api }) =>
    api.raw('POST', '/sandbox/clock/advance', '{}', { 'idempotency-key': '' }),
  async idempotency_key_reused({ api }) {
    const headers = { 'idempotency-key': 'order-1' };
    await api.raw('POST', '/sandbox/clock/advance', JSON.stringify({ seconds: 1 }), headers);
    return api.raw('POST', '/sandbox/clock/advance', JSON.stringify({ seconds: 2 }), headers);
  },
  window_backwards: ({ api }) => api.get('/v1/customers?startTimestamp=2&endTimestamp=1'),
  webhook_url: ({ api }) =>
    api.post('/v1/webhooks', { url: 'ftp://shop.example', active: true, eventTypes: ['Customer.created'] }),
  async webhooks_limit({ api, created }) {
    const body = { url: 'https://shop.example/hook', active: true, eventTypes: ['Customer.created'] };
    const ids: string[] = [];
    for (let count = 0; count < 50; count++) ids.push((await created(api.post('/v1/webhooks', body))).id);
    const refused = await api.post('/v1/webhooks', body);
    for (const id of ids) await api.delete(`/v1/webhooks/${id}`);
    return refused;
  },
} as const satisfies RefusalCases;
