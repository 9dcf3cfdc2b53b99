import type { BodyOf } from '../../protocol/message.ts';
import { DisplayShown, MachineDescribed } from '../../protocol/messages/inspection.messages.ts';
import { PrinterShown } from '../../protocol/messages/receipt-printer.messages.ts';
import { Simulated } from '../../protocol/messages/sandbox.messages.ts';
import { setBounded } from '../platform/bounded-map.ts';
import type { Activity } from '../platform/activities.ts';
import type { Services } from '../platform/services.ts';
import { findOnBoard, listBoard, type BoardRow } from './fleet.records.ts';
import type { ActionView, FleetTerminal, MachineShape, PrinterView } from './view.ts';
import type { DashboardPorts } from './ports.ts';

/** The terminals as the dashboard shows them: the stored rows, and what they reported since the server started. */
export interface FleetBoard {
  all(): Promise<FleetTerminal[]>;
  /** The registered terminals among these ids. */
  some(ids: readonly string[]): Promise<FleetTerminal[]>;
  /** The machine that a terminal runs its actions on; null until the terminal has described it. */
  machineOf(terminalId: string): MachineShape | null;
  /** Every machine that a terminal has described. */
  machines(): MachineShape[];
}

type SimulatedState = NonNullable<BodyOf<typeof Simulated>['terminal']>;
type DeviceState = NonNullable<FleetTerminal['deviceState']>;

/** Reports of a terminal that are not stored. */
interface ReportedState {
  screen?: string[];
  reader?: string;
  deviceState?: DeviceState;
  step?: { actionId: string; state: string; event: string; deadlineMs: number | null };
  machine?: MachineShape;
}

// More than a server has; bounds the memory that clients can take.
const TERMINALS_MAX = 20_000;
// Those of more terminals are not shown: each has its last receipts.
const PRINTERS_MAX = 500;
// Firmware of one version describes one machine.
const MACHINES_MAX = 50;
// Ours take 6,000.
const DESCRIPTION_LETTERS_MAX = 40_000;

export function createFleetBoard(
  services: Services,
  { isSimulated }: Pick<DashboardPorts, 'isSimulated'>,
): FleetBoard {
  const { gateway, activities, settings, store } = services;
  const reported = new Map<string, ReportedState>();
  const machines = new Map<string, MachineShape>();
  const printers = new Map<string, PrinterView>();

  const update = (terminalId: string, changes: ReportedState) => {
    const known = reported.get(terminalId);
    if (known) return void Object.assign(known, changes);
    setBounded(reported, TERMINALS_MAX, terminalId, changes);
  };
  const onActivity = (activity: Activity) => {
    if (activity.kind === 'terminal.stepped') {
      const { terminalId, actionId, state, event, deadlineMs, device } = activity;
      update(terminalId, { step: { actionId, state, event, deadlineMs } });
      const { paperSheets, card, cardholder } = device ?? {};
      // Only a simulated terminal knows both, and one that reports a step has power and network.
      if (paperSheets !== undefined && card !== undefined)
        update(terminalId, {
          deviceState: { power: 'on', network: 'on', paperSheets, card, ...(cardholder && { cardholder }) },
        });
    } else if (activity.kind === 'terminal.presence' && activity.reader !== undefined) {
      update(activity.terminalId, { reader: activity.reader });
    } else if (activity.kind === 'message.received' && activity.name === Simulated.name) {
      const { terminal } = activity.body() as { terminal?: SimulatedState };
      if (terminal) update(activity.terminalId, { deviceState: simulatorStateOf(terminal) });
    } else if (activity.kind === 'terminal.paired') {
      // Another program may simulate it now. One with a printer shows that next.
      printers.delete(activity.terminalId);
    } else if (activity.kind === 'terminal.removed') {
      reported.delete(activity.terminalId);
      printers.delete(activity.terminalId);
    }
  };

  /** Drops the machines that no terminal uses, other than `terminalId`, whose machine is about to change. */
  const forgetUnused = (terminalId: string) => {
    const used = new Set([...reported].filter(([id]) => id !== terminalId).map(([, { machine }]) => machine));
    if (used.size >= MACHINES_MAX) return;
    for (const [text, machine] of machines) if (!used.has(machine)) machines.delete(text);
  };

  activities.listen('fleet board', onActivity);
  gateway.onReport(DisplayShown, (terminalId, { lines }) => update(terminalId, { screen: lines }));
  gateway.onReport(PrinterShown, (terminalId, printer) =>
    setBounded(printers, PRINTERS_MAX, terminalId, printer),
  );
  gateway.onReport(MachineDescribed, (terminalId, shape) => {
    // Equal descriptions are often one object (platform/broker/report-intake.ts).
    if ([...machines.values()].includes(shape)) return update(terminalId, { machine: shape });
    const text = JSON.stringify(shape);
    if (text.length > DESCRIPTION_LETTERS_MAX) return;
    if (!machines.has(text) && machines.size >= MACHINES_MAX) forgetUnused(terminalId);
    if (!machines.has(text) && machines.size >= MACHINES_MAX) return;
    const machine = machines.get(text) ?? shape;
    machines.set(text, machine);
    update(terminalId, { machine });
  });

  const shown = (row: BoardRow): FleetTerminal => {
    const simulated =
      settings.mode === 'sandbox' && (row.simulated_by !== null || isSimulated(row.serial_number));
    return toFleetTerminal(row, { ...reported.get(row.id), printer: printers.get(row.id) }, simulated);
  };
  return {
    all: async () => (await listBoard(store)).map(shown),
    some: async (ids) => (await findOnBoard(store, ids)).map(shown),
    machineOf: (terminalId) => reported.get(terminalId)?.machine ?? null,
    machines: () => [...machines.values()],
  };
}

