import type { ActionView, FleetTerminal, TimelineEntry } from '../../view.ts';

/** A terminal as it was at a moment of an action. */
export interface PastTerminal {
  /** With the action as it stood then. */
  terminal: FleetTerminal;
  /** State of the payment session; null before its first step. */
  sessionState: string | null;
}

/** An action without what changes while it runs. */
type Action = Omit<ActionView, 'state' | 'lastEvent' | 'deadlineMs'>;

const STATUSES: Record<string, ActionView['status']> = {
  succeeded: 'Succeeded',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

interface Moment extends PastTerminal {
  action: ActionView;
}

/**
 * Returns a terminal as it was at an entry of an action's timeline, from the entries up to that one alone.
 * @param terminal gives what does not change, such as the name
 * @param shown sequence number of the entry
 */
export function terminalAt(
  terminal: FleetTerminal,
  action: Action,
  entries: readonly TimelineEntry[],
  shown: number,
): PastTerminal {
  let moment = beginning(terminal, action, entries);
  for (const entry of entries) {
    if (entry.seq > shown) break;
    if (entry.actionId !== null && entry.actionId !== action.id) continue;
    moment = { ...moment, ...changesBy(moment, entry) };
  }
  const { terminal: then, action: actionThen, sessionState } = moment;
  return { terminal: { ...then, action: actionThen }, sessionState };
}

/**
 * Before the first entry: the paper is that of the first step, since only printing takes sheets. How a receipt printer
 * beside the terminal was is in no entry.
 */
function beginning(terminal: FleetTerminal, action: Action, entries: readonly TimelineEntry[]): Moment {
  const paperSheets = entries.find(({ step }) => step?.device?.paperSheets !== undefined)?.step?.device
    ?.paperSheets;
  const { deviceState: _now, printer: _printerNow, ...unchanged } = terminal;
  const device = { power: 'on', network: 'on', card: null } as const;
  return {
    terminal: {
      ...unchanged,
      online: true,
      screen: [],
      ...(paperSheets !== undefined && { deviceState: { ...device, paperSheets } }),
    },
    action: {
      ...action,
      status: 'InProgress',
      merchantCopy: 'NotRequired',
      customerCopy: 'NotRequired',
      errorCode: null,
      state: null,
      lastEvent: null,
      deadlineMs: null,
    },
    sessionState: null,
  };
}

function changesBy(moment: Moment, entry: TimelineEntry): Partial<Moment> {
  if (entry.step) return changesByStep(moment, entry.step);
  if (entry.kind === 'event') return changesByEvent(moment, entry);
  if (entry.kind === 'mqtt.report' || entry.kind === 'mqtt.command') return changesByMessage(moment, entry);
  return {};
}

function changesByStep(
  { terminal, action }: Moment,
  { machineId, state, event, deadlineMs, device }: NonNullable<TimelineEntry['step']>,
): Partial<Moment> {
  if (machineId === 'paymentSession') return { sessionState: state };
  if (machineId === 'serverAction') return { action: { ...action, status: STATUSES[state] ?? 'InProgress' } };
  const { display, card, paperSheets } = device ?? {};
  const known = terminal.deviceState;
  return {
    terminal: {
      ...terminal,
      ...(display && { screen: display }),
      ...(known && {
        deviceState: {
          ...known,
          ...(card !== undefined && { card }),
          ...(paperSheets !== undefined && { paperSheets }),
        },
      }),
    },
    action: { ...action, state, lastEvent: event, deadlineMs },
  };
}

interface EventDetail {
  data?: {
    action?: {
      error?: { code: string; reason?: string } | null;
      transaction?: { receiptDetail?: Record<'merchantCopy' | 'customerCopy', { status: string }> };
    };
  };
}

function changesByEvent({ action }: Moment, { detail }: TimelineEntry): Partial<Moment> {
  const { error, transaction } = (detail as EventDetail).data?.action ?? {};
  const copies = transaction?.receiptDetail;
  return {
    action: {
      ...action,
      ...(error !== undefined && { errorCode: error?.code ?? null, errorReason: error?.reason ?? null }),
      ...(copies && {
        merchantCopy: copies.merchantCopy.status,
        customerCopy: copies.customerCopy.status,
      }),
    },
  };
}

interface MessageDetail {
  lines?: string[];
  online?: boolean;
  terminal?: NonNullable<FleetTerminal['deviceState']>;
}

function changesByMessage({ terminal }: Moment, { message, detail }: TimelineEntry): Partial<Moment> {
  const { lines, online, terminal: device } = (detail ?? {}) as MessageDetail;
  switch (message) {
    case 'display.shown':
      return { terminal: { ...terminal, screen: lines ?? terminal.screen } };
    case 'presence':
      return { terminal: { ...terminal, online: online ?? terminal.online } };
    case 'simulated':
      return device
        ? { terminal: { ...terminal, deviceState: { ...device, card: device.card ?? null } } }
        : {};
    default:
      return {};
  }
}
