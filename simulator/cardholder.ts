import type { Clock, Timer } from '../protocol/clock.ts';
import type { SimulationAct } from '../protocol/messages/sandbox.messages.ts';
import { cardNamed, DEFAULT_CARD, unknownCardMessage } from './cards/card-registry.ts';
import type { EntryMode } from './cards/card-profile.ts';
import { SUCCESS, failure, type SimulationResult } from './simulation-result.ts';
import type { Key } from './keypad.ts';
import { afterLatency } from './latency.ts';
import type { CardholderState } from './terminal-state.ts';
import type { ReaderPhase, VirtualReader } from './virtual-reader.ts';

export type ScriptName = Extract<SimulationAct, { act: 'cardholder' }>['script'];

/** What the cardholder does when the terminal asks for a card, or for a PIN. */
type CardStep = 'present' | 'presentAndRemove' | 'pressCancel' | 'nothing';
type PinStep = 'typeRight' | 'typeWrong' | 'nothing';

/** One step for each prompt of the terminal within an action; the last step repeats. */
interface Script {
  card: string;
  entryMode?: EntryMode;
  whenCard: readonly CardStep[];
  whenPin: readonly PinStep[];
}

const tap: Script = { card: DEFAULT_CARD, whenCard: ['present'], whenPin: ['typeRight'] };
const insert: Script = { ...tap, card: 'visa-contact-pin', entryMode: 'Contact' };

export const SCRIPTS: Record<ScriptName, Script> = {
  tap,
  'contact-pin': insert,
  'wrong-pin-twice': { ...insert, whenPin: ['typeWrong', 'typeWrong', 'typeRight'] },
  'remove-early': { ...tap, whenCard: ['presentAndRemove', 'present'] },
  'walk-away': { ...tap, whenCard: ['nothing'] },
  'press-cancel': { ...tap, whenCard: ['pressCancel'] },
  none: { ...tap, whenCard: ['nothing'], whenPin: ['nothing'] },
};

const DELAY_MS = 1000;

export interface CardholderOptions {
  script: ScriptName;
  /** Name of a card profile; each script has a default card. */
  card?: string;
  /** Delay before each step, milliseconds; 1000 by default. */
  delayMs?: number;
}

/** A step that the cardholder is about to take, and when. */
type NextStep = NonNullable<CardholderState['next']>;

/** The simulated person at a terminal. Reacts to the reader's prompts. */
export interface Cardholder {
  /** Changes the script, also for the prompt that the reader shows now. */
  setScript(options: CardholderOptions): SimulationResult;
  exportState(): CardholderState;
}

/** Checks that the card exists and has the entry mode that the script needs. */
export function validateCardholder({ script, card }: CardholderOptions): SimulationResult {
  const wanted = SCRIPTS[script];
  const found = cardNamed(card ?? wanted.card);
  if (!found) return failure(unknownCardMessage(card ?? wanted.card));
  if (wanted.entryMode && !found.entryModes.includes(wanted.entryMode)) {
    return failure(
      `${script} needs a card with ${wanted.entryMode}; ${found.name} has: ${found.entryModes.join(', ')}`,
    );
  }
  return SUCCESS;
}

/** Creates a cardholder with these options, or in an exported state. */
export function createCardholder(
  clock: Clock,
  reader: VirtualReader,
  first: CardholderOptions,
  state?: CardholderState,
): Cardholder {
  let options: CardholderOptions = state?.options ?? first;
  let promptCount = { ...(state?.promptCount ?? { card: 0, pin: 0 }) };
  let next: (NextStep & { timer: Timer }) | undefined;

  const script = () => SCRIPTS[scriptFromMagicAmount(reader) ?? options.script];
  const takeStep = (step: NextStep['step']) => {
    next = undefined;
    const pin = reader.card?.holderPin() ?? '';
    if (step === 'present') reader.presentCard(options.card ?? script().card, script().entryMode);
    else if (step === 'pressCancel') reader.pressKeys(['cancel']);
    else reader.pressKeys([...(step === 'typeRight' ? pin : wrongPin(pin)), 'enter'] as Key[]);
  };
  const schedule = (step: NextStep['step'], atMs = clock.nowMs() + (options.delayMs ?? DELAY_MS)) => {
    next = { step, atMs, timer: afterLatency(clock, atMs - clock.nowMs(), () => takeStep(step)) };
  };

  const onCard = () => {
    const step = stepAt(script().whenCard, ++promptCount.card);
    if (step !== 'nothing') schedule(step === 'pressCancel' ? step : 'present');
  };
  const onReading = () => {
    if (promptCount.card > 0 && stepAt(script().whenCard, promptCount.card) === 'presentAndRemove')
      reader.removeCard();
  };
  const onPin = () => {
    const step = stepAt(script().whenPin, ++promptCount.pin);
    if (step !== 'nothing' && reader.card?.hasPin) schedule(step);
  };
  const react = (phase: ReaderPhase) => {
    next?.timer.cancel();
    next = undefined;
    if (phase === 'idle') promptCount = { card: 0, pin: 0 };
    if (phase === 'awaitingCard') onCard();
    if (phase === 'reading') onReading();
    if (phase === 'awaitingPin') onPin();
  };
  reader.watch(react);
  if (state?.next) schedule(state.next.step, state.next.atMs);

  return {
    setScript(given) {
      const result = validateCardholder(given);
      if (!result.ok) return result;
      options = given;
      promptCount = { card: 0, pin: 0 };
      if (reader.phase === 'awaitingCard' || reader.phase === 'awaitingPin') react(reader.phase);
      return SUCCESS;
    },
    exportState: () => ({
      options: ownProperties(options),
      promptCount: { ...promptCount },
      next: next ? { step: next.step, atMs: next.atMs } : null,
    }),
  };
}

/** Returns the options without what else the object of a caller has. */
function ownProperties({ script, card, delayMs }: CardholderOptions): CardholderOptions {
  return { script, ...(card !== undefined && { card }), ...(delayMs !== undefined && { delayMs }) };
}

/** Returns the script that a magic amount sets for this action, overriding the current one. */
function scriptFromMagicAmount(reader: VirtualReader): ScriptName | undefined {
  switch (reader.request?.cardholder) {
    case 'walkAway':
      return 'walk-away';
    case 'pressCancel':
      return 'press-cancel';
    case undefined:
      return undefined;
  }
}

function stepAt<T>(steps: readonly T[], count: number): T {
  return steps[Math.min(count, steps.length) - 1]!;
}

/** Returns a different PIN of the same length. */
function wrongPin(pin: string): string {
  return pin.slice(0, -1) + String((Number(pin.at(-1)) + 1) % 10);
}
