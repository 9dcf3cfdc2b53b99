import type { TerminalMemory } from '../stand-alone/journal.ts';
import type { Layout } from '../stand-alone/receipts.ts';
import type { StandAloneTerminal } from '../stand-alone/stand-alone-terminal.ts';
import type { Progress, TerminalLanguage, Till } from '../stand-alone/terminal-language.ts';
import type { TwinParts } from '../twin.ts';
import { PROGRESS, type Apdu } from './apdu.ts';
import type { EcrLink } from './ecr-link.ts';
import { intermediateStatus } from './outgoing-messages.ts';
import type { Registrations } from './registration.ts';
import type { ZvtRequest } from './zvt-language.ts';

export interface TerminalParts extends TwinParts {
  terminal: StandAloneTerminal;
  language: TerminalLanguage<ZvtRequest, Apdu>;
  memory: TerminalMemory;
  registrations: Registrations;
  layout(): Layout;
}

/** Context of a running command. */
export interface CommandContext extends ZvtRequest {
  ecr: EcrLink;
  /** Data after the length. */
  data: Uint8Array;
  /** Allows or refuses an abort from now on. */
  setAbortable(may: boolean): void;
}

/** Runs a command and returns its completion or abort. */
export type CommandHandler = (parts: TerminalParts, command: CommandContext) => Promise<Apdu>;

const STATUSES: Record<Progress, number> = {
  insertCard: PROGRESS.insertCard,
  watchPinPad: PROGRESS.watchPinPad,
  incorrectPin: PROGRESS.incorrectPin,
  waitingForBank: PROGRESS.waitingForHost,
};

/** The ECR of a command, as the terminal sees it. */
export function tillOf({ ecr, registration, setAbortable }: CommandContext): Till {
  return {
    get cancelRequested() {
      return ecr.cancelRequested;
    },
    setCancellable: setAbortable,
    async tell(step) {
      if (registration?.sendsIntermediateStatus) await ecr.send(intermediateStatus(STATUSES[step]));
    },
    waitFor: (happens, limitMs) => ecr.waitFor(happens, limitMs),
    terminalPrints: registration?.receipts.payment === 'none',
  };
}
