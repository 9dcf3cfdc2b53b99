import type { Agent } from '../agent/agent.ts';
import type { CardRequest, DeviceReversal, Reader } from '../agent/readers/reader.ts';
import type { EntryMode } from '../protocol/messages/card-data.schema.ts';
import type { Card } from './cards/card-profile.ts';
import type { Key } from './pin-pad.ts';
import type { SimulationResult } from './simulation-result.ts';
import type { ReaderState, TwinState } from './terminal-state.ts';

/** State of the reader. `busy`: an action is in progress, and the reader waits for nothing from the cardholder. */
export type ReaderPhase = ReaderState['phase'];

/** The side of a simulated terminal at which the cardholder stands. */
export interface CardholderReader {
  readonly phase: ReaderPhase;
  /** The current request. */
  readonly request: CardRequest | undefined;
  /** The card that this action has read, for the person who holds it. */
  readonly card: Card | undefined;
  /** Calls `listener` synchronously at each change of phase. */
  watch(listener: (phase: ReaderPhase) => void): void;
  /** Presents a card by its default entry mode or a given one. It is read when the terminal asks for a card. */
  presentCard(name: string, entryMode?: EntryMode): SimulationResult;
  removeCard(): SimulationResult;
  pressKeys(keys: readonly Key[]): SimulationResult;
  /** Returns whether the card can be presented to this reader in that way, and otherwise why not. */
  fits(card: Card, mode?: EntryMode): SimulationResult;
}

/** The reader of a simulated terminal: one in its firmware, or a stand-alone payment terminal beside it. */
export interface TerminalReader extends CardholderReader {
  readonly cardAtReader: NonNullable<Reader['cardAtReader']> | null;
  readonly typedDigits: number;
  /** It takes cards and keys also while the agent has no power. */
  readonly hasOwnPower?: true;
  /** Returns what an agent that is switched on takes cards with. */
  switchOn(agent: ReaderAgent): Reader;
  /** Called when the power of the agent is cut. */
  switchOff(): void;
  /** Takes the reader away: the action fails, and so does each that begins before `plugIn`. */
  unplug(): SimulationResult;
  plugIn(): SimulationResult;
  /** Takes the paper of the reader itself out, or puts it in; absent for one that prints nothing. */
  setPaper?(hasPaper: boolean): void;
  /** Uses a control of the device; absent for a reader that has none. */
  control?(name: string, argument: string | undefined): SimulationResult;
  exportState(): { reader: ReaderState; twin?: TwinState };
  /** Called before the agent stops. */
  beforeStop(): void;
  close(): Promise<void>;
}

/** What a reader tells the agent besides its events. */
export interface ReaderAgent {
  trace: Agent['trace'];
  onReversal(reversal: DeviceReversal): void;
  holdReversal(reversal: DeviceReversal): () => void;
}

/** Returns what a reader tells an agent that is created after it. */
export function readerAgent(agent: () => Agent): ReaderAgent {
  return {
    trace: (...frame) => agent().trace(...frame),
    onReversal: (reversal) => agent().reportReversal(reversal),
    holdReversal: (reversal) => agent().holdReversal(reversal),
  };
}
