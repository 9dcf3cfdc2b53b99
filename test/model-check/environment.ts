import type { ActionHost } from '../../agent/lifecycle/action-host.ts';
import type { ReaderEvent } from '../../agent/readers/reader.ts';
import type { Clock } from '../../protocol/clock.ts';
import { silentLog } from '../../protocol/log.ts';
import { parseTopic } from '../../protocol/topics.ts';
import { indexOfAction, NOW_MS, TERMINAL_ID } from './fixtures.ts';
import type { Packet } from './network.ts';
import { afterEnd, IDLE_DRIVER } from './payment-terminal.ts';
import type { TerminalInput, TerminalState, Trace } from './terminal-model.ts';

const REPORTED = /^(action\.(accepted|authorise|completed|abandoned|inquired|unsettled)|receipt\.ready)$/;
/** Far more reports than a step sends. */
const REPORTS_MAX = 100;

type Parts = ConstructorParameters<typeof ActionHost>[0];

/** The timers that the firmware has set and not cancelled. */
class Timers {
  readonly #pending = new Map<object, { atMs: number; run: () => void }>();

  at: Clock['at'] = (atMs, run) => {
    if (!Number.isFinite(atMs)) throw new Error('a timer without a time');
    const timer = { cancel: () => void this.#pending.delete(timer) };
    this.#pending.set(timer, { atMs, run });
    return timer;
  };

  get dueMs(): number[] {
    return [...this.#pending.values()].map(({ atMs }) => atMs);
  }

  /** Fires the timer that was set first, if there is one. */
  fire(): void {
    for (const [timer, { run }] of this.#pending) {
      this.#pending.delete(timer);
      return run();
    }
  }
}

/** What surrounds the firmware in one step: clock, reader, printer, journal and network, which note what they are asked. */
export class Environment {
  readonly before: TerminalState;
  readonly after: TerminalState;
  readonly trace: Trace = [];
  readonly timers = new Timers();
  /** What the reader reports to, once the firmware has given it that. */
  readonly device: { report?: (event: ReaderEvent) => void } = {};
  readonly parts: Parts;
  /** Whether the step is over: what the firmware does to stop is no part of it. */
  isOver = false;

  constructor(before: TerminalState, input: TerminalInput) {
    this.before = before;
    this.after = structuredClone(before);
    this.parts = this.#parts(input);
  }

  #did(what: string, change: Partial<TerminalState>): void {
    if (this.isOver) return;
    Object.assign(this.after, change);
    const { device, driver } = this.after;
    this.trace.push({ did: what, at: { device, driver } });
  }

  #parts(input: TerminalInput): Parts {
    const { after, trace } = this;
    let reports = 0;
    return {
      terminalId: TERMINAL_ID,
      clock: { nowMs: () => (input.type === 'command' ? input.nowMs : NOW_MS), at: this.timers.at },
      reader: this.#reader(input.type === 'event' || this.before.reader !== 'off'),
      printer: {
        print: (copy) => {
          const others = after.printing.filter((each) => each !== copy);
          this.#did(`prints the ${copy}`, { printing: [...others, copy] });
          return new Promise(() => {});
        },
      },
      journal: this.#journal(),
      log: silentLog,
      isOnline: () => {
        reports += 1;
        if (reports > REPORTS_MAX) throw new Error('the step does not end');
        return after.online;
      },
      publish: ({ topic, payload }) => {
        const name = parseTopic(topic)!.message;
        if (REPORTED.test(name)) trace.push({ sent: packetOf(name, payload.toString()) });
        return Promise.resolve();
      },
      onStep: ({ status }) => void (after.shown = status),
      deviceState: () => ({ display: [] }),
    };
  }

  /** The action that the reader serves: the one that was in the journal at the begin of the step, or begins in it. */
  get #action(): number {
    const { journal } = this.after;
    return indexOfAction((journal ?? this.before.journal)?.actionId)!;
  }

  #reader(wasOn: boolean): Parts['reader'] {
    return {
      name: 'model',
      authoriser: 'server',
      begin: () =>
        this.#did('starts the reader', {
          reader: 'looking',
          driver: { ...IDLE_DRIVER, late: this.after.driver.late },
        }),
      resume: (_request, report) => {
        this.device.report = report;
        return wasOn;
      },
      awaitCard: () => this.#did('looks for a card', { reader: 'looking' }),
      awaitPin: () => this.#did('asks for the PIN', { reader: 'awaitingPin' }),
      verifyPin: () => this.#did('verifies the PIN', { reader: 'verifyingPin' }),
      completeCard: ({ outcome, chip }) =>
        this.#did(`completes the card: ${outcome}${chip ? `, ${chip.emv}` : ''}`, {
          reader: outcome === 'approved' ? 'completing' : 'done',
        }),
      reverse: () => {
        this.#did('reverses at the device', { reversing: true });
        return new Promise(() => {});
      },
      sendToDevice: () =>
        this.#did('sends the request', {
          reader: 'busy',
          device: { ...this.after.device, request: this.#action },
        }),
      findOutcome: () =>
        this.#did('asks for the outcome', {
          reader: 'asking',
          driver: { ...this.after.driver, settled: true },
        }),
      unknownReported: () =>
        this.#did('hears that a person settles it', {
          driver: { ...this.after.driver, settled: true },
        }),
      end: (options) => {
        const ended = { paid: false, unsettled: false, ...options };
        this.#did(`stops the reader${ended.paid ? ', paid' : ''}`, {
          reader: 'off',
          ...afterEnd(this.after, this.#action, ended),
        });
      },
      close: () => Promise.resolve(),
    };
  }

  #journal(): Parts['journal'] {
    const { after, before, trace } = this;
    return {
      load: () => structuredClone(before.journal) ?? undefined,
      save: (entry) => {
        after.journal = structuredClone(entry);
        trace.push({ saved: after.journal });
      },
      clear: () => {
        after.journal = null;
        trace.push({ saved: null });
      },
    };
  }
}

function packetOf(name: string, payload: string): Packet {
  const { actionId, seq, ...body } = JSON.parse(payload) as { actionId?: string; seq: number };
  return { name, action: indexOfAction(actionId), seq, body: JSON.stringify(body) };
}
