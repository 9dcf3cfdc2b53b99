import type { ReaderEvent } from '../../agent/readers/reader.ts';
import { APPROVED_BY_DEVICE, indexOfAction, stepsWithCard, type ReaderStep } from './fixtures.ts';
import type { Scenario } from './scenarios.ts';
import type { TerminalState } from './terminal-model.ts';

// A payment terminal that can neither be cancelled nor be asked, and its driver (agent/readers/till/till-reader.ts).

/** The payment terminal itself, and what is stored of it: a power cut of the till changes neither. */
export interface Device {
  /** The action whose request it has and has not decided; null for none. */
  request: number | null;
  /** Actions that it may have charged and a person has to reverse: the reports `NotReversed`, which are stored. */
  told: readonly number[];
}

/** What its driver remembers, which is lost with the power. */
export interface Driver {
  /** Whether a person settles the current action. */
  settled: boolean;
  /** Whether the driver has reported last that its outcome is unknown. */
  unknown: boolean;
  /** A request whose action has ended: its outcome is awaited, or its approval is being reversed. */
  late: { action: number; reversing: boolean } | null;
}

export const IDLE_DEVICE: Device = { request: null, told: [] };
export const IDLE_DRIVER: Driver = { settled: false, unknown: false, late: null };

const heard = (event: ReaderEvent, more: Partial<ReaderStep> = {}): ReaderStep => ({
  event,
  next: 'done',
  ...more,
});
const unknown = (reason: string, more: Partial<ReaderStep> = {}) =>
  heard({ type: 'device.unknown', reason }, more);

const READY = [
  heard({ type: 'device.ready' }, { next: 'ready' }),
  heard({ type: 'reader.failed', reason: 'not there' }),
];
const UNREADABLE = unknown('an answer that cannot be read');
const NOT_CHARGED = [
  heard({ type: 'device.declined', reason: 'limit' }),
  heard({ type: 'cancel.pressed' }),
  heard({ type: 'reader.failed', reason: 'not taken' }),
];
const OVERDUE = unknown('no outcome in time', { next: 'overdue', takesTime: true });

/** Returns what the reader of a terminal may report next. */
export function readerStepsOf({ card }: Scenario, terminal: TerminalState): readonly ReaderStep[] {
  const { reader, host } = terminal;
  if (reader === 'off' || !host?.action) return [];
  return card === 'device alone'
    ? driverStepsOf(terminal, indexOfAction(host.action.actionId)!)
    : stepsWithCard(card, reader);
}

/** Returns what a person reads in the journal of a payment terminal; undefined while it has the request. */
export function outcomeAt({ device, charged }: TerminalState, action: number) {
  if (device.request === action) return undefined;
  return charged.includes(action) ? 'Charged' : 'NotCharged';
}

/** Returns what the driver may report to the current action: an outcome only when the payment terminal has decided. */
function driverStepsOf({ reader, device, charged }: TerminalState, action: number): ReaderStep[] {
  if (reader === 'looking') return READY;
  if (reader !== 'busy' && reader !== 'overdue' && reader !== 'asking') return [];
  const outcomes = charged.includes(action) ? [heard(APPROVED_BY_DEVICE)] : NOT_CHARGED;
  return [
    ...(device.request === action ? [] : outcomes),
    UNREADABLE,
    // The driver goes on waiting, and has said so once.
    ...(reader === 'busy' ? [OVERDUE] : []),
  ];
}

/** Returns what is left after a power cut of the till: a report is kept for a request whose action has ended. */
export function deviceWithoutPower(device: Device, { late }: Driver): Device {
  return late ? told(device, late.action) : device;
}

/** What happens at the payment terminal, or between it and its driver, without the firmware. */
export type DeviceInput =
  | 'charges'
  | 'charges nothing'
  | 'reverses'
  | 'reverses the late approval'
  | 'late outcome is heard'
  | 'late outcome is lost'
  | 'late reversal is heard'
  | 'late reversal is refused';

/** Returns what may happen next at the payment terminal. */
export function deviceInputsOf({ device, driver, charged, reversing, host }: TerminalState): DeviceInput[] {
  const { late } = driver;
  const isCharged = late !== null && charged.includes(late.action);
  const inputs: DeviceInput[] = [];
  if (device.request !== null) inputs.push('charges', 'charges nothing');
  if (reversing && host?.action && charged.length > 0) inputs.push('reverses');
  if (late?.reversing)
    inputs.push(
      ...(isCharged ? (['reverses the late approval'] as const) : []),
      'late reversal is heard',
      'late reversal is refused',
    );
  else if (late) {
    if (device.request !== late.action) inputs.push('late outcome is heard');
    inputs.push('late outcome is lost');
  }
  return inputs;
}

/** Returns a terminal after that, which its firmware does not notice. */
export function afterDevice(before: TerminalState, input: DeviceInput): TerminalState {
  const { device, driver, charged } = before;
  const action = driver.late?.action ?? indexOfAction(before.host?.action?.actionId);
  const withoutCharge = charged.filter((each) => each !== action);
  switch (input) {
    case 'charges':
      return {
        ...before,
        device: { ...device, request: null },
        charged: [...charged, device.request!],
      };
    case 'charges nothing':
      return { ...before, device: { ...device, request: null } };
    case 'reverses':
    case 'reverses the late approval':
      return { ...before, charged: withoutCharge };
    case 'late outcome is heard': {
      if (!charged.includes(action!)) return { ...before, driver: { ...driver, late: null } };
      const late = { action: action!, reversing: true };
      return { ...before, driver: { ...driver, late }, device: told(device, action!) };
    }
    case 'late outcome is lost':
    case 'late reversal is refused':
      return { ...before, driver: { ...driver, late: null }, device: told(device, action!) };
    case 'late reversal is heard': {
      const settled = withoutTold(device, action!);
      return { ...before, driver: { ...driver, late: null }, device: settled, charged: withoutCharge };
    }
  }
}

/** Returns a payment terminal of which a person was told to reverse what it may have charged. */
export function told(device: Device, action: number): Device {
  return { ...device, told: [...new Set([...device.told, action])] };
}

/** Returns it after its reversal. */
export function withoutTold(device: Device, action: number): Device {
  return { ...device, told: device.told.filter((each) => each !== action) };
}

/** Returns what the driver of a payment terminal leaves when the firmware ends its session. */
export function afterEnd(
  { reader, device, driver }: TerminalState,
  action: number,
  { paid, unsettled }: { paid: boolean; unsettled: boolean },
): Pick<TerminalState, 'device' | 'driver'> {
  const settled = paid || (driver.settled && !unsettled);
  const { late } = driver;
  if (settled) return { device, driver: { ...IDLE_DRIVER, late } };
  const isOpen = reader === 'busy' || reader === 'overdue';
  if (isOpen) return { device, driver: { ...IDLE_DRIVER, late: { action, reversing: false } } };
  // It is not asked any longer.
  const isOpenToAPerson = driver.unknown || reader === 'asking';
  return { device: isOpenToAPerson ? told(device, action) : device, driver: { ...IDLE_DRIVER, late } };
}
