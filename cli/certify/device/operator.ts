import { Fault } from '../../../protocol/failures.ts';
import type { CommandContext } from '../../command-line/command-context.ts';
import { printLine } from '../../command-line/output.ts';
import { runCommandLine } from '../../command-line/run-command.ts';
import { NOBODY, type ActAnswer } from '../report/asked-acts.ts';
import type { CertificateReport } from '../report/certificate-report.ts';

/** What the person at a device does, in the words of a prompt. `PIN` stands for the digits. */
export const DEVICE_ACTS = {
  tap: 'Hold a card that asks for no PIN to the device.',
  insert: 'Put a chip card that asks for a PIN into the device, and leave it there.',
  pin: 'Type the PIN PIN once the device asks for it, and confirm it.',
  remove: 'Take the card out of the device.',
  cancel: 'Press the Cancel key of the device.',
  unreadable: 'Present a card that the device cannot read, and take it away again.',
  declines: 'Present a card that itself declines the payment.',
  'power-cut': 'Cut the power of the device, without switching it off before.',
  'power-on': 'Give the device its power back, and switch it on.',
  'network-off': 'Take the device off its network.',
  'network-on': 'Give the device its network back.',
  'paper-out': 'Take the paper out of the printer of the device.',
  'paper-in': 'Put paper into the printer of the device.',
  'pair-again': 'Pair the device again, and give it the new credentials.',
} as const;

export type DeviceAct = keyof typeof DEVICE_ACTS;

/** The card holder, and whoever else is at the device. */
export interface Operator {
  /** Whether nobody has to be asked. */
  readonly isAutomatic: boolean;
  /**
   * Does something at the device. Resolves when it is done.
   * @param pin digits for `pin`
   * @throws Fault `bad_setting` when it cannot be done there, with the reason
   */
  act(act: DeviceAct, pin?: string): Promise<void>;
}

/** Returns a prompt: what the person is to do now. */
function promptOf(act: DeviceAct, pin = ''): string {
  return DEVICE_ACTS[act].replace('PIN PIN', `PIN ${pin}`);
}

/** Returns what the person is to do now, without the digits of a PIN. */
function wordsOf(act: DeviceAct, isWrongPin: boolean): string {
  return DEVICE_ACTS[act].replace(
    'the PIN PIN',
    isWrongPin ? 'a wrong PIN of as many digits' : 'the PIN of the card',
  );
}

type OperatorContext = Pick<CommandContext, 'err' | 'keyboard' | 'interrupted' | 'keepRunning' | 'env'>;

interface PersonParts {
  /** The PIN of the card. */
  pin: string;
  /** Asks whoever has the dashboard open. */
  dashboard?: Pick<CertificateReport, 'ask'>;
}

/** Returns an operator that asks the person at this terminal window, who presses Enter, and in the dashboard. */
export function personOperator(context: OperatorContext, { pin: cardPin, dashboard }: PersonParts): Operator {
  const { err, keepRunning } = context;
  return {
    isAutomatic: false,
    async act(act, pin) {
      const isAlone = !err.isTerminal;
      // A card that was left in the device stays there.
      context.interrupted.throwIfAborted();
      if (isAlone && !dashboard) throw new Fault('bad_setting', NOBODY);
      const text = wordsOf(act, pin !== cardPin);
      if (!isAlone)
        printLine(err, `${promptOf(act, pin)} Then press Enter, or type "no" if that cannot be done.`);
      const release = keepRunning();
      const { done, reason } = await firstAnswer(context, dashboard?.ask({ act, text, isAlone })).finally(
        release,
      );
      if (done) return;
      const why = reason === null ? '' : ` (${reason})`;
      throw new Fault('bad_setting', reason === NOBODY ? NOBODY : `it was not done: ${text}${why}`);
    },
  };
}

/** Resolves with what is typed here or said in the dashboard, whichever comes first. An interrupt is a no. */
async function firstAnswer(
  { err, keyboard, interrupted }: OperatorContext,
  asked: ReturnType<CertificateReport['ask']> | undefined,
): Promise<ActAnswer> {
  const waits = new AbortController();
  const typed = new Promise<ActAnswer>((resolve) => {
    const hear = (line: string) => {
      const said = { done: !/^\s*no?\s*$/i.test(line), reason: null };
      asked?.settle(said);
      resolve(said);
    };
    const end = () => hear('no');
    const stop = err.isTerminal ? keyboard.onLine(hear) : () => {};
    interrupted.addEventListener('abort', end, { once: true });
    waits.signal.addEventListener('abort', () => {
      stop();
      interrupted.removeEventListener('abort', end);
    });
  });
  const said = asked?.answer.then((answer) => {
    if (err.isTerminal) printLine(err, answer.done ? 'The dashboard says: done.' : 'The dashboard says: no.');
    return answer;
  });
  return Promise.race(said ? [typed, said] : [typed]).finally(() => waits.abort());
}

/** Returns an operator that is a command line, to which each act is added: `CMD pin 1234`. */
export function commandOperator(context: OperatorContext, line: string, terminalId: string): Operator {
  return {
    isAutomatic: true,
    async act(act, pin) {
      const words = act === 'pin' ? `${act} ${pin}` : act;
      const code = await runCommandLine(`${line} ${words}`, context, { TAPBENCH_TERMINAL: terminalId });
      // Neither the command line nor the PIN: the reason is in the certificate.
      if (code !== 0) throw new Fault('bad_setting', `the program of --operate ended with ${code} at ${act}`);
    },
  };
}

/** Returns an operator that refuses some acts. */
export function operatorWithout(operator: Operator, acts: readonly DeviceAct[]): Operator {
  return {
    ...operator,
    async act(act, pin) {
      if (acts.includes(act)) throw new Fault('bad_setting', `the device is without ${act}`);
      await operator.act(act, pin);
    },
  };
}

/** Acts of a device whose slot has to be empty. */
const PRESENTED: ReadonlySet<DeviceAct> = new Set(['tap', 'insert', 'unreadable', 'declines']);

/** An operator that knows whether it has left a card in the device. */
interface TidyOperator extends Operator {
  /** Takes out a card that was left in the device. Does not throw: the device may have let go of it. */
  takeCardOut(): Promise<void>;
}

/** Returns an operator that takes a card out of the device before the next one is presented. */
export function tidyOperator(operator: Operator): TidyOperator {
  let isCardIn = false;
  const takeCardOut = async () => {
    if (!isCardIn) return;
    isCardIn = false;
    await operator.act('remove').catch(() => {});
  };
  return {
    isAutomatic: operator.isAutomatic,
    takeCardOut,
    async act(act, pin) {
      if (PRESENTED.has(act)) await takeCardOut();
      // A program may have failed with the card in the device. A person who could not put it in holds it.
      if (act === 'insert') isCardIn = operator.isAutomatic;
      if (act === 'remove') isCardIn = false;
      await operator.act(act, pin);
      if (act === 'insert') isCardIn = true;
    },
  };
}
