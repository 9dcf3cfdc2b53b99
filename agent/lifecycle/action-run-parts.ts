import type { Clock } from '../../protocol/clock.ts';
import type { Log } from '../../protocol/log.ts';
import type { Envelope } from '../../protocol/message.ts';
import type { DeviceState } from '../../protocol/messages/inspection.messages.ts';
import type { DeviceReversal, Reader } from '../readers/reader.ts';
import type { EffectName } from './action-events.ts';
import type { ActionJournal } from './action-journal.ts';
import type { ActionStep } from './action-transition.ts';
import type { Printer } from './receipt.ts';

/** An effect of the machine that is about to run. */
export interface DueEffect {
  terminalId: string;
  actionId: string;
  effect: EffectName;
}

/** What a run needs of its terminal. */
export interface ActionRunParts {
  terminalId: string;
  clock: Clock;
  reader: Reader;
  printer: Printer;
  journal: ActionJournal;
  log: Log;
  isOnline(): boolean;
  /** @throws Fault `transport` when the message is not sent. */
  publish(envelope: Envelope): Promise<void>;
  onStep(step: ActionStep): void;
  /** Called with what came of each reversal of an approval of the device. */
  onReversal?: ((reversal: DeviceReversal) => void) | undefined;
  /** Called before each effect. What it returns is called once the effect has ended, before the machine hears of it. */
  beforeEffect?: ((due: DueEffect) => (() => void) | undefined) | undefined;
  /** What the device shows and holds now. */
  deviceState(): DeviceState;
  /** Called when the server has ended the action. */
  onSettled(): void;
}