function toFleetTerminal(
  row: BoardRow,
  { screen, reader, deviceState, printer, step }: ReportedState & { printer: PrinterView | undefined },
  simulated: boolean,
): FleetTerminal {
  return {
    id: row.id,
    name: row.name,
    serialNumber: row.serial_number,
    accountId: row.account_id,
    deviceType: row.device_type,
    reader: reader ?? null,
    simulated,
    online: row.online === 1,
    screen: screen ?? [],
    ...(deviceState && { deviceState }),
    ...(printer && { printer }),
    action: row.action_id === null ? null : toActionView({ ...row, action_id: row.action_id }, step),
  };
}

function simulatorStateOf(state: SimulatedState): DeviceState {
  const { power, network, paperSheets, card = null, cardholder } = state;
  return { power, network, paperSheets, card, ...(cardholder && { cardholder }) };
}

/** The states of an action on the server in which a payment terminal has its request. */
const OPEN_OUTCOMES: ReadonlyMap<string, NonNullable<ActionView['openOutcome']>> = new Map([
  ['atDevice', 'Pending'],
  ['outcomeUnknown', 'Unknown'],
]);

function toActionView(row: BoardRow & { action_id: string }, step: ReportedState['step']): ActionView {
  // The last step may belong to an earlier action.
  const own = step?.actionId === row.action_id ? step : undefined;
  const openOutcome = OPEN_OUTCOMES.get(row.phase);
  return {
    id: row.action_id,
    type: row.type,
    status: row.status,
    amountMinor: row.amount_minor,
    currency: row.currency,
    paymentSessionId: row.session_id,
    receiptPrintingSource: row.receipt_source,
    merchantCopy: row.merchant_copy,
    customerCopy: row.customer_copy,
    errorCode: row.error_code,
    errorReason: row.error_reason,
    ...(openOutcome && { openOutcome }),
    state: own?.state ?? null,
    lastEvent: own?.event ?? null,
    deadlineMs: row.status === 'InProgress' ? (own?.deadlineMs ?? null) : null,
    startedMs: row.started_ms,
  };
}
