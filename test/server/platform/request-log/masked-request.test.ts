import { expect, test } from 'vitest';
import { maskedRequest } from '../../../../server/platform/request-log/masked-request.ts';
import { finishedRequest } from './finished-request.ts';

const SESSION = 'ps_01J9Z6M1N2P3Q4R5S6T7V8W9XA';
const ACTION = 'tmlact_01J9Z6M1N2P3Q4R5S6T7V8W9XA_01J9Z6M1N2P3Q4R5S6T7V8W9XB';
const ACCOUNT = 'ac_3f1c1c6e-7a0b-4a53-9a55-6a8a2f5a9c11';

test('masked request: hides the secrets of body, reply and query', () => {
  const row = maskedRequest(
    'req_1',
    finishedRequest({
      url: `/v1/payment-sessions/${SESSION}?clientSecret=${SESSION}_secret_abc&limit=5`,
      body: '{"cardDetails":{"number":"4111111111111111","cvc":"123"}}',
      answer: `{"id":"${SESSION}","clientSecret":"${SESSION}_secret_abc","secret":"whs_1"}`,
    }),
  );
  expect(row.path).toBe(`/v1/payment-sessions/${SESSION}`);
  expect(JSON.parse(row.query!)).toEqual({ clientSecret: '··', limit: '5' });
  expect(JSON.parse(row.body!)).toEqual({ cardDetails: { number: '411111··1111', cvc: '··' } });
  expect(JSON.parse(row.answer!)).toEqual({ id: SESSION, clientSecret: '··', secret: '··' });
});

test('masked request: hides secrets in a body that is no JSON', () => {
  const text = '{"cvc": "123", "key" : abc, "number": "4111 1111 1111 1111", "email": "ana@corner.example"';
  expect(JSON.parse(maskedRequest('req_1', finishedRequest({ body: text })).body!)).toBe(
    '{"cvc": "··", "key" : ··, "number": "411111··1111", "email": "ana@corner.example"',
  );
});

test('masked request: hides a reply with credentials as a whole', () => {
  const row = maskedRequest(
    'req_1',
    finishedRequest({ answer: '{"password":"p","port":1}', hasCredentials: true }),
  );
  expect(JSON.parse(row.answer!)).toBe('··');
});

test('masked request: keeps a long list whole', () => {
  const items = Array.from({ length: 50 }, (_, index) => ({ id: index, texts: Array(60).fill('abc') }));
  const { answer } = maskedRequest('req_1', finishedRequest({ answer: JSON.stringify({ items }) }));
  expect(JSON.parse(answer!)).toEqual({ items });
});

test('masked request: finds each object once, and no secret', () => {
  const row = maskedRequest(
    'req_1',
    finishedRequest({
      url: `/v1/payment-sessions/${SESSION}`,
      body: JSON.stringify({ accountId: ACCOUNT, other: 'not_an_id' }),
      answer: JSON.stringify({
        id: SESSION,
        action: ACTION,
        whs: 'whs_3f1c1c6e-7a0b-4a53-9a55-6a8a2f5a9c11',
      }),
    }),
  );
  expect(row.object_ids).toBe(` ${SESSION} ${ACCOUNT} ${ACTION} `);
});

test('masked request: a request without body and a reply without text have none', () => {
  const row = maskedRequest('req_1', finishedRequest({ body: '', answer: undefined, status: null }));
  expect(row).toMatchObject({ body: null, answer: null, query: null, status: null, object_ids: '' });
});
