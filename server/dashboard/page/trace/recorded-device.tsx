import { useMemo } from 'preact/hooks';
import type { TimelineEntry, FleetTerminal } from '../../view.ts';
import { formatDate, formatTime } from '../format.ts';
import { PastPanel } from '../terminal/past-action-view.tsx';
import { EntryDetail } from '../timeline/entry-detail.tsx';
import { terminalAt } from '../terminal/terminal-at.ts';
import type { CopyName } from '../terminal/receipt.tsx';
import type { RecordedAction, RecordedContent } from './trace-content.ts';

interface RecordedDeviceProps {
  recorded: RecordedTerminals;
  entries: readonly TimelineEntry[];
  /** The action or object that is shown. */
  timeline: string | null;
  /** The entry that is shown. */
  entry: TimelineEntry;
}

/** The terminal of the action that is shown, as it was at that moment. */
export function RecordedDevice({ recorded, entries, timeline, entry }: RecordedDeviceProps) {
  const action = timeline === null ? undefined : recorded.actions.get(timeline);
  const terminal = action && recorded.terminals.get(action.terminalId);
  const ofTerminal = useMemo(
    () =>
      entries.filter(
        ({ terminalId, actionId }) => terminalId === action?.terminalId || actionId === action?.id,
      ),
    [entries, action],
  );
  if (!action || !terminal) {
    return (
      <section class="terminal-panel" aria-label="Terminal">
        <p class="past-note">No terminal takes part in this</p>
        <EntryDetail entry={entry} id="entry-shown" />
      </section>
    );
  }
  return (
    <section class="terminal-panel" aria-label={`Terminal ${terminal.name}`}>
      <header class="past-head">
        <h2>{terminal.name}</h2>
        <span class="mono">{terminal.serialNumber}</span>
      </header>
      <PastPanel
        past={terminalAt(terminal, action, ofTerminal, entry.seq)}
        caption={`As it was at ${formatDate(entry.atMs)} ${formatTime(entry.atMs)} UTC`}
      />
    </section>
  );
}

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
