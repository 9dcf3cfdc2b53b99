import { createActor, type ActorOptions, type ActorRefFrom, type InputFrom } from 'xstate';
import type { Clock, Timer } from '../../protocol/clock.ts';
import { Fault, messageOf } from '../../protocol/failures.ts';
import type { Log } from '../../protocol/log.ts';
import { encode, type BodyOf, type DeclaredMessage, type Envelope } from '../../protocol/message.ts';
import type { ActionStatus, DeviceApproval } from '../../protocol/messages/action.messages.ts';
import { MachineStepped } from '../../protocol/messages/inspection.messages.ts';
import type { Printer } from '../printer.ts';
import type { Reader } from '../readers/reader.ts';
import { actionMachine } from './action.machine.ts';
import { EFFECTS, requestOf, type Deed, type ReportBody, type Workplace } from './action-effects.ts';
import type { ActionEffect, ActionFact, ActionInput } from './action-facts.ts';
import type { ActionJournal, JournalEntry } from './action-journal.ts';
import { pathOf, statusOf, type ActionSnapshot } from './action-snapshot.ts';
import { readerSession, takeBack, type ReaderSession } from './reader-session.ts';

export interface ActionStep {
  actionId: string;
  /** The fact that was taken, or `action.started`. */
  event: string;
  /** Dotted path of the state that the machine stood in; null for its first step. */
  from: string | null;
  /** Dotted path of the state it led to. */
  state: string;
  status: ActionStatus;
  /** When that state's deadline passes; null when it has none. */
  deadlineMs: number | null;
}

export interface RunParts {
  terminalId: string;
  clock: Clock;
  reader: Reader;
  printer: Printer;
  journal: ActionJournal;
  log: Log;
  isOnline(): boolean;
  /** @throws Fault `transport` when the message was not taken. */
  publish(envelope: Envelope): Promise<void>;
  onStep(step: ActionStep): void;
  /** The server's last word has come: the action is over here too. */
  onSettled(): void;
}

/**
 * One action under way: takes facts one at a time, lets the machine decide, saves the journal, then acts.
 * Everything that leaves the terminal is in the journal before it leaves.
 */
export class ActionRun implements Workplace {
  readonly #parts: RunParts;
  readonly #actor: ActorRefFrom<typeof actionMachine>;
  readonly #effects: ActionEffect[] = [];
  readonly #facts: ActionFact[] = [];
  readonly reader: ReaderSession;
  #timer: { atMs: number; timer: Timer } | undefined;
  #nextSeq: number;
  #lastSeqSeen: number;
  #lastSeqSaved = 0;
  /** Restored, and the server has not been asked yet: until then the terminal does nothing of its own accord. */
  #asleep: boolean;
  #taking = false;
  #stopped = false;

