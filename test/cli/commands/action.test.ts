import { expect, test } from 'vitest';
import { createCliFixture, terminal } from '../cli-fixture.ts';

/** A server with one terminal, whose action is in this state. */
function serverWith(state: Parameters<typeof terminal>[0], more: object) {
  const on = createCliFixture();
  const shown = terminal(state);
  on.answer('GET /v1/in-person/terminals', { status: 200, body: { items: [shown], paginationToken: null } });
  on.answer('GET /v1/in-person/terminals/tml_1', { status: 200, body: shown });
  on.answer('GET /sandbox/actions/tmlact_1', { status: 200, body: { ...shown.action, ...more } });
  return on;
}

test('action: prints the state on the server and its deadline', async () => {
  const deadlineTimestamp = Date.UTC(2026, 0, 5, 9, 30) / 1000;
  const on = serverWith({}, { phase: 'awaitingCard', deadlineTimestamp });
  expect(await on.run('action')).toBe(0);
  expect(on.out).toBe('tmlact_1  Payment  17.42 GBP  InProgress  awaitingCard  until 2026-01-05T09:30:00Z\n');
});

test('action: prints the error of one that has failed, and JSON', async () => {
  const on = serverWith({ status: 'Failed', code: 'timeout' }, { phase: 'failed', deadlineTimestamp: null });
  expect(await on.run('action', 'SIM-0001')).toBe(0);
  expect(on.out).toBe('tmlact_1  Payment  17.42 GBP  Failed timeout  failed\n');
  expect(await on.run('action', '--action', 'tmlact_1', '--json')).toBe(0);
  expect(on.out).toContain('"phase": "failed"');
});

test('action: prints the reason of a failure, and what the payment terminal reversed or did not', async () => {
  const reversal = { reference: '0042/52500041', amount: 1742, currency: 'EUR', createdTimestamp: 1 };
  const deviceReversals = [
    { ...reversal, outcome: 'NotReversed', reference: null, reason: 'please wait' },
    { ...reversal, outcome: 'Reversed', reason: null },
  ];
  const error = { code: 'unexpected_error', reason: 'no such port', settings: {} };
  const on = serverWith(
    { status: 'Failed' },
    { phase: 'failed', deadlineTimestamp: null, error, deviceReversals },
  );
  expect(await on.run('action')).toBe(0);
  expect(on.out).toContain('Failed unexpected_error (no such port)  failed');
  expect(on.out).toContain('not reversed at the terminal 17.42 EUR (please wait)');
  expect(on.out).toContain('  reversed at the terminal 17.42 EUR receipt 0042/52500041\n');
});
