import { messageOf } from '../../protocol/failures.ts';
import { decode, encode, type BodyOf } from '../../protocol/message.ts';
import { ActionInquired, StartAction } from '../../protocol/messages/action.messages.ts';
import { endAtDevice } from './action-effects.ts';
import { readCommand } from './action-events.ts';
import type { JournalEntry } from './action-journal.ts';
import type { ActionRunParts } from './action-run-parts.ts';
import { ActionRun } from './action-run.ts';
import { pathOf, restoreSnapshot, type ActionSnapshot } from './action-transition.ts';
import { actionMachine } from './action.machine.ts';

type ActionHostParts = Omit<ActionRunParts, 'onSettled'>;

/** State of a host as JSON. */
export interface ActionHostState {
  /** The current action, as its journal entry; null when there is none. */
  action: JournalEntry | null;
  /** Whether the action waits for the first connection since a power cut. */
  isDormant: boolean;
  /** Persisted snapshot of the last action, which the display shows; null during an action or when there was none. */
  lastSnapshot: unknown;
  /** Ids of the actions that have ended, oldest first. */
  endedActionIds: string[];
}

/** Number of ended actions whose ids are kept, to ignore a start command that arrives late. */
const ENDED_ACTIONS_MAX = 16;

/**
 * Holds the current action of the terminal, at most one. It starts an action, passes it the server's commands, restores
 * it from the journal, and replaces it when the server starts another.
 */
export class ActionHost {
  readonly #parts: ActionRunParts;
  #run: ActionRun | undefined;
  #lastSnapshot: ActionSnapshot | undefined;
  readonly #over: string[] = [];
  #stopped = false;

  constructor(parts: ActionHostParts) {
    this.#parts = { ...parts, onSettled: () => this.#settled() };
  }

  /** Snapshot of the current action, or of the last one. */
  get snapshot(): ActionSnapshot | undefined {
    return this.#run?.snapshot ?? this.#lastSnapshot;
  }

  /** Id and state of the current action; empty when there is none. */
  get status(): { actionId?: string; state?: string } {
    return this.#run ? { actionId: this.#run.actionId, state: pathOf(this.#run.snapshot) } : {};
  }