  private constructor(
    parts: RunParts,
    actor: ActorRefFrom<typeof actionMachine>,
    kept: { nextSeq: number; lastSeqSeen: number; asleep: boolean },
  ) {
    this.#parts = parts;
    this.#actor = actor;
    this.#nextSeq = kept.nextSeq;
    this.#lastSeqSeen = kept.lastSeqSeen;
    this.#asleep = kept.asleep;
    this.reader = readerSession(parts, (fact) => this.take(fact));
    actor.on('*', (effect) => void this.#effects.push(effect));
    actor.subscribe({
      error: (error) => parts.log.error({ problem: messageOf(error) }, 'the action machine failed'),
    });
    actor.start();
  }

  /** A new action, not begun yet. `seq` is that of its start. */
  static create(parts: RunParts, input: ActionInput, seq: number): ActionRun {
    const actor = createActor(actionMachine, { input });
    return new ActionRun(parts, actor, { nextSeq: 1, lastSeqSeen: seq, asleep: false });
  }

  /**
   * The action of a journal, asleep until `online`.
   * @throws Fault `journal` when the entry is not one that this firmware wrote.
   */
  static restore(parts: RunParts, entry: JournalEntry): ActionRun {
    // The input belongs to a beginning; a restored machine has its context.
    const options = { snapshot: entry.snapshot } as ActorOptions<typeof actionMachine> & {
      input: InputFrom<typeof actionMachine>;
    };
    const actor = createActor(actionMachine, options);
    const { status, context } = actor.getSnapshot();
    if (status === 'error' || context?.start?.actionId !== entry.actionId) {
      throw new Fault('journal', 'the journal holds no action of this firmware');
    }
    return new ActionRun(parts, actor, { ...entry, asleep: true });
  }

  get actionId(): string {
    return this.context.start.actionId;
  }

  get terminalId(): string {
    return this.#parts.terminalId;
  }

  get printer(): Printer {
    return this.#parts.printer;
  }

  reverse(approval: DeviceApproval): Promise<void> {
    return takeBack(this.#parts, requestOf(this.context), approval);
  }

  /** A payment terminal holds money for this action, and whether it stands is not settled yet. */
  get holdsDeviceApproval(): boolean {
    return this.context.device !== null;
  }

  get snapshot(): ActionSnapshot {
    return this.#actor.getSnapshot();
  }

  get context(): ActionSnapshot['context'] {
    return this.snapshot.context;
  }

  /**
   * Saves the new action and returns its first deeds.
   * @throws Fault `journal` when it cannot be saved: then nothing has been done, and nothing must be.
   */
  begin(): Deed {
    const deeds = this.#deeds();
    this.#save();
    return () => this.#alone(() => this.#act('action.started', null, deeds));
  }

  /** Something happened. Facts that come while one is being taken wait for their turn. */
  take(fact: ActionFact): void {
    if (this.#stopped) return;
    this.#facts.push(fact);
    this.#alone(() => undefined);
  }

  /** A command of the server: repeats are dropped, and a gap makes the terminal ask what it missed. */
  hear(seq: number, fact: ActionFact): void {
    if (seq <= this.#lastSeqSeen) return;
    const missed = seq - this.#lastSeqSeen - 1;
    this.#lastSeqSeen = seq;
    this.take(fact);
    if (missed > 0) this.inquire();
  }

  /** The connection is there: the inquiry goes first, then what this state owes the server. */
  online(): void {
    this.inquire();
    if (!this.#asleep) return;
    this.#asleep = false;
    this.take({ type: 'power.returned' });
  }

  inquire(): void {
    if (this.#stopped) return;
    const ask = EFFECTS.inquire(this);
    if (!ask) return;
    this.#trySave();
    ask();
  }

  report<M extends DeclaredMessage>(message: M, body: ReportBody<M>): Deed | undefined {
    if (!this.#parts.isOnline()) return undefined;
    const numbered = { ...body, actionId: this.actionId, seq: this.#nextSeq++ } as BodyOf<M>;
    const envelope = encode(message, this.terminalId, numbered);
    return () => this.#publish(message.name, envelope);
  }

  /** Lets go of the reader and of time. The journal keeps what it has. */
  stop(): void {
    this.#stopped = true;
    this.#facts.length = 0;
    this.#timer?.timer.cancel();
    this.reader.end();
    this.#actor.stop();
  }

  /** Does `first`, then takes the facts that wait, without being interrupted by what that brings about. */
  #alone(first: () => void): void {
    if (this.#taking) return;
    this.#taking = true;
    try {
      first();
      for (let fact = this.#facts.shift(); fact; fact = this.#facts.shift()) this.#step(fact);
    } finally {
      this.#taking = false;
    }
  }

  #step(fact: ActionFact): void {
    const before = this.snapshot;
    this.#actor.send({ ...fact, atMs: this.#parts.clock.nowMs() });
    if (this.snapshot === before && this.#effects.length === 0) {
      if (this.#lastSeqSaved !== this.#lastSeqSeen) this.#trySave();
      return;
    }
    const deeds = this.#deeds();
    this.#trySave();
    this.#act(fact.type, pathOf(before), deeds);
  }

  #deeds(): (Deed | undefined)[] {
    return this.#effects.splice(0).map((effect) => EFFECTS[effect.type](this));
  }

  #act(event: string, from: string | null, deeds: (Deed | undefined)[]): void {
    const { actionId, snapshot } = this;
    this.#arm();
    const { deadlineMs } = snapshot.context;
    const status = statusOf(snapshot);
    const step = { actionId, event, from, state: pathOf(snapshot), status, deadlineMs };
    this.#parts.onStep(step);
    for (const deed of deeds) {
      // The power may be cut at any moment, also by who watches the steps.
      if (!this.#stopped) deed?.();
    }
    if (this.#stopped) return;
    this.#tellStep(step);
    if (snapshot.status !== 'done') return;
    this.stop();
    this.#parts.onSettled();
  }

  #save(): void {
    this.#parts.journal.save({
      actionId: this.actionId,
      snapshot: this.#actor.getPersistedSnapshot(),
      nextSeq: this.#nextSeq,
      lastSeqSeen: this.#lastSeqSeen,
    });
    this.#lastSeqSaved = this.#lastSeqSeen;
  }

  /**
   * An action under way goes on when its journal cannot be written: only a power cut before the next write
   * would show, and then the server's answer to the inquiry is at worst one step ahead.
   */
  #trySave(): void {
    try {
      this.#save();
    } catch (error) {
      this.#parts.log.error({ actionId: this.actionId, problem: messageOf(error) }, 'journal not written');
    }
  }

  #arm(): void {
    const { deadlineMs, askAgainMs } = this.context;
    const asksFirst = askAgainMs != null && (deadlineMs === null || askAgainMs < deadlineMs);
    const atMs = this.#stopped ? null : asksFirst ? askAgainMs : deadlineMs;
    if (this.#timer?.atMs === atMs) return;
    this.#timer?.timer.cancel();
    this.#timer = undefined;
    if (atMs === null) return;
    const timer = this.#parts.clock.at(atMs, () => {
      this.#timer = undefined;
      this.take({ type: asksFirst ? 'answer.overdue' : 'deadline.passed' });
    });
    this.#timer = { atMs, timer };
  }

  #tellStep({ from: _from, ...step }: ActionStep): void {
    if (!this.#parts.isOnline()) return;
    const body = { ...step, atMs: this.#parts.clock.nowMs() };
    this.#publish(MachineStepped.name, encode(MachineStepped, this.terminalId, body));
  }

  /** A message that is not taken is not sent again: its fact is, by the state that the next inquiry finds. */
  #publish(name: string, envelope: Envelope): void {
    this.#parts.publish(envelope).catch((error: unknown) => {
      this.#parts.log.debug(
        { actionId: this.actionId, message: name, problem: messageOf(error) },
        'not sent',
      );
    });
  }
}
