import type { DeviceState } from '../../protocol/messages/inspection.messages.ts';
import type { Observers } from './observers.ts';
import type { Transaction } from './store/store.ts';

/**
 * What happens in this process, for the console of `tapbench up`, the dashboard and tests. It is no record of
 * money. Listeners may show it, so no text of it is a secret or a card number, and bodies are masked before they are
 * shown.
 */
export type Activity =
  | { kind: 'request'; method: string; path: string; status: number; elapsedMs: number }
  /** A call that may change something begins; `call.answered` carries the same `ApiCall` object. */
  | { kind: 'call.began'; call: ApiCall }
  /** The body is masked, the reply when it is called. */
  | {
      kind: 'call.answered';
      call: ApiCall;
      body: unknown;
      status: number;
      reply: () => unknown;
      /** Ids of the object in the reply, and of the action in it. */
      objectId: string | null;
      actionId: string | null;
    }
  | { kind: 'terminal.registered'; terminalId: string; serialNumber: string; simulatedBy: string | null }
  | { kind: 'terminal.changed' | 'terminal.removed' | 'terminal.paired'; terminalId: string }
  | { kind: 'terminal.presence'; terminalId: string; online: boolean; reader?: string }
  | {
      kind: 'terminal.stepped';
      terminalId: string;
      actionId: string;
      event: string;
      state: string;
      deadlineMs: number | null;
      /** Absent when the terminal does not report it. */
      device?: DeviceState | undefined;
    }
  | {
      kind: 'action.updated';
      terminalId: string;
      actionId: string;
      type: string;
      status: string;
      detail: string;
    }
  /** A payment terminal reported what came of a reversal. */
  | {
      kind: 'device.reversed';
      terminalId: string;
      actionId: string;
      outcome: 'Reversed' | 'NotReversed';
      reference: string | null;
      amountMinor: number;
      currency: string;
      reason: string | null;
    }
  /** One of the server's own machines took a step; emitted once the step is durable. */
  | ({ kind: 'machine.stepped' } & MachineStep)
  /** Between the server and a terminal, or its simulator. The body is masked when `body` is called. */
  | {
      kind: 'message.sent' | 'message.received';
      terminalId: string;
      name: string;
      actionId: string | null;
      body: () => unknown;
    }
  /** A message of a terminal was not used, came out of sequence, or had a card number. Topic and reason are masked. */
  | ({ kind: 'message.refused' } & RefusedMessage)
  /** A plan of faults was put on the sandbox. */
  | ({ kind: 'fault.planned' } & FaultsPlanned)
  /** A fault of a plan struck. */
  | ({ kind: 'fault.struck' } & FaultStruck)
  | { kind: 'clock.advanced'; offsetMs: number }
  /** An entry of the ledger was posted. */
  | { kind: 'ledger.posted'; lines: readonly PostedLine[] }
  | { kind: 'sandbox.reset' }
  /** Nothing was heard any more of the command that makes a certificate. */
  | { kind: 'certificate.broken-off'; certificateId: string }
  | { kind: 'event.recorded'; eventId: string; eventType: string; objectId: string; body: object }
  | {
      kind: 'webhook.attempted';
      eventId: string;
      webhookId: string;
      eventType: string;
      url: string;
      attempt: number;
      answer: string;
      acknowledged: boolean;
      /** Time of the next attempt; null when there is none. */
      nextMs: number | null;
    };

/** The change of one account's balance, with the fee that is taken from it. Amounts are minor units. */
interface PostedLine {
  id: string;
  type: string;
  accountId: string;
  amountMinor: number;
  feeMinor?: number;
  currency: string;
  description?: string;
  /** When it can be paid out. */
  availableMs: number;
}

export interface RefusedMessage {
  terminalId: string;
  /** The terminal's own action that it names; null for none. */
  actionId: string | null;
  /** Name of the message, or its topic when that is none of the terminal's. */
  message: string;
  reason: string;
}

interface FaultsPlanned {
  planId: string;
  title: string;
  /** What each fault strikes and does, in words. */
  faults: readonly string[];
}

interface FaultStruck {
  planId: string;
  /** Where, and what happened (server/platform/faults/cut-points.ts); `integrator` is the process that a hunt stops. */
  at: string;
  what: string;
  /** The request, message, state or event that was struck. */
  subject: string;
  /** Ids of the objects that it concerned. */
  ids: readonly string[];
}

/** The activities of one kind, or of several. */
export type ActivityOf<K extends Activity['kind']> = Extract<Activity, { kind: K }>;

/** A call of the API or of the sandbox. */
export interface ApiCall {
  method: string;
  path: string;
  /** The path as it is declared, `{name}` and all. */
  pattern: string;
  params: Record<string, string>;
}

export interface MachineStep {
  machineId: string;
  /** The object that the machine is of. */
  objectId: string;
  event: string;
  from: string | null;
  state: string;
  deadlineMs: number | null;
  /** Of an action at a terminal. */
  action?: { terminalId: string; paymentSessionId: string };
}

export interface Activities {
  emit(activity: Activity): void;
  /**
   * Returns the function that stops listening.
   * @param observer name of the listener, for the log; what it throws does not reach the emitter
   */
  listen(observer: string, listener: (activity: Activity) => void): () => void;
}

export function createActivities({ guard }: Pick<Observers, 'guard'>): Activities {
  const listeners = new Set<(activity: Activity) => void>();
  return {
    emit(activity) {
      for (const listener of listeners) listener(activity);
    },
    listen(observer, listener) {
      const guarded = guard(observer, listener);
      listeners.add(guarded);
      return () => listeners.delete(guarded);
    },
  };
}

/** Emits an activity of a step of one of the server's machines, once the step is durable. */
export function emitStep(
  tx: Transaction,
  { activities }: { activities: Activities },
  step: Omit<MachineStep, 'deadlineMs'> & { deadlineMs?: number | null },
): void {
  tx.afterCommit(() => activities.emit({ kind: 'machine.stepped', deadlineMs: null, ...step }));
}
