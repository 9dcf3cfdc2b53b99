import { Fault } from '../../../protocol/failures.ts';
import { EndAction } from '../../../protocol/messages/action.messages.ts';
import type { FaultAt } from '../../../server/platform/faults/cut-points.ts';
import type { ServerApi } from '../../client/api-client.ts';
import type { DeviceTimeline, SeenMessage } from './device-timeline.ts';
import { tidyOperator, type DeviceAct, type Operator } from './operator.ts';

/** Thrown where a device does not keep a rule; its message says what it did. */
export class BrokenRule extends Error {}

/** Thrown where the action of a device does not end. */
export class NotEnded extends BrokenRule {}

/** A fault at the messages of the device, or at its bank. */
export type DeviceFault = MessageFault | { at: 'bank.authorisation'; what: 'declined' };

type MessageFault = (
  | { at: 'message.command'; what: FaultAt<'message.command'> }
  | { at: 'message.report'; what: FaultAt<'message.report'> }
) & { message: string; delayMs?: number; nth?: number; times?: number; forMs?: number };

interface Payment {
  receipts?: 'Terminal' | 'PointOfSale';
  faults?: readonly DeviceFault[];
}

interface Expected {
  /** `seq` of the message after which it comes; that with which the case began by default. */
  after?: number;
  /** Real time, milliseconds; `REPLY_MS` by default. */
  within?: number;
}

/** A device, its server and whoever operates it, for one case. */
export interface DeviceBench {
  readonly isAutomatic: boolean;
  /** How many payments a case with many takes. */
  readonly payments: number;
  readonly pin: string;
  /** Brings the device online, and ends what it was doing. @throws Fault `timed_out` when it stays offline */
  settle(): Promise<void>;
  plan(faults: readonly DeviceFault[]): Promise<void>;
  /** Ends the faults that were planned. @throws Fault `timed_out` when one of them never struck */
  endFaults(): Promise<void>;
  /** Starts a payment at the device. Returns the id of its session. */
  pay(payment?: Payment): Promise<string>;
  refund(sessionId: string): Promise<void>;
  cancel(): Promise<void>;
  confirm(copy: 'merchantCopy' | 'customerCopy'): Promise<void>;
  act(act: DeviceAct, pin?: string): Promise<void>;
  /** Takes out a card that was left in the device. */
  takeCardOut(): Promise<void>;
  /** Types the PIN of the card, or a wrong one. */
  type(which: 'pin' | 'wrong'): Promise<void>;
  /** Advances the clock of the sandbox. */
  advance(seconds: number): Promise<void>;
  sleep(ms: number): Promise<void>;
  /** What was seen of the device since the case began, without earlier actions. */
  seen(): readonly SeenMessage[];
  reports(name?: string): readonly SeenMessage[];
  /** `seq` of the latest that was seen. */
  mark(): number;
  /** Resolves with the first report of a name. @throws BrokenRule when it does not come */
  expectReport(name: string, expected?: Expected): Promise<SeenMessage>;
  /** Resolves with the first that fits. @throws BrokenRule `it did not …` when none comes */
  expect(what: string, fits: (message: SeenMessage) => boolean, expected?: Expected): Promise<SeenMessage>;
  /** Resolves when none has come for a time. @throws BrokenRule when one comes */
  expectNo(name: string, expected: Expected & { within: number }): Promise<void>;
  /** Resolves when the server has ended the action. @throws NotEnded when it does not end, BrokenRule when not so */
  expectEnd(
    status: 'Succeeded' | 'Failed' | 'Cancelled',
    code?: string,
    within?: number,
  ): Promise<SeenMessage>;
  isOnline(): Promise<boolean>;
}

type Expectations = 'seen' | 'reports' | 'mark' | 'expectReport' | 'expect' | 'expectNo' | 'expectEnd';

