/**
 * Three kinds of failure. A refusal (the caller broke a rule) lives in server/platform/http/refusals.ts; an outcome
 * (declined, cancelled) is a returned value; a fault is this class: ours, the hardware's or the network's,
 * thrown, then logged, retried or reported.
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

/** The message of anything thrown, for a log line or an answer to a person. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/**
 * Why an action did not succeed: `action.error.code` on the wire. A card refused by its issuer carries the
 * issuer's code (server/issuer) instead. Clients tolerate new values (Spec §9.3).
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

/** Whether a code is one that a terminal gives, rather than an issuer's. */
export function isTerminalErrorCode(code: string | null): code is TerminalErrorCode {
  return (TERMINAL_ERROR_CODES as readonly (string | null)[]).includes(code);
}
