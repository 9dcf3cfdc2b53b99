import { Fault, messageOf } from '../../protocol/failures.ts';
import { encode, type BodyOf, type DeclaredMessage, type Envelope } from '../../protocol/message.ts';
import { MachineStepped } from '../../protocol/messages/inspection.messages.ts';
import type { ActionRunParts } from './action-run-parts.ts';
import {
  firstTransition,
  isUnsettled,
  nextTransition,
  pathOf,
  restoreSnapshot,
  stepTo,
  type ActionSnapshot,
  type ActionStep,
  type ActionTransition,
} from './action-transition.ts';
import { actionMachine } from './action.machine.ts';
import {
  inquire,
  prepareEffects,
  requestOf,
  type EffectContext,
  type PreparedEffect,
  type ReportBody,
} from './action-effects.ts';
import type { ActionEvent, ActionInput, EffectName } from './action-events.ts';
import type { JournalEntry } from './action-journal.ts';
import { createActionTimer, type ActionTimer } from './deadlines.ts';
import { createReaderSession, reverseOnDevice, type ReaderSession } from './reader-session.ts';

/** Initial state of a run: its first transition and the counters of the journal. */
interface RunState extends ActionTransition {
  nextSeq: number;
  lastSeqSeen: number;
  isDormant: boolean;
}

/**
 * Runs one action. It processes events one at a time: transition, save to the journal, then run the effects. So
 * everything that leaves the terminal is in the journal first.
 */
export class ActionRun implements EffectContext {
  readonly #parts: ActionRunParts;
  readonly #events: ActionEvent[] = [];
  readonly reader: ReaderSession;
  #snapshot: ActionSnapshot;
  /** Effects of the last transition that have not been prepared yet. */
  #effects: EffectName[];
  readonly #timer: ActionTimer;
  #nextSeq: number;
  #lastSeqSeen: number;
  #lastSeqSaved = 0;
  isSaved = false;
  /** Restored from the journal, and not connected since. */
  #isDormant: boolean;
  #isProcessing = false;
  #isStopped = false;

  private constructor(parts: ActionRunParts, state: RunState) {
    this.#parts = parts;
    this.#snapshot = state.snapshot;
    this.#effects = state.effects;
    this.#nextSeq = state.nextSeq;
    this.#lastSeqSeen = state.lastSeqSeen;
    this.#isDormant = state.isDormant;
    const send = (event: ActionEvent) => this.send(event);
    this.reader = createReaderSession(parts, send);
    this.#timer = createActionTimer(parts.clock, send);
  }

  /** Creates a run for a new action, without starting it. `seq` is the sequence number of its start command. */
  static create(parts: ActionRunParts, input: ActionInput, seq: number): ActionRun {
    return new ActionRun(parts, {
      ...firstTransition(input),
      nextSeq: 1,
      lastSeqSeen: seq,
      isDormant: false,
    });
  }

  /**
   * Restores a run from a journal entry. After a power cut it is dormant until `online`. Otherwise it continues in its
   * state, with the reader as it stands, once `resume` is called.
   * @throws Fault `journal` when the entry is not one of this firmware.
   */
  static restore(
    parts: ActionRunParts,
    entry: JournalEntry,
    { isDormant }: { isDormant: boolean },
  ): ActionRun {
    const snapshot = restoreSnapshot(entry.snapshot);
    if (snapshot?.context?.start?.actionId !== entry.actionId) {
      throw new Fault('journal', 'the journal holds no action of this firmware');
    }
    return new ActionRun(parts, { ...entry, snapshot, effects: [], isDormant });
  }

  /** Continues a restored action that is not dormant: starts its timer and takes over the reader. */
  resume(): void {
    this.#timer.update(this.context);
    this.reader.resume(requestOf(this.context));
  }

  get actionId(): string {
    return this.context.start.actionId;
  }

  get terminalId(): string {
    return this.#parts.terminalId;
  }

  get printer(): EffectContext['printer'] {
    return this.#parts.printer;
  }

