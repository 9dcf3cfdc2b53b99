import type { ChangeStep, DueStep } from '../protocol/cardholder-step.ts';
import type { Clock } from '../protocol/clock.ts';
import type { SimulationAct } from '../protocol/messages/sandbox.messages.ts';
import type { ActSchedule, ScheduledAct } from './act-schedule.ts';
import { cardNamed, DEFAULT_CARD, unknownCardMessage } from './cards/card-registry.ts';
import type { EntryMode } from '../protocol/messages/card-data.schema.ts';
import type { Key } from './pin-pad.ts';
import { SUCCESS, failure, type SimulationResult } from './simulation-result.ts';
import type { CardholderState } from './terminal-state.ts';
import type { CardholderReader, ReaderPhase } from './terminal-reader.ts';

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
  /** How the card is presented; as the script does by default. */
  entryMode?: EntryMode;
  /** PIN that is typed in place of the right one. */
  pin?: string;
  /** Delay before each step at any pace, milliseconds. At a real one it is 1000 by default. */
  delayMs?: number;
}

/** Options that hold for one action alone. */
interface BoundOptions extends CardholderOptions {
  actionId: string;
}

/** A step that the cardholder is about to take, and when. */
type NextStep = NonNullable<CardholderState['next']>;

/** The simulated person at a terminal. Reacts to the reader's prompts. */
export interface Cardholder {
  /**
   * Changes the script, also for the prompt that the reader shows now. With an action it holds for that one alone, which may
   * begin later.
   */
  setScript(options: CardholderOptions & { actionId?: string }): SimulationResult;
  /** What they do in the action at the reader, as a magic amount or a request sets it. */
  readonly script: ScriptName;
  exportState(): CardholderState;
}

/** Checks that the card exists and has the entry mode that the script needs. */
export function validateCardholder({ script, card, entryMode }: CardholderOptions): SimulationResult {
  const wanted = SCRIPTS[script];
  const found = cardNamed(card ?? wanted.card);
  if (!found) return failure(unknownCardMessage(card ?? wanted.card));
  const mode = entryMode ?? wanted.entryMode;
  if (mode && !found.entryModes.includes(mode)) {
    const asks = entryMode ? `the card must have ${mode}` : `${script} needs a card with ${mode}`;
    return failure(`${asks}; ${found.name} has: ${found.entryModes.join(', ')}`);
  }
  return SUCCESS;
}

interface CardholderParts {
  clock: Clock;
  reader: CardholderReader;
  acts: ActSchedule;
  /** Asked as the cardholder presents a card, or types its PIN. */
  changeStep?: ((due: Omit<DueStep, 'terminalId'>) => ReturnType<ChangeStep>) | undefined;
}

/** Creates a cardholder with these options, or in an exported state. */
export function createCardholder(
  parts: CardholderParts,
  first: CardholderOptions,
  state?: CardholderState,
): Cardholder {
  const { clock, reader, acts } = parts;
  const wishes = createWishes(reader, first, state);
  let promptCount = { ...(state?.promptCount ?? { card: 0, pin: 0 }) };
  let next: { step: NextStep['step']; act: ScheduledAct } | undefined;

  const { current } = wishes;
  const scriptName = () => scriptFromMagicAmount(reader) ?? current().script;
  const script = () => SCRIPTS[scriptName()];
  const takeStep = (due: NextStep['step']) => {
    next = undefined;
    const step = changedStep(due, current(), parts);
    const { card = script().card, entryMode = script().entryMode, pin: typed } = current();
    const pin = typed ?? reader.card?.holderPin() ?? '';
    if (step === 'nothing') return;
    if (step === 'present') reader.presentCard(card, entryMode);
    else if (step === 'pressCancel') reader.pressKeys(['cancel']);
    else reader.pressKeys([...(step === 'typeRight' ? pin : wrongPin(pin)), 'enter'] as Key[]);
  };
  const schedule = (step: NextStep['step'], askedMs = current().delayMs) => {
    next = { step, act: acts.after({ askedMs, usualMs: DELAY_MS }, () => takeStep(step)) };
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
    next?.act.cancel();
    next = undefined;
    if (phase === 'idle') promptCount = { card: 0, pin: 0 };
    if (phase === 'awaitingCard') onCard();
    if (phase === 'reading') onReading();
    if (phase === 'awaitingPin') onPin();
  };
  reader.watch(react);
  if (state?.next) schedule(state.next.step, state.next.atMs - clock.nowMs());

  return {
    setScript(given) {
      const result = validateCardholder(given);
      if (!result.ok) return result;
      const fits = fitsReader(reader, given);
      if (!fits.ok) return fits;
      // What is for another action changes nothing for the one at the reader.
      if (!wishes.set(given)) return SUCCESS;
      promptCount = { card: 0, pin: 0 };
      if (reader.phase === 'awaitingCard' || reader.phase === 'awaitingPin') react(reader.phase);
      return SUCCESS;
    },
    get script() {
      return scriptName();
    },
    exportState: () => ({
      ...wishes.exportState(),
      promptCount: { ...promptCount },
      next: next ? { step: next.step, atMs: next.act.atMs } : null,
    }),
  };
}

