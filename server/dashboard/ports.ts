import type { Receipt } from '../../protocol/messages/action.messages.ts';
import type { FaultNames } from '../platform/faults/cut-points.ts';
import type { Caller } from '../platform/http/auth.ts';
import type { JsonText } from '../platform/store/json-text.ts';
import type { DrillPlayer } from './drills/drill-player.ts';
import type { MachineShape } from './view.ts';

/** What the dashboard shows and does beyond the platform. The composition root provides it. */
export interface DashboardPorts {
  /** The server's own machines; terminals describe theirs. */
  machines: readonly MachineShape[];
  /** Returns the names that a plan of faults can ask for. */
  faultNames(): Promise<FaultNames>;
  /** Whether the terminal with this serial number is a simulated one. */
  isSimulated(serialNumber: string): boolean;
  /** The terminal that an action runs on; undefined for an unknown action. */
  findTerminalOf(actionId: string): Promise<string | undefined>;
  /**
   * The receipt of an action; null before it is made.
   * @throws Refusal `not_found` when the caller controls no account with this action.
   */
  findReceipt(caller: Caller, actionId: string): Promise<JsonText<Receipt> | null>;
  /** Loads the player of drills; undefined where none are played. */
  loadDrills?: (() => Promise<DrillPlayer>) | undefined;
}
