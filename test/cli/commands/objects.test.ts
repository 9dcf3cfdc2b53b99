import { expect, test } from 'vitest';
import { createCliFixture } from '../cli-fixture.ts';

const SESSION = {
  id: 'ps_1',
  type: 'paymentSession',
  accountId: 'ac_1',
  label: 'ana@corner.example',
  status: 'Captured',
  amount: 1742,
  currency: 'GBP',
  deleted: false,
  createdTimestamp: 1767603600,
};
const at = 1767603600;
const DETAIL = {
  ...SESSION,
  object: { id: 'ps_1', status: 'Captured' },
  state: 'captured',
  nextMoment: { what: 'the authorisation is voided', timestamp: at },
  actions: [
    { name: 'refund', label: 'Refund', method: 'POST', path: '/v1/x', accountId: null, body: {}, fields: [] },
  ],
  names: [{ member: 'customerId', id: 'cus_1' }],
  namedBy: [{ type: 'dispute', items: [{ ...SESSION, id: 'dsp_1', status: 'Open' }], hasMore: false }],
  history: {
    hasMore: { events: true, requests: true, entries: true },
    states: [{ status: 'Captured', createdTimestamp: at, eventId: 'ev_1', requestId: null }],
    events: [{ id: 'ev_1', eventType: 'PaymentSession.captured', createdTimestamp: at }],
    requests: [{ id: 'req_1', method: 'POST', path: '/v1/x', status: 202, createdTimestamp: at }],
    entries: [
      {
        id: 'bltxn_1',
        type: 'TransactionCapture',
        createdTimestamp: at,
        postings: [{ holder: 'outside:cards', amount: -1742, currency: 'GBP' }],
      },
    ],
  },
};

test('objects: prints one line for each object, and sends its options as filters', async () => {
  const on = createCliFixture();
  const query = 'type=paymentSession&limit=20&status=Captured&text=ana&account=ac_1';
  on.answer('GET /sandbox/objects', { status: 200, body: { items: [SESSION] } });
  const filters = ['--status', 'Captured', '--text', 'ana', '--account', 'ac_1'];
  expect(await on.run('objects', 'paymentSession', ...filters)).toBe(0);
  expect(on.out.split('\n').map((line) => line.split(/  +/))).toEqual([
    ['ID', 'STATUS', 'AMOUNT', 'NAME', 'ACCOUNT'],
    ['ps_1', 'Captured', '17.42 GBP', 'ana@corner.example', 'ac_1'],
    [''],
  ]);
  expect(on.requests.map(({ path }) => path)).toEqual([`/sandbox/objects?${query}`]);
});

test('objects: says that no object fits', async () => {
  const on = createCliFixture();
  on.answer('GET /sandbox/objects', { status: 200, body: { items: [] } });
  expect([await on.run('objects', 'payout'), on.err]).toEqual([0, 'no object fits\n']);
});

test('object: prints the object with its relations and its history', async () => {
  const on = createCliFixture();
  on.answer('GET /sandbox/objects/ps_1', { status: 200, body: DETAIL });
  expect(await on.run('object', 'ps_1')).toBe(0);
  for (const line of [
    'names      cus_1  customerId',
    'named by   dsp_1  dispute  Open',
    'state      2026-01-05T09:00:00  Captured',
    'event      ...  older ones: tapbench objects event --history-of ps_1',
    'event      2026-01-05T09:00:00  PaymentSession.captured  ev_1',
    'request    ...  older ones: tapbench logs --object ps_1',
    'posting    ...  older ones: tapbench objects balanceTransaction --history-of ps_1',
    'request    2026-01-05T09:00:00  202 POST /v1/x  req_1',
    'posting    2026-01-05T09:00:00  TransactionCapture  outside:cards  -17.42 GBP',
    'action     refund  POST /v1/x',
    'next       2026-01-05T09:00:00  the authorisation is voided',
  ])
    expect(on.out).toContain(`${line}\n`);
});

test('find: prints what was found, or that nothing was', async () => {
  const on = createCliFixture();
  const items = [{ id: 'tml_1', type: 'terminal', label: 'Till 1 SIM-0001' }];
  on.answer('GET /sandbox/search', { status: 200, body: { items } }, { status: 200, body: { items: [] } });
  expect([await on.run('find', 'SIM-0001'), on.out]).toEqual([0, 'tml_1  terminal  Till 1 SIM-0001\n']);
  expect([await on.run('find', 'ps_none'), on.err]).toEqual([0, 'nothing has the id ps_none\n']);
  expect(on.requests.map(({ path }) => path)).toEqual([
    '/sandbox/search?text=SIM-0001',
    '/sandbox/search?text=ps_none',
  ]);
});