/** Returns what the cardholder does in place of a step that would go well; other steps as they are. */
function changedStep(
  step: NextStep['step'],
  { pin }: CardholderOptions,
  { reader, changeStep }: CardholderParts,
) {
  const actionId = reader.request?.actionId;
  const isRight = step === 'present' || (step === 'typeRight' && pin === undefined);
  if (!isRight || actionId === undefined) return step;
  return changeStep?.({ actionId, at: step === 'present' ? 'card' : 'pin' }) ?? step;
}

/** Keeps what the cardholder is to do: in every action, and in single ones. */
function createWishes(reader: CardholderReader, first: CardholderOptions, state?: CardholderState) {
  let options: CardholderOptions = state?.options ?? first;
  // Those of the action at the reader, and of one that may begin next.
  let bound: readonly BoundOptions[] = state?.bound ?? [];
  const isAtReader = ({ actionId }: Pick<BoundOptions, 'actionId'>) => actionId === reader.request?.actionId;
  return {
    current: (): CardholderOptions => bound.find(isAtReader) ?? options,
    /** Returns whether the options are for what is at the reader now. */
    set({ actionId, ...given }: CardholderOptions & { actionId?: string }): boolean {
      if (actionId === undefined) {
        options = given;
        return true;
      }
      const others = bound.filter((each) => isAtReader(each) && each.actionId !== actionId);
      bound = [...others, { ...given, actionId }];
      return isAtReader({ actionId });
    },
    exportState: () => ({
      options: ownProperties(options),
      ...(bound.length > 0 && {
        bound: bound.map((each) => ({ ...ownProperties(each), actionId: each.actionId })),
      }),
    }),
  };
}

/** Returns whether the reader takes the card of these options, which are valid. */
export function fitsReader(
  reader: Pick<CardholderReader, 'fits'>,
  { script, card, entryMode }: CardholderOptions,
): SimulationResult {
  const { card: usual, entryMode: usualMode, whenCard } = SCRIPTS[script];
  // One who presents no card may have any.
  if (!whenCard.some((step) => step === 'present' || step === 'presentAndRemove')) return SUCCESS;
  return reader.fits(cardNamed(card ?? usual)!, entryMode ?? usualMode);
}

/** Returns the options without what else the object of a caller has. */
function ownProperties({ script, card, entryMode, pin, delayMs }: CardholderOptions): CardholderOptions {
  return {
    script,
    ...(card !== undefined && { card }),
    ...(entryMode !== undefined && { entryMode }),
    ...(pin !== undefined && { pin }),
    ...(delayMs !== undefined && { delayMs }),
  };
}

/** Returns the script that a magic amount sets for this action, overriding the current one. */
function scriptFromMagicAmount(reader: CardholderReader): ScriptName | undefined {
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
