import type { ActionView, FleetTerminal, TimelineEntry } from '../../../../server/dashboard/view.ts';

/** A payment that waits for a card, unless overridden. */
export function madeAction(with_: Partial<ActionView> = {}): ActionView {
  return {
    id: 'tmlact_1',
    type: 'Payment',
    status: 'InProgress',
    amountMinor: 1742,
    currency: 'GBP',
    paymentSessionId: 'ps_1',
    receiptPrintingSource: 'Terminal',
    merchantCopy: 'NotRequired',
    customerCopy: 'NotRequired',
    errorCode: null,
    state: 'awaitingCard',
    lastEvent: null,
    deadlineMs: null,
    startedMs: 0,
    ...with_,
  };
}

export function madeTerminal(with_: Partial<FleetTerminal> = {}): FleetTerminal {
  return {
    id: 'tml_1',
    name: 'Till 1',
    serialNumber: 'SIM-0001',
    accountId: 'ac_1',
    deviceType: 'PAX A920 Pro',
    reader: null,
    simulated: true,
    online: true,
    screen: ['Ready'],
    action: null,
    ...with_,
  };
}

export function madeEntry(seq: number, with_: Partial<TimelineEntry> = {}): TimelineEntry {
  return {
    seq,
    atMs: seq,
    lane: 'wire',
    kind: 'mqtt.command',
    terminalId: 'tml_1',
    actionId: 'tmlact_1',
    objectId: null,
    title: `entry ${seq}`,
    tone: 'plain',
    detail: null,
    ...with_,
  };
}

export function madeStep(seq: number, machineId: string, state: string): TimelineEntry {
  const step = { machineId, event: 'went', from: null, state, deadlineMs: null };
  return madeEntry(seq, { lane: 'machine', kind: 'step', step });
}
