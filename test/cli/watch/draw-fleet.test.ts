import { expect, test } from 'vitest';
import { drawFleet } from '../../../cli/watch/draw-fleet.ts';
import { selectTerminal, emptyModel, applyMessage, type FleetModel } from '../../../cli/watch/fleet-model.ts';
import type { FleetTerminal, LiveMessage } from '../../../server/dashboard/view.ts';

const NOW_MS = Date.UTC(2026, 0, 5, 9, 0);
const SIZE = { columns: 80, rows: 24 };

const terminal = (number: number, more: Partial<FleetTerminal> = {}): FleetTerminal => ({
  id: `tml_${number}`,
  name: `Till ${number}`,
  serialNumber: `SIM-${number}`,
  accountId: 'acc_1',
  deviceType: 'PAX A920 Pro',
  reader: null,
  simulated: true,
  online: true,
  screen: ['Ready'],
  action: null,
  ...more,
});

const hello = (terminals: FleetTerminal[], mode: 'sandbox' | 'live' = 'sandbox'): LiveMessage => ({
  type: 'hello',
  clock: { nowMs: NOW_MS + 3_600_000, offsetMs: 3_600_000 },
  mode,
  terminals,
  version: '1',
});

const modelOf = (...messages: LiveMessage[]): FleetModel => {
  const begun: FleetModel = { ...emptyModel('http://127.0.0.1:8080'), link: { kind: 'online' } };
  return messages.reduce((model, message) => applyMessage(model, message, NOW_MS), begun);
};

const shown = (model: FleetModel, size = SIZE) =>
  drawFleet(model, size, NOW_MS).map((row) => row.map(({ text }) => text).join(''));

test('drawFleet: the header shows the server, sandbox time and connection state', () => {
  const [head] = shown(modelOf(hello([], 'live')));
  expect(head).toContain('10:00:00 UTC (1 h ahead)  live keys  http://127.0.0.1');
  expect(head).toContain('● connected');
});

test('drawFleet: lists the terminals around the selected one, sorted by name', () => {
  const fleet = Array.from({ length: 200 }, (_, index) => terminal(200 - index));
  const model = selectTerminal(modelOf(hello(fleet)), 'tml_150');
  const rows = shown(model);
  const listed = rows.filter((row) => /^[▸ ] SIM-/.test(row));
  expect(listed.find((row) => row.startsWith('▸'))).toContain('SIM-150');
  expect(listed.map((row) => Number(/SIM-(\d+)/.exec(row)![1]))).toEqual(
    listed.map((_, index) => 150 - Math.floor(listed.length / 2) + index),
  );
  expect(rows.at(-1)).toContain('terminal 150/200');
  expect(rows.at(-1)).toContain('200 terminals, 200 online, 0 active');
});

test('applyMessage: selects the first terminal when the selected one is deleted', () => {
  const model = selectTerminal(modelOf(hello([terminal(1), terminal(2)])), 'tml_2');
  const after = applyMessage(model, { type: 'terminal.gone', terminalId: 'tml_2' }, NOW_MS);
  expect(after.selectedId).toBe('tml_1');
  expect(applyMessage(after, { type: 'reset' }, NOW_MS).selectedId).toBeNull();
});

test('drawFleet: control characters in names and displays are replaced', () => {
  const evil = '\u001b[2J\u001b]0;title\u0007 \u202eabc 漢字';
  const model = modelOf(hello([terminal(1, { name: evil, screen: [evil], serialNumber: evil })]));
  const text = shown(model, { columns: 120, rows: 24 }).join('');
  // oxlint-disable-next-line no-control-regex -- that is what must not be there
  expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
  expect(text).toContain('漢字');
});

test('drawFleet: with an invalid machine description only the visited states are shown', () => {
  const action = {
    id: 'tmlact_1',
    type: 'Payment',
    status: 'InProgress',
    amountMinor: 100,
    currency: 'GBP',
    paymentSessionId: 'ps_1',
    receiptPrintingSource: 'Terminal',
    merchantCopy: null,
    customerCopy: null,
    errorCode: null,
    state: 'somewhere',
    lastEvent: 'it.happened',
    deadlineMs: null,
    startedMs: NOW_MS,
  } as const;
  const model = modelOf(hello([terminal(1, { action })]), {
    type: 'timeline',
    target: { kind: 'terminal', id: 'tml_1' },
    machine: { machineId: 'odd', definition: 'none' },
    entries: [],
  });
  expect(shown(model).join('\n')).toContain('● somewhere');
});

test('drawFleet: terminals that are online come first, also when one goes offline later', () => {
  const names = (model: FleetModel) => model.terminals.map(({ name }) => name);
  const connected = hello([terminal(1, { online: false }), terminal(10), terminal(2)]);
  expect(names(modelOf(connected))).toEqual(['Till 2', 'Till 10', 'Till 1']);
  const gone: LiveMessage = { type: 'terminal', terminal: terminal(2, { online: false }) };
  expect(names(modelOf(connected, gone))).toEqual(['Till 10', 'Till 1', 'Till 2']);
});
