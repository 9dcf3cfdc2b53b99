import { messageOf } from '../../protocol/failures.ts';
import { decode, encode, type BodyOf } from '../../protocol/message.ts';
import { ActionInquired, StartAction } from '../../protocol/messages/action.messages.ts';
import type { Deed } from './action-effects.ts';
import { ActionRun, type RunParts } from './action-run.ts';
import { pathOf, type ActionSnapshot } from './action-snapshot.ts';
import { readCommand } from './commands.ts';

export type HostParts = Omit<RunParts, 'onSettled'>;

/** How many actions that are over are remembered, so that a start that comes late begins none of them again. */
const REMEMBERED_ACTIONS = 16;

/**
 * Which action the terminal works on: one at most. Begins it when the server says so, gives it the server's
 * commands, brings it back from the journal, and drops it for the next one.
 */
export class ActionHost {
  readonly #parts: RunParts;
  #run: ActionRun | undefined;
  #lastSnapshot: ActionSnapshot | undefined;
  readonly #over: string[] = [];
  #stopped = false;

  constructor(parts: HostParts) {
    this.#parts = { ...parts, onSettled: () => this.#settled() };
  }

  /** What the machine says of the action under way, or else of the last one. */
  get snapshot(): ActionSnapshot | undefined {
    return this.#run?.snapshot ?? this.#lastSnapshot;
  }

  /** The action under way; empty when there is none. */
  get status(): { actionId?: string; state?: string } {
    return this.#run ? { actionId: this.#run.actionId, state: pathOf(this.#run.snapshot) } : {};
  }

  /** Takes up what the journal holds. It stays asleep until the connection is there and the server was asked. */
  resume(): void {
    const { journal, log } = this.#parts;
    try {
      const entry = journal.load();
      const run = entry && ActionRun.restore(this.#parts, entry);
      if (run?.snapshot.status === 'active') this.#run = run;
      // The power went between the server's last word and the clearing of the journal.
      else if (run) journal.clear();
    } catch (error) {
      // The inquiry will name no action, and the server ends what it thinks is running.
      log.error({ problem: messageOf(error) }, 'the journal cannot be used and is discarded');
      this.#clearJournal();
    }
  }

  /** The connection is there: before anything else of an action, ask what became of the one in the journal. */
  online(): void {
    if (this.#run) return this.#run.online();
    const { terminalId, publish, log } = this.#parts;
    publish(encode(ActionInquired, terminalId, { seq: 1 })).catch((error: unknown) => {
      log.debug({ message: ActionInquired.name, problem: messageOf(error) }, 'not sent');
    });
  }

  /**
   * A message of the server.
   * @throws Fault `garbage_message` when it is not as declared.
   */
  command(name: string, payload: Uint8Array): void {
    if (this.#stopped) return;
    if (name === StartAction.name) return this.#start(decode(StartAction, payload));
    const command = readCommand(name, payload);
    if (!command)
      return this.#parts.log.warn({ message: name }, 'a command that this firmware does not know');
    if (command.actionId === this.#run?.actionId) return this.#run.hear(command.seq, command.fact);
    // An action that this terminal has lost: the server ends it when it is not in the answer.
    if (command.fact.type === 'report.requested' && !this.#over.includes(command.actionId))
      return this.online();
    this.#parts.log.debug({ message: name, actionId: command.actionId }, 'not the action under way');
  }

  /** Nothing is done or said after this; the journal keeps what it has. */
  stop(): void {
    this.#stopped = true;
    this.#run?.stop();
  }

  #start({ seq, expiresAtMs, ...start }: BodyOf<typeof StartAction>): void {
    const { log, clock } = this.#parts;
    const { actionId } = start;
    if (this.#run?.actionId === actionId) return this.#run.hear(seq, { type: 'action.repeated' });
    if (this.#over.includes(actionId)) return log.info({ actionId }, 'a start of an action that is over');
    if (this.#run?.holdsDeviceApproval) {
      // Forgetting it would leave a cardholder charged: what became of it comes first.
      log.warn({ actionId, before: this.#run.actionId }, 'an earlier payment at the device is not settled');
      return this.#run.inquire();
    }
    const atMs = clock.nowMs();
    if (atMs > expiresAtMs) return log.warn({ actionId, expiresAtMs }, 'a start that came too late');
    const run = ActionRun.create(this.#parts, { start, atMs }, seq);
    const act = this.#begin(run);
    if (!act) return;
    if (this.#run) this.#supersede(this.#run, actionId);
    this.#run = run;
    act();
  }

  #begin(run: ActionRun): Deed | undefined {
    try {
      return run.begin();
    } catch (error) {
      // Not accepted, so the server ends it as `terminal_offline`: a terminal without a journal takes no money.
      this.#parts.log.error({ actionId: run.actionId, problem: messageOf(error) }, 'the action is not begun');
      run.stop();
      return undefined;
    }
  }

  /** The server starts another action only when it has ended the earlier one. */
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
    if (this.#over.length > REMEMBERED_ACTIONS) this.#over.shift();
  }

  #clearJournal(): void {
    try {
      this.#parts.journal.clear();
    } catch (error) {
      this.#parts.log.error({ problem: messageOf(error) }, 'journal not cleared');
    }
  }
}
