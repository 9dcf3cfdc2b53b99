import { expect, test } from 'vitest';
import { createCliFixture, refusal, terminal } from '../cli-fixture.ts';

const RECEIPT = {
  merchantCopy: 'MERCHANT COPY\n',
  customerCopy: 'CUSTOMER COPY\n',
  fields: { total: '17.42' },
};

/** A server with one terminal, which has had this action. */
function serverWith(action: Parameters<typeof terminal>[0]) {
  const on = createCliFixture();
  const shown = terminal(action);
  on.answer('GET /v1/in-person/terminals', { status: 200, body: { items: [shown], paginationToken: null } });
  on.answer('GET /v1/in-person/terminals/tml_1', { status: 200, body: shown });
  on.answer('GET /sandbox/actions/tmlact_1/receipt', { status: 200, body: RECEIPT });
  return on;
}

test.each([
  [[], 'MERCHANT COPY\n\nCUSTOMER COPY\n'],
  [['--copy', 'customer'], 'CUSTOMER COPY\n'],
  [['--copy', 'merchant'], 'MERCHANT COPY\n'],
])('receipt %j: prints the copies of the latest action', async (words, printed) => {
  const on = serverWith({ status: 'Succeeded' });
  expect([await on.run('receipt', ...words), on.out]).toEqual([0, printed]);
});

test('receipt --action: reads that of any action, and prints its fields with --json', async () => {
  const on = createCliFixture();
  on.answer(
    'GET /sandbox/actions/tmlact_2/receipt',
    { status: 200, body: RECEIPT },
    refusal(404, 'no receipt yet'),
  );
  expect(await on.run('receipt', '--action', 'tmlact_2', '--json')).toBe(0);
  expect(JSON.parse(on.out)).toEqual(RECEIPT);
  expect(await on.run('receipt', '--action', 'tmlact_2')).toBe(1);
  expect(on.err).toBe('tapbench: no receipt yet (404)\n');
});

test('receipt: a terminal without an action has none', async () => {
  const on = serverWith(null);
  expect([await on.run('receipt'), on.err]).toEqual([
    1,
    "tapbench: tml_1 has had no action: take a payment with 'tapbench pay 1742'\n",
  ]);
});
