import { ID_FORMS, type IdKind } from '../../protocol/ids.ts';
import type { Call, MachineStep, Notice } from '../platform/notices.ts';
import { setBounded } from '../platform/bounded-map.ts';

/** What an entry is about. */
export interface About {
  terminalId: string | null;
  actionId: string | null;
  objectId: string | null;
}

/** Objects whose life is drawn; of others there are no timelines. */
const DRAWN: readonly IdKind[] = ['paymentSession', 'subscription', 'dispute', 'payout', 'account', 'person'];
const DRAWN_PREFIXES = DRAWN.map((kind) => ID_FORMS[kind].prefix);

function isDrawn(id: unknown): id is string {
  return typeof id === 'string' && DRAWN_PREFIXES.some((prefix) => id.startsWith(prefix));
}

/** Calls that are about a terminal's action, which their answer shows. */
const TERMINAL_OPERATION = /\/(payment|refund|cancel-action|confirm-receipt)$/;

// Each is more than is remembered of what they lead to.
const TERMINALS_MAX = 20_000;
const SESSIONS_MAX = 5_000;
const EVENTS_MAX = 5_000;

/** A terminal's latest action. */
interface Latest {
  actionId: string;
  running: boolean;
  /** Of the terminal's machine. */
  state: string | null;
}

/** Finds out which action and object something belongs to, from what was told before. */
export class Attribution {
  readonly #latest = new Map<string, Latest>();
  readonly #actions = new Map<string, { terminalId: string; actionId: string }>();
  readonly #events = new Map<string, About>();

  latestActionOf(terminalId: string): string | undefined {
    return this.#latest.get(terminalId)?.actionId;
  }

  /** Something of a terminal: of the action that it names, or else of the one under way there. */
  ofTerminal(terminalId: string, actionId: string | null): About {
    const known = this.#latest.get(terminalId);
    const own = actionId ?? (known?.running ? known.actionId : null);
    return { terminalId, actionId: own, objectId: null };
  }

  /** Undefined for a call about nothing that has a timeline. */
  ofCall({ pattern, params }: Call, reply: unknown): About | undefined {
    const { id: made, action } = (reply ?? {}) as { id?: unknown; action?: { id?: unknown } };
    const named = params['id'];
    if (named !== undefined && pattern.includes('/terminals/{id}')) {
      const acted = TERMINAL_OPERATION.test(pattern) && typeof action?.id === 'string' ? action.id : null;
      return this.ofTerminal(named, acted);
    }
    const objectId = [...Object.values(params), made].find(isDrawn);
    return objectId === undefined ? undefined : this.#ofObject(objectId);
  }

  ofStep({ objectId, action, from }: MachineStep): About {
    if (!action) return this.#ofObject(objectId);
    const { terminalId, paymentSessionId } = action;
    const link = { terminalId, actionId: objectId };
    // One that is heard of later only began before this process did.
    if (from === null || !this.#latest.has(terminalId)) this.#begin(terminalId, objectId);
    if (from === null || !this.#actions.has(paymentSessionId)) {
      setBounded(this.#actions, SESSIONS_MAX, paymentSessionId, link);
    }
    return { ...link, objectId };
  }

  ofRecordedEvent({
    eventId,
    objectId,
    body,
  }: Extract<Notice, { kind: 'event.recorded' }>): About | undefined {
    const isTerminal = objectId.startsWith(ID_FORMS.terminal.prefix);
    if (!isTerminal && !isDrawn(objectId)) return undefined;
    const { action } = (body as { data?: { action?: { id?: unknown } } }).data ?? {};
    const actionId = typeof action?.id === 'string' ? action.id : null;
    const about = isTerminal
      ? { ...this.ofTerminal(objectId, actionId), objectId }
      : this.#ofObject(objectId);
    setBounded(this.#events, EVENTS_MAX, eventId, about);
    return about;
  }

  /** What a delivery of an event is about. */
  ofDelivery(eventId: string): About | undefined {
    return this.#events.get(eventId);
  }

  /** Where the terminal's machine stood before this state of this action; null at its first. */
  stateBefore(terminalId: string, actionId: string, state: string): string | null {
    if (!this.#latest.has(terminalId)) this.#begin(terminalId, actionId);
    const known = this.#latest.get(terminalId)!;
    // An earlier action that is being settled while the next one runs.
    if (known.actionId !== actionId) return null;
    const before = known.state;
    known.state = state;
    return before;
  }

  actionUpdated({ terminalId, actionId, status }: Extract<Notice, { kind: 'action.updated' }>): void {
    const known = this.#latest.get(terminalId);
    if (known?.actionId === actionId) known.running = status === 'InProgress';
  }

  forgetTerminal(terminalId: string): void {
    this.#latest.delete(terminalId);
  }

  clear(): void {
    this.#latest.clear();
    this.#actions.clear();
    this.#events.clear();
  }

  #begin(terminalId: string, actionId: string): void {
    setBounded(this.#latest, TERMINALS_MAX, terminalId, { actionId, running: true, state: null });
  }

  #ofObject(objectId: string): About {
    const { terminalId, actionId } = this.#actions.get(objectId) ?? { terminalId: null, actionId: null };
    return { terminalId, actionId, objectId };
  }
}