interface BenchParts {
  api: ServerApi;
  /** The same API, also once the command was interrupted. */
  cleanUp: ServerApi;
  /** Of the plans of faults. */
  title: string;
  terminalId: string;
  isSimulated: boolean;
  operator: Operator;
  timeline: DeviceTimeline;
  pin: string;
  payments: number;
  amount: number;
  sleep(ms: number): Promise<void>;
}

/** How long a device has for what it does at once. */
const REPLY_MS = 10_000;
const CURRENCY = 'GBP' as const;
// A device that starts again after a power cut.
const ONLINE_TRIES = 6;
const WAIT_SECONDS = 10;

export function createDeviceBench(parts: BenchParts): DeviceBench {
  const { api, terminalId, isSimulated, timeline, sleep } = parts;
  const operator = tidyOperator(parts.operator);
  const params = { id: terminalId };
  const began = timeline.messages().at(-1)?.seq ?? 0;
  let actionId: string | null = null;

  const terminal = (query?: { online: boolean; waitSeconds: number }) =>
    api.call('GET /sandbox/terminals/{id}', { params, ...(query && { query }) });

  const bench: DeviceBench = {
    isAutomatic: operator.isAutomatic,
    payments: parts.payments,
    pin: parts.pin,
    async settle() {
      await bringOnline(parts, terminal);
      const { action } = await terminal();
      if (action?.status === 'InProgress')
        await api.call('POST /v1/in-person/terminals/{id}/cancel-action', { params });
      if (isSimulated) await operator.act('remove').catch(() => {});
    },
    ...faultsOf(parts),
    async pay({ receipts = 'Terminal', faults = [] } = {}) {
      if (faults.length > 0) await bench.plan(faults);
      const body = {
        amounts: { requested: parts.amount },
        currency: CURRENCY,
        settings: { receiptPrintingSource: receipts },
      };
      const { action } = isSimulated
        ? await api.call('POST /sandbox/terminals/{id}/payment', {
            params,
            body: { ...body, cardholder: { script: 'none' } },
          })
        : await api.call('POST /v1/in-person/terminals/{id}/payment', { params, body });
      actionId = action!.id;
      return action!.transaction.paymentSessionId;
    },
    async refund(sessionId) {
      const body = { paymentSession: { id: sessionId } };
      const { action } = isSimulated
        ? await api.call('POST /sandbox/terminals/{id}/refund', {
            params,
            body: { ...body, cardholder: { script: 'none' } },
          })
        : await api.call('POST /v1/in-person/terminals/{id}/refund', { params, body });
      actionId = action!.id;
    },
    ...tillOf(parts),
    act: (act, pin) => operator.act(act, pin),
    takeCardOut: () => operator.takeCardOut(),
    type: (which) => operator.act('pin', which === 'pin' ? parts.pin : wrongPin(parts.pin)),
    async advance(seconds) {
      await api.call('POST /sandbox/clock/advance', { body: { seconds } });
    },
    sleep,
    ...expectations(timeline, began, () => actionId),
    isOnline: async () => (await terminal()).online,
  };
  return bench;
}

/** What the point of sale does at the action of a device. */
function tillOf({ api, terminalId }: BenchParts): Pick<DeviceBench, 'cancel' | 'confirm'> {
  const params = { id: terminalId };
  return {
    async cancel() {
      await api.call('POST /v1/in-person/terminals/{id}/cancel-action', { params });
    },
    async confirm(copy) {
      const body = { [copy]: { status: 'Succeeded' as const } };
      await api.call('POST /v1/in-person/terminals/{id}/confirm-receipt', { params, body });
    },
  };
}

/** The plans of faults of a case. */
function faultsOf({ api, cleanUp, title, terminalId }: BenchParts): Pick<DeviceBench, 'plan' | 'endFaults'> {
  const plans: string[] = [];
  return {
    async plan(faults) {
      const planned = faults.map((fault) => plannedFault(fault, terminalId));
      const { id } = await api.call('POST /sandbox/faults', { body: { title, faults: planned } });
      plans.push(id);
    },
    async endFaults() {
      const isMissed: boolean[] = [];
      for (const id of plans.splice(0)) {
        const { struckByFault } = await cleanUp.call('GET /sandbox/faults/{id}', { params: { id } });
        isMissed.push(struckByFault.includes(0));
        await cleanUp.call('DELETE /sandbox/faults/{id}', { params: { id } });
      }
      if (isMissed.includes(true)) throw new Fault('timed_out', 'a fault of this case did not strike');
    },
  };
}

