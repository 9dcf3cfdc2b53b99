import { ID_FORMS, type IdKind } from '../../protocol/ids.ts';
import type { MachineStep, ActivityOf } from '../platform/activities.ts';
import { setBounded } from '../platform/bounded-map.ts';

/** The terminal, action and object that an entry belongs to. */
export interface RelatedIds {
  terminalId: string | null;
  actionId: string | null;
  objectId: string | null;
}

/** Kinds of objects with a state machine. Other objects have no timeline. */
const DRAWN: readonly IdKind[] = ['paymentSession', 'subscription', 'dispute', 'payout', 'account', 'person'];
const DRAWN_PREFIXES = DRAWN.map((kind) => ID_FORMS[kind].prefix);

/** Returns whether an id is of an object with a timeline. */
export function isDrawn(id: unknown): id is string {
  return typeof id === 'string' && DRAWN_PREFIXES.some((prefix) => id.startsWith(prefix));
}

/** Calls on a terminal's action, whose id is in the response. */
const TERMINAL_OPERATION = /\/(payment|refund|cancel-action|confirm-receipt|settle)$/;

// Each is larger than the number of entries that the timeline log keeps of its kind.
const TERMINALS_MAX = 20_000;
const SESSIONS_MAX = 5_000;
const EVENTS_MAX = 5_000;

/** A terminal's latest action. */
interface LatestAction {
  actionId: string;
  running: boolean;
  /** State of the terminal's machine. */
  state: string | null;
}

/** Finds the action and object that an activity belongs to, from the activities before it. */
export class Attribution {
  readonly #latest = new Map<string, LatestAction>();
  readonly #actions = new Map<string, { terminalId: string; actionId: string }>();
  readonly #events = new Map<string, RelatedIds>();

  latestActionOf(terminalId: string): string | undefined {
    return this.#latest.get(terminalId)?.actionId;
  }

  /** The named action of a terminal, or else the action in progress there. */
  ofTerminal(terminalId: string, actionId: string | null): RelatedIds {
    const known = this.#latest.get(terminalId);
    const own = actionId ?? (known?.running ? known.actionId : null);
    return { terminalId, actionId: own, objectId: null };
  }

  /** Undefined for a call on an object without a timeline. */
  ofCall({ call, objectId: made, actionId }: ActivityOf<'call.answered'>): RelatedIds | undefined {
    const { pattern, params } = call;
    const named = params['id'];
    if (named !== undefined && pattern.includes('/terminals/{id}')) {
      return this.ofTerminal(named, TERMINAL_OPERATION.test(pattern) ? actionId : null);
    }
    const objectId = Object.values(params).find(isDrawn) ?? (isDrawn(made) ? made : undefined);
    return objectId === undefined ? undefined : this.#ofObject(objectId);
  }

  ofStep({ objectId, action, from }: MachineStep): RelatedIds {
    if (!action) return this.#ofObject(objectId);
    const { terminalId, paymentSessionId } = action;
    const link = { terminalId, actionId: objectId };
    // An action whose first step this process did not see began before the process.
    if (from === null || !this.#latest.has(terminalId)) this.#begin(terminalId, objectId);
    if (from === null || !this.#actions.has(paymentSessionId)) {
      setBounded(this.#actions, SESSIONS_MAX, paymentSessionId, link);
    }
    return { ...link, objectId };
  }

  ofRecordedEvent({ eventId, objectId, body }: ActivityOf<'event.recorded'>): RelatedIds {
    const isTerminal = objectId.startsWith(ID_FORMS.terminal.prefix);
    const { action } = (body as { data?: { action?: { id?: unknown } } }).data ?? {};
    const actionId = typeof action?.id === 'string' ? action.id : null;
    const about = isTerminal
      ? { ...this.ofTerminal(objectId, actionId), objectId }
      : this.#ofObject(objectId);
    setBounded(this.#events, EVENTS_MAX, eventId, about);
    return about;
  }

  /** Of what a fault struck; undefined where none of its ids has a timeline. */
  ofIds(ids: readonly string[]): RelatedIds | undefined {
    const terminalId = ids.find((id) => id.startsWith(ID_FORMS.terminal.prefix));
    const actionId = ids.find((id) => id.startsWith(ID_FORMS.action.prefix)) ?? null;
    if (terminalId !== undefined) return this.ofTerminal(terminalId, actionId);
    const event = ids.map((id) => this.#events.get(id)).find((about) => about !== undefined);
    const objectId = ids.find(isDrawn);
    return event ?? (objectId === undefined ? undefined : this.#ofObject(objectId));
  }

  /** The ids of the event that is delivered; none of one that was recorded before this process began. */
  ofDelivery(eventId: string): RelatedIds {
    return this.#events.get(eventId) ?? { terminalId: null, actionId: null, objectId: null };
  }

  /** State of the terminal's machine before this one, in the same action; null at its first. */
  stateBefore(terminalId: string, actionId: string, state: string): string | null {
    if (!this.#latest.has(terminalId)) this.#begin(terminalId, actionId);
    const known = this.#latest.get(terminalId)!;
    // The step belongs to an earlier action that settles while the next one runs.
    if (known.actionId !== actionId) return null;
    const before = known.state;
    known.state = state;
    return before;
  }

  actionUpdated({ terminalId, actionId, status }: ActivityOf<'action.updated'>): void {
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

  #ofObject(objectId: string): RelatedIds {
    const { terminalId, actionId } = this.#actions.get(objectId) ?? { terminalId: null, actionId: null };
    return { terminalId, actionId, objectId };
  }
}
