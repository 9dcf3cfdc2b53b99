import type { FleetTerminal, TimelineEntry } from '../../view.ts';
import type { CopyName } from '../terminal/receipt-copies.ts';
import type { RecordedAction, RecordedContent } from './trace-content.ts';

/** The terminals, actions and receipts of a recording, by id. */
export interface RecordedTerminals {
  terminals: ReadonlyMap<string, FleetTerminal>;
  actions: ReadonlyMap<string, RecordedAction>;
  /** Texts of both copies, by action. */
  receipts: ReadonlyMap<string, Record<CopyName, string>>;
}

/** Finds the terminals, actions and receipts of a recording in what its entries say of them. */
export function recordedTerminals({ entries, ...before }: RecordedContent): RecordedTerminals {
  const terminals = new Map(before.terminals.map((terminal) => [terminal.id, terminal]));
  const actions = new Map(before.actions.map((action) => [action.id, action]));
  const receipts = new Map<string, Record<CopyName, string>>();
  for (const entry of entries) {
    const { terminalId, actionId } = entry;
    if (terminalId === null) continue;
    const named = terminalIn(entry, terminalId);
    if (named || !terminals.has(terminalId)) terminals.set(terminalId, terminalOf(terminalId, named));
    if (entry.kind !== 'mqtt.command' && entry.kind !== 'mqtt.report') continue;
    const started = actionIn(entry, terminalId);
    if (started) actions.set(started.id, started);
    const { receipt } = (entry.detail ?? {}) as { receipt?: Record<CopyName, string> };
    if (receipt && actionId !== null) receipts.set(actionId, receipt);
  }
  return { terminals, actions, receipts };
}

interface ShownTerminal {
  id: string;
  name: string;
  device: { type: string; serialNumber: string };
}

/** The terminal in an event, or in the response to a request. */
function terminalIn({ kind, detail }: TimelineEntry, terminalId: string): ShownTerminal | undefined {
  if (kind !== 'event' && kind !== 'request') return undefined;
  const { data, response } = (detail ?? {}) as { data?: unknown; response?: { body?: unknown } };
  const shown = (data ?? response?.body) as Partial<ShownTerminal> | null | undefined;
  return shown?.id === terminalId && shown.device && shown.name !== undefined
    ? (shown as ShownTerminal)
    : undefined;
}

function terminalOf(id: string, named: ShownTerminal | undefined): FleetTerminal {
  return {
    id,
    name: named?.name ?? id,
    serialNumber: named?.device.serialNumber ?? '',
    accountId: '',
    deviceType: named?.device.type ?? '',
    reader: null,
    simulated: true,
    online: true,
    screen: [],
    action: null,
  };
}

/** The action that a command starts. */
function actionIn({ message, detail, atMs }: TimelineEntry, terminalId: string): RecordedAction | undefined {
  if (message !== 'action.start') return undefined;
  const { actionId, type, amountMinor, currency, paymentSessionId, receiptPrintingSource } = (detail ??
    {}) as RecordedAction & { actionId?: string };
  if (actionId === undefined) return undefined;
  return {
    id: actionId,
    terminalId,
    type,
    status: 'InProgress',
    amountMinor,
    currency,
    paymentSessionId,
    receiptPrintingSource,
    merchantCopy: null,
    customerCopy: null,
    errorCode: null,
    startedMs: atMs,
  };
}