/** What a case looks for in the messages after one. */
function expectations(
  timeline: DeviceTimeline,
  began: number,
  actionId: () => string | null,
): Pick<DeviceBench, Expectations> {
  const seen = () => {
    const own = actionId();
    const isOwn = (one: SeenMessage) => one.actionId === null || one.actionId === own;
    return timeline.messages().filter((one) => one.seq > began && isOwn(one));
  };
  const find = (fits: (message: SeenMessage) => boolean, { after = began, within = REPLY_MS }: Expected) =>
    timeline.until(() => seen().find((one) => one.seq > after && fits(one)), within);
  const isReport = (name: string) => (one: SeenMessage) => one.kind === 'report' && one.name === name;

  async function expect(what: string, fits: (message: SeenMessage) => boolean, expected: Expected = {}) {
    const found = await find(fits, expected);
    if (found) return found;
    throw new BrokenRule(`it did not ${what} within ${(expected.within ?? REPLY_MS) / 1_000} s`);
  }
  return {
    seen,
    reports: (name) => seen().filter((one) => one.kind === 'report' && (!name || one.name === name)),
    mark: () => timeline.messages().at(-1)?.seq ?? 0,
    expectReport: (name, expected) => expect(`send ${name}`, isReport(name), expected),
    expect,
    async expectNo(name, expected) {
      if (await find(isReport(name), expected)) throw new BrokenRule(`it sent ${name}`);
    },
    async expectEnd(status, code, within = REPLY_MS * 2) {
      const ended = await find(({ kind, name }) => kind === 'command' && name === EndAction.name, { within });
      if (!ended) throw new NotEnded(`the action did not end within ${within / 1_000} s${lastOf(seen())}`);
      const { status: found, code: reason } = ended.body;
      if (found === status && (code === undefined || reason === code)) return ended;
      const words = (parts: unknown[]) => parts.filter(Boolean).join(' with ');
      throw new BrokenRule(`the action ended ${words([found, reason])}, not ${words([status, code])}`);
    },
  };
}

/** Returns the last report of an action in words: what was missed comes after it. */
function lastOf(messages: readonly SeenMessage[]): string {
  const isOfAction = ({ kind, name }: SeenMessage) => kind === 'report' && /^(action|receipt)\./.test(name);
  const last = messages.findLast(isOfAction);
  return last ? ` after its ${last.name}` : '';
}

/** Waits until a device is online, once whoever operates it has given it power and network. */
async function bringOnline(
  { operator }: BenchParts,
  terminal: (query: { online: boolean; waitSeconds: number }) => Promise<{ online: boolean }>,
): Promise<void> {
  for (let tried = 0; tried < ONLINE_TRIES; tried += 1) {
    const waitSeconds = tried === 0 ? 1 : WAIT_SECONDS;
    if ((await terminal({ online: true, waitSeconds })).online) return;
    if (tried > 0) continue;
    for (const act of ['power-on', 'network-on'] as const) await operator.act(act).catch(() => {});
  }
  throw new Fault('timed_out', 'the device is not online');
}

function plannedFault(fault: DeviceFault, terminalId: string) {
  if (fault.at === 'bank.authorisation') return { ...fault, when: { id: terminalId } };
  const { message, nth, times, forMs, ...planned } = fault;
  const when = {
    message,
    id: terminalId,
    ...(nth && { nth }),
    ...(times && { times }),
    ...(forMs && { forMs }),
  };
  return { ...planned, when };
}

/** Returns a PIN of the same length that is another one. */
function wrongPin(pin: string): string {
  return [...pin].map((digit) => (digit === '9' ? '8' : '9')).join('');
}
