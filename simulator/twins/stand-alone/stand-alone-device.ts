import { Fault, messageOf } from '../../../protocol/failures.ts';
import { MESSAGE_FAULTS, type MessageFault } from '../../../protocol/line-faults.ts';
import { keysOf } from '../../../protocol/tables.ts';
import type { CardTray, DevicePort, Twin, TwinParts } from '../twin.ts';
import { chosen, digitsOf } from '../typed-words.ts';
import { withMessageFaults } from '../wire-faults.ts';
import { testBank } from './bank.ts';
import { frontOf } from './cardholder-side.ts';
import { memoryOf, recordStep, setPaper, type Language, type TerminalMemory } from './journal.ts';
import { WORDS, type Layout } from './receipts.ts';
import type { SimpleTill } from './simple-till.ts';
import type { MessageProblem, TerminalLanguage } from './terminal-language.ts';
import { createStandAloneTerminal, type StandAloneTerminal } from './stand-alone-terminal.ts';

const COLUMNS = 32;

/** The device around a stand-alone terminal, which the session of its language uses. */
export interface StandAloneDevice {
  /** The line to the till, with the faults that were asked for. */
  port: DevicePort;
  terminal: StandAloneTerminal;
  memory: TerminalMemory;
  layout(): Layout;
  controls: Twin['controls'];
  /** Runs the command of a message. Returns the messages about it, or the rule that it breaks, which is noted. */
  answer<Request, Message>(
    language: TerminalLanguage<Request, Message>,
    request: Request,
    till: SimpleTill,
  ): Promise<Message[] | MessageProblem>;
  /** Writes what is wrong with a message of the till into log and timeline. */
  noteProblem(problem: string): void;
  /** Runs work of the session; what ends it is logged. */
  run(work: Promise<unknown>): void;
  /** Logs what has ended work of the session: as an error, unless the till is gone. */
  noteEnd(error: unknown, about?: object): void;
}

interface DeviceOptions {
  /** Language of the receipts until a person chooses another. */
  language: Language;
  declineText?: Layout['declineText'];
  columns?: number;
}

/** Creates the terminal on a tray. It keeps its transactions, and what was set at its controls. */
export function createStandAloneDevice(parts: TwinParts, options: DeviceOptions): StandAloneDevice {
  const { clock, log, random, tray } = parts;
  const memory = memoryOf(tray);
  const layout = (): Layout => ({
    language: memory.language ?? options.language,
    columns: options.columns ?? COLUMNS,
    terminalId: memory.terminalId,
    declineText: options.declineText ?? ((code) => `declined by the bank (${code})`),
  });
  const line = struckLine(parts, memory);
  const created = createStandAloneTerminal({
    clock,
    random,
    memory,
    front: frontOf(tray),
    bank: testBank,
    layout,
    onCharged: line.charged,
  });
  const terminal: StandAloneTerminal = {
    ...created,
    occupy(work) {
      return created.occupy(() => {
        line.begin();
        return work();
      });
    },
  };
  const noteProblem = (problem: string) => {
    log.warn({ problem }, 'the terminal does not understand a message of the till');
    recordStep(memory, { atMs: clock.nowMs(), event: `message refused (${problem})`, state: 'as before' });
  };
  const noteEnd = (error: unknown, about = {}) => {
    if (isTillGone(error)) log.debug({ ...about, reason: messageOf(error) }, 'the till disconnected');
    else log.error({ ...about, err: error }, 'the terminal failed');
  };
  return {
    port: line.port,
    terminal,
    memory,
    layout,
    controls: controlsOf(tray),
    noteProblem,
    noteEnd,
    run: (work) => void work.catch((error: unknown) => noteEnd(error)),
    async answer(language, request, till) {
      const command = language.decode(request);
      if ('problem' in command) {
        noteProblem(command.problem);
        return command;
      }
      const perform = () => terminal.perform(command, till);
      if (command.type === 'status') return language.encode(await perform(), request);
      const report = await terminal.occupy(() => {
        memory.stop = till.cancel;
        return perform().finally(() => (memory.stop = undefined));
      });
      return language.encode(report ?? { type: 'refused', reason: 'busy' }, request);
    },
  };
}

/** The line to the till, on which faults strike. */
function struckLine({ clock, strike, ...parts }: TwinParts, memory: TerminalMemory) {
  // Of this line alone: what is said on a later one is no answer to the sale.
  let hasCharged = false;
  const take = () => {
    const { next } = memory.faults;
    delete memory.faults.next;
    const isAfterCharge = hasCharged;
    hasCharged = false;
    const struck = next ? { fault: next } : strike?.(isAfterCharge);
    if (struck) {
      const event = `fault of a message (${struck.fault})`;
      recordStep(memory, { atMs: clock.nowMs(), event, state: 'as before' });
    }
    return struck;
  };
  return {
    port: withMessageFaults(parts.port, { clock, take }),
    begin() {
      hasCharged = false;
    },
    charged() {
      const { afterApproval, next } = memory.faults;
      memory.faults = { next: afterApproval ?? next };
      hasCharged = true;
    },
  };
}

function isTillGone(error: unknown): boolean {
  return error instanceof Fault && (error.code === 'reader' || error.code === 'timed_out');
}

/** What a person can do at the terminal on this tray, also while no till is connected. */
export function controlsOf(tray: CardTray): Twin['controls'] {
  const memory = memoryOf(tray);
  const front = frontOf(tray);
  return {
    type: {
      argument: 'DIGITS',
      run: (digits) => front.press(digitsOf('type', digits)),
    },
    confirm: { run: () => front.press(['enter']) },
    correct: { run: () => front.press(['clear']) },
    cancel: { run: () => front.press(['cancel']) },
    language: {
      argument: keysOf(WORDS).join('|'),
      run: (name) => void (memory.language = chosen('language', keysOf(WORDS), name)),
    },
    paper: {
      argument: 'in|out',
      run: (where) => setPaper(memory, chosen('paper', ['in', 'out'], where) === 'in'),
    },
    receipts: {
      run: () => memory.printed.map((lines) => lines.join('\n')).join('\n\n') || 'none is printed',
    },
    timeline: {
      run: () =>
        memory.timeline
          .map(({ atMs, event, state }) => `${new Date(atMs).toISOString()} ${event} -> ${state}`)
          .join('\n') || 'nothing has happened',
    },
    fault: {
      argument: MESSAGE_FAULTS.join('|'),
      run: (name) => void (memory.faults.next = faultNamed('fault', name)),
    },
    'fault-after-approval': {
      argument: MESSAGE_FAULTS.join('|'),
      run: (name) => void (memory.faults.afterApproval = faultNamed('fault-after-approval', name)),
    },
  };
}

const faultNamed = (control: string, name: string | undefined): MessageFault =>
  chosen(control, MESSAGE_FAULTS, name);

/** What a person can do at a terminal in whose language it can say that its operator has stopped a payment. */
export function stoppableControlsOf(tray: CardTray): Twin['controls'] {
  const memory = memoryOf(tray);
  const stop = () => (memory.stop?.() ? undefined : 'nothing runs that can be stopped');
  return { ...controlsOf(tray), stop: { run: stop } };
}
