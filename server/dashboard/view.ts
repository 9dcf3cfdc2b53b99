/**
 * What the dashboard shows, as JSON between server and page (`/dashboard/live`). Masked as everywhere: card
 * numbers as BIN and last four, no secret, no PIN.
 */

import type { BodyOf } from '../../protocol/message.ts';
import type { PrinterShown } from '../../protocol/messages/receipt-printer.messages.ts';
import type { DeviceState } from '../../protocol/messages/inspection.messages.ts';

export type {
  Delivery,
  DeliveryAttempt,
  DeliverySummary,
  WebhookEndpoint,
} from '../platform/outbox/delivery.schema.ts';
export type { FaultName, FaultNames } from '../platform/faults/cut-points.ts';
export type { FaultPlan, FaultStrike, PlannedFault } from '../platform/faults/fault-plan.schema.ts';
export type { RequestSummary, StoredRequest } from '../platform/request-log/request.schema.ts';

/** A machine's shape: the description that `machine.described` carries. */
export interface MachineShape {
  machineId: string;
  definition: unknown;
}

export interface FleetTerminal {
  id: string;
  name: string;
  serialNumber: string;
  accountId: string;
  deviceType: string;
  reader: string | null;
  /** Whether it is a simulated terminal, whose cards, power, network and paper the page controls. */
  simulated: boolean;
  online: boolean;
  /** Lines of its display, as last reported. */
  screen: string[];
  /** Power, network, paper, card and keypad of a simulated terminal, as last reported; absent before its first report. */
  deviceState?: {
    power: 'off' | 'on';
    network: 'off' | 'on';
    paperSheets: number;
    /** The card at the reader; null for none. */
    card: DeviceState['card'] | null;
    /** What the cardholder does in the present action. */
    cardholder?: DeviceState['cardholder'];
  };
  /** The receipt printer beside a simulated terminal, as last reported; absent where there is none. */
  printer?: PrinterView;
  action: ActionView | null;
}

/** A receipt printer: how it is, and the paper that it has printed last. */
export type PrinterView = BodyOf<typeof PrinterShown>;

export interface ActionView {
  id: string;
  type: 'Payment' | 'Refund';
  status: 'InProgress' | 'Succeeded' | 'Failed' | 'Cancelled';
  amountMinor: number;
  currency: string;
  paymentSessionId: string;
  receiptPrintingSource: 'Terminal' | 'PointOfSale';
  merchantCopy: string | null;
  customerCopy: string | null;
  errorCode: string | null;
  /** What the reader reported with it, in words. */
  errorReason?: string | null;
  /** Whether the outcome of a payment terminal that has the request is still to come, or unknown; absent where none has it. */
  openOutcome?: 'Pending' | 'Unknown';
  /** Dotted path of the terminal's machine; null before its first step is reported. */
  state: string | null;
  lastEvent: string | null;
  /** Sandbox time at which the state's deadline passes. */
  deadlineMs: number | null;
  startedMs: number;
}

/** An action of a terminal, at `/dashboard/terminals/{terminalId}/actions` and `/dashboard/actions/{actionId}`. */
export interface PastAction extends Omit<ActionView, 'state' | 'lastEvent' | 'deadlineMs'> {
  terminalId: string;
  hasReceipt: boolean;
  /** Null while it is in progress. */
  completedMs: number | null;
}

/** Newest first. */
export interface PastActionPage {
  items: PastAction[];
  /** Whether there are actions before the last of the page. */
  hasOlder: boolean;
}

/** The four lanes of a timeline, left to right. */
export type Lane = 'api' | 'wire' | 'machine' | 'events';

/** One entry in the timeline of an action or object. */
export interface TimelineEntry {
  /**
   * Counts up over all entries of this server process; entries of one action are in this order. A call is
   * numbered when it begins: a long one is sent after entries with higher numbers.
   */
  seq: number;
  /** Sandbox time. */
  atMs: number;
  /** Real time since the recording began, in milliseconds; where the sandbox's clock stands still by itself. */
  realMs?: number;
  lane: Lane;
  kind:
    | 'request'
    /** What somebody did to a simulated terminal without a request; in a recording. */
    | 'act'
    | 'mqtt.command'
    | 'mqtt.report'
    | 'mqtt.refused'
    /** A plan of faults was put on the sandbox; in a recording. */
    | 'fault.plan'
    /** A fault of a plan struck. */
    | 'fault'
    | 'serial.out'
    | 'serial.in'
    | 'step'
    /** An entry of the ledger; in a recording. */
    | 'posting'
    | 'event'
    | 'webhook';
  terminalId: string | null;
  actionId: string | null;
  /** The object whose machine stepped, or that the event carries. */
  objectId: string | null;
  /** One line for people, such as `POST …/payment 200` or `awaitingCard → reading`. No code reads it. */
  title: string;
  tone: 'plain' | 'good' | 'bad' | 'warn';
  /** Details shown when the entry is opened: masked JSON. Of a message its body. */
  detail: unknown;
  /** Name of a message between server and terminal, such as `action.start`. */
  message?: string;
  /** Of a serial frame, upper-case hexadecimal with `··` for what is masked. */
  bytes?: string;
  /** Of a plan of faults: what each strikes and does, in words. */
  plan?: { planId: string; title: string; faults: readonly string[] };
  /** Of a fault that struck. */
  fault?: { planId: string; what: string; at: string; subject: string };
  /** Of a step. */
  step?: {
    machineId: string;
    event: string;
    from: string | null;
    state: string;
    deadlineMs: number | null;
    /** What the device showed and held in the state; absent for machines of the server. */
    device?: DeviceState;
  };
}

export interface WebhookAttempt {
  eventId: string;
  webhookId: string;
  eventType: string;
  endpointUrl: string;
  attempt: number;
  atMs: number;
  answer: string;
  acknowledged: boolean;
  /** Time of the next attempt; null when there is none. */
  nextMs: number | null;
}

/** A card that a simulator has, at `/dashboard/cards`. */
export interface OfferedCard {
  /** Name for `present-card`. */
  name: string;
  title: string;
  /** The first one is the default. */
  entryModes: ('Contactless' | 'Contact' | 'Swipe' | 'Wallet')[];
  /** Whether a PIN may be requested. */
  hasPin: boolean;
}

/** The keys of a sandbox, for the page to copy, at `/dashboard/keys`. */
export interface SandboxKeys {
  secretKey: string;
  publicKey: string;
}

export interface ClockView {
  nowMs: number;
  offsetMs: number;
}

/** Server to page. */
export type LiveMessage =
  | { type: 'hello'; clock: ClockView; mode: 'sandbox' | 'live'; terminals: FleetTerminal[]; version: string }
  | { type: 'clock'; clock: ClockView }
  | { type: 'terminal'; terminal: FleetTerminal }
  | { type: 'terminal.gone'; terminalId: string }
  /** The full timeline of the watched target, after `watch`. */
  | { type: 'timeline'; target: WatchTarget; machine: MachineShape | null; entries: TimelineEntry[] }
  | { type: 'entry'; entry: TimelineEntry }
  | { type: 'webhook'; attempt: WebhookAttempt }
  | { type: 'reset' };

/** What a page watches: a terminal's latest action, one action, or an object with a machine of the server. */
export type WatchTarget =
  { kind: 'terminal'; id: string } | { kind: 'action'; id: string } | { kind: 'object'; id: string };

/** Page to server. */
export type PageMessage = { type: 'session'; token: string } | { type: 'watch'; target: WatchTarget | null };
