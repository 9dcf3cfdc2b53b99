import { isOneOf } from './tables.ts';

/**
 * Codes of faults. There are three kinds of failure: a refusal (the caller broke a rule,
 * server/platform/http/refusals.ts), an outcome (declined, cancelled: a returned value), and a fault (of the program,
 * the hardware or the network: thrown, then logged, retried or reported).
 */
type FaultCode =
  | 'bad_setting'
  | 'port_in_use'
  | 'data_folder'
  | 'data_folder_in_use'
  | 'store'
  | 'broker'
  | 'transport'
  | 'garbage_message'
  | 'reader'
  | 'printer'
  | 'journal'
  | 'terminal_state'
  | 'server_answer'
  | 'timed_out'
  | 'internal';

export class Fault extends Error {
  readonly code: FaultCode;

  constructor(code: FaultCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Fault';
    this.code = code;
  }
}

/** Returns the message of anything thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Returns the code that Node and its packages give an error, such as `ENOENT`; undefined for anything without one. */
export function errorCode(thrown: unknown): string | undefined {
  const hasCode = typeof thrown === 'object' && thrown !== null && 'code' in thrown;
  return hasCode && typeof thrown.code === 'string' ? thrown.code : undefined;
}

/**
 * Values of `action.error.code`, except the codes of an issuer that declines (server/bank/issuer). Clients tolerate
 * new values (Spec §9.3).
 */
export const TERMINAL_ERROR_CODES = [
  'terminal_offline',
  'timeout',
  'cancelled_on_terminal',
  'receipt_not_confirmed',
  'receipt_failed',
  'bad_track_data',
  'card_declined',
  'unexpected_error',
] as const;

export type TerminalErrorCode = (typeof TERMINAL_ERROR_CODES)[number];

/** Returns whether a code comes from a terminal rather than an issuer. */
export function isTerminalErrorCode(code: string | null): code is TerminalErrorCode {
  return isOneOf(TERMINAL_ERROR_CODES, code);
}