  /**
   * Restores the action of the journal, which stays dormant until the terminal is online and has inquired; or `state`,
   * which continues where it stood.
   * @throws Fault `journal` when `state` is not one of this firmware, or cannot be saved.
   */
  resume(state?: ActionHostState): void {
    if (state) return this.#thaw(state);
    const { journal, log } = this.#parts;
    try {
      const entry = journal.load();
      const run = entry && ActionRun.restore(this.#parts, entry, { isDormant: true });
      if (run?.snapshot.status === 'active') this.#run = run;
      // The power was cut after the action ended and before the journal was cleared.
      else if (run) {
        endAtDevice(run);
        journal.clear();
      }
    } catch (error) {
      // The inquiry will have no action id, so the server ends the action.
      log.error({ problem: messageOf(error) }, 'the journal cannot be used and is discarded');
      this.#clearJournal();
    }
  }

  exportState(): ActionHostState {
    const run = this.#run;
    const last = run ? undefined : this.#lastSnapshot;
    return {
      action: run?.entry ?? null,
      isDormant: run?.isDormant ?? false,
      lastSnapshot: last ? actionMachine.getPersistedSnapshot(last) : null,
      endedActionIds: [...this.#over],
    };
  }

  /** Called when the terminal connects: inquires before anything else. */
  online(): void {
    if (this.#run) this.#run.online();
    else this.#inquire({});
  }

  /**
   * Handles a message of the server.
   * @throws Fault `garbage_message` when it does not match its schema.
   */
  command(name: string, payload: Uint8Array): void {
    if (this.#stopped) return;
    if (name === StartAction.name) return this.#start(decode(StartAction, payload));
    const command = readCommand(name, payload);
    if (!command) return this.#parts.log.warn({ message: name }, 'unknown command');
    if (command.actionId === this.#run?.actionId) return this.#run.receiveCommand(command.seq, command.event);
    // This terminal has lost the action, or ended it before the server was restored from a backup: the server ends it.
    if (command.event.type === 'report.requested') {
      const requested = { requestedActionId: command.actionId };
      if (this.#run) return this.#run.sendInquiry(requested);
      return this.#inquire(requested);
    }
    this.#parts.log.debug({ message: name, actionId: command.actionId }, 'not the current action');
  }

  /** Stops the current action without messages. The journal entry stays. */
  stop(): void {
    this.#stopped = true;
    this.#run?.stop();
  }

  /** This is no return of power: the action gets no event, its timer runs on, and the reader keeps its request. */
  #thaw({ action, isDormant, lastSnapshot, endedActionIds }: ActionHostState): void {
    const { journal } = this.#parts;
    const run = action && ActionRun.restore(this.#parts, action, { isDormant });
    if (action) journal.save(action);
    else journal.clear();
    this.#over.push(...endedActionIds);
    this.#lastSnapshot = restoreSnapshot(lastSnapshot);
    if (!run) return;
    this.#run = run;
    if (!isDormant) run.resume();
  }

  /** Asks the server what it knows, without an action. */
  #inquire(body: Omit<BodyOf<typeof ActionInquired>, 'seq' | 'actionId'>): void {
    const { terminalId, publish, log } = this.#parts;
    publish(encode(ActionInquired, terminalId, { seq: 1, ...body })).catch((error: unknown) => {
      log.debug({ message: ActionInquired.name, problem: messageOf(error) }, 'not sent');
    });
  }

  #start({ seq, expiresAtMs, ...start }: BodyOf<typeof StartAction>): void {
    const { log, clock } = this.#parts;
    const { actionId } = start;
    if (this.#run?.actionId === actionId) return this.#run.receiveCommand(seq, { type: 'action.repeated' });
    if (this.#over.includes(actionId)) return log.info({ actionId }, 'the action has ended already');
    if (this.#run?.isUnsettled) {
      // To replace it would leave the cardholder charged, so it must be settled first.
      log.warn({ actionId, before: this.#run.actionId }, 'an earlier charge of the device is not settled');
      return this.#run.sendInquiry();
    }
    const atMs = clock.nowMs();
    if (atMs > expiresAtMs) return log.warn({ actionId, expiresAtMs }, 'the start command has expired');
    const run = ActionRun.create(this.#parts, { start, atMs }, seq);
    const act = this.#begin(run);
    if (!act) return;
    if (this.#run) this.#supersede(this.#run, actionId);
    this.#run = run;
    act();
  }

  #begin(run: ActionRun): (() => void) | undefined {
    try {
      return run.begin();
    } catch (error) {
      // The server ends it as `terminal_offline`. A terminal without a journal must take no money.
      this.#parts.log.error({ actionId: run.actionId, problem: messageOf(error) }, 'the action cannot start');
      run.stop();
      return undefined;
    }
  }

  /** Replaces the current action: the server starts another only after it has ended this one. */
  #supersede(earlier: ActionRun, by: string): void {
    this.#parts.log.info({ actionId: earlier.actionId, by }, 'superseded');
    earlier.stop();
    this.#remember(earlier);
  }

  #settled(): void {
    const run = this.#run;
    if (!run) return;
    this.#run = undefined;
    this.#remember(run);
    this.#clearJournal();
  }

  #remember(run: ActionRun): void {
    this.#lastSnapshot = run.snapshot;
    this.#over.push(run.actionId);
    if (this.#over.length > ENDED_ACTIONS_MAX) this.#over.shift();
  }

  #clearJournal(): void {
    try {
      this.#parts.journal.clear();
    } catch (error) {
      this.#parts.log.error({ problem: messageOf(error) }, 'journal not cleared');
    }
  }
}