  reverse(...[approval, options]: Parameters<EffectContext['reverse']>): Promise<void> {
    return reverseOnDevice(this.#parts, requestOf(this.context), approval, options);
  }

  /** Whether a payment terminal has charged the card for this action, or may have, and that is not settled yet. */
  get isUnsettled(): boolean {
    return isUnsettled(this.#snapshot);
  }

  get isDormant(): boolean {
    return this.#isDormant;
  }

  get snapshot(): ActionSnapshot {
    return this.#snapshot;
  }

  get entry(): JournalEntry {
    return {
      actionId: this.actionId,
      snapshot: actionMachine.getPersistedSnapshot(this.#snapshot),
      nextSeq: this.#nextSeq,
      lastSeqSeen: this.#lastSeqSeen,
    };
  }

  get context(): ActionSnapshot['context'] {
    return this.#snapshot.context;
  }

  /**
   * Saves the new action and returns the function that runs its first effects.
   * @throws Fault `journal` when it cannot be saved. Nothing has been done then.
   */
  begin(): () => void {
    const effects = prepareEffects(this.#effects.splice(0), this);
    this.#save();
    return () => this.#processEvents(() => this.#finishStep('action.started', null, effects));
  }

  /** Sends an event to the machine. Events that arrive during a step are queued. */
  send(event: ActionEvent): void {
    if (this.#isStopped) return;
    this.#events.push(event);
    this.#processEvents(() => undefined);
  }

  /** Handles a command of the server. Duplicates are ignored; after a gap the terminal inquires. */
  receiveCommand(seq: number, event: ActionEvent): void {
    if (seq <= this.#lastSeqSeen) return;
    const missed = seq - this.#lastSeqSeen - 1;
    this.#lastSeqSeen = seq;
    this.send(event);
    if (missed > 0 && !this.#isStopped) this.#timer.inquireAfterGap(() => this.sendInquiry());
  }

  /** Called when the terminal connects: inquires first, then wakes a restored action. */
  online(): void {
    this.sendInquiry();
    if (!this.#isDormant) return;
    this.#isDormant = false;
    this.send({ type: 'power.returned' });
  }

  /** Asks the server for the state of the action. `body` names another one that the server asked for. */
  sendInquiry(body: Parameters<typeof inquire>[1] = {}): void {
    if (this.#isStopped) return;
    const run = inquire(this, body);
    if (!run) return;
    this.#trySave();
    this.#runEffect({ name: 'sendInquiry', run });
  }

  report<M extends DeclaredMessage>(message: M, body: ReportBody<M>, onSent?: () => void) {
    if (!this.#parts.isOnline()) return undefined;
    const numbered = { ...body, actionId: this.actionId, seq: this.#nextSeq++ } as BodyOf<M>;
    const envelope = encode(message, this.terminalId, numbered);
    return () => this.#publish(message.name, envelope, onSent);
  }

  /** Ends the reader session and cancels the timer. The journal entry stays. */
  stop(): void {
    this.#isStopped = true;
    this.#events.length = 0;
    this.#timer.cancel();
    this.reader.end();
  }

  /** Runs `first`, then processes queued events, unless a step is already in progress. */
  #processEvents(first: () => void): void {
    if (this.#isProcessing) return;
    this.#isProcessing = true;
    try {
      first();
      for (let event = this.#events.shift(); event; event = this.#events.shift()) this.#step(event);
    } finally {
      this.#isProcessing = false;
    }
  }

  #step(event: ActionEvent): void {
    const before = this.#snapshot;
    this.#transition(event);
    if (this.#snapshot === before && this.#effects.length === 0) {
      if (this.#lastSeqSaved !== this.#lastSeqSeen) this.#trySave();
      return;
    }
    const effects = prepareEffects(this.#effects.splice(0), this);
    this.#trySave();
    this.#finishStep(event.type, pathOf(before), effects);
  }

  #transition(event: ActionEvent): void {
    const timed = { ...event, atMs: this.#parts.clock.nowMs() };
    try {
      const { snapshot, effects } = nextTransition(this.#snapshot, timed);
      this.#snapshot = snapshot;
      this.#effects = effects;
    } catch (error) {
      this.#parts.log.error({ problem: messageOf(error) }, 'the action machine failed');
    }
  }

  #finishStep(event: string, from: string | null, effects: PreparedEffect[]): void {
    const { snapshot } = this;
    if (!this.#isStopped) this.#timer.update(snapshot.context);
    const step = stepTo(snapshot, event, from);
    this.#parts.onStep(step);
    for (const effect of effects) this.#runEffect(effect);
    if (this.#isStopped) return;
    this.#publishStep(step);
    if (snapshot.status !== 'done') return;
    this.stop();
    this.#parts.onSettled();
  }

  /** A power cut can stop the run at any point, also from `onStep` and `beforeEffect`. */
  #runEffect({ name, run }: PreparedEffect): void {
    if (!run || this.#isStopped) return;
    const { terminalId, actionId } = this;
    const onEnd = this.#parts.beforeEffect?.({ terminalId, actionId, effect: name });
    if (this.#isStopped) return;
    const ended = run();
    if (!ended) return onEnd?.();
    void ended.then((event) => {
      if (!this.#isStopped) onEnd?.();
      if (event) this.send(event);
    });
  }

  #save(): void {
    this.isSaved = false;
    this.#parts.journal.save(this.entry);
    this.isSaved = true;
    this.#lastSeqSaved = this.#lastSeqSeen;
  }

  /** Saves, and continues the action if that fails: every effect but `sendToDevice` may be repeated after a power cut. */
  #trySave(): void {
    try {
      this.#save();
    } catch (error) {
      this.#parts.log.error({ actionId: this.actionId, problem: messageOf(error) }, 'journal not written');
    }
  }

  #publishStep({ from: _from, ...step }: ActionStep): void {
    if (!this.#parts.isOnline()) return;
    // Now that the effects have begun, the reader may have released the card.
    const device = this.#parts.deviceState();
    const body = { ...step, atMs: this.#parts.clock.nowMs(), device };
    void this.#publish(MachineStepped.name, encode(MachineStepped, this.terminalId, body));
  }

  /** A message that fails is not sent again. The next inquiry makes the state send its reports again. */
  #publish(name: string, envelope: Envelope, onSent?: () => void): Promise<void> {
    return this.#parts.publish(envelope).then(onSent, (error: unknown) => {
      this.#parts.log.debug(
        { actionId: this.actionId, message: name, problem: messageOf(error) },
        'not sent',
      );
    });
  }
}
