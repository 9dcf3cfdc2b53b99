/** Texts of result codes, as in BMP 27, 84 xx and 06 1E (PA00P015, error messages). */
const RESULTS: Record<number, string> = {
  0x64: 'card not readable',
  0x65: 'card data not present',
  0x66: 'processing error',
  0x67: 'function not permitted for girocard and Maestro',
  0x68: 'function not permitted for credit and fuel cards',
  0x6a: 'turnover file full',
  0x6b: 'function deactivated: the terminal is not registered',
  0x6c: 'aborted by timeout or abort key',
  0x6e: 'card in blocked list',
  0x6f: 'wrong currency',
  0x71: 'credit not sufficient',
  0x72: 'chip error',
  0x73: 'card data incorrect',
  0x74: 'DUKPT engine exhausted',
  0x75: 'text not authentic',
  0x76: 'card number not in white list',
  0x77: 'end-of-day batch not possible',
  0x78: 'card expired',
  0x79: 'card not yet valid',
  0x7a: 'card unknown',
  0x7b: 'fallback to magnetic stripe not possible',
  0x7c: 'fallback to magnetic stripe not possible',
  0x7d: 'communication error',
  0x7e: 'fallback to magnetic stripe not possible',
  0x83: 'function not possible',
  0x85: 'key missing',
  0x89: 'PIN pad defective',
  0x9a: 'protocol error',
  0x9b: 'communication fault',
  0x9c: 'please wait',
  0xa0: 'receiver not ready',
  0xa1: 'remote station does not respond',
  0xa3: 'no connection',
  0xa5: 'function not allowed by PCI rules',
  0xb1: 'memory full',
  0xb2: 'merchant journal full',
  0xb4: 'already reversed',
  0xb5: 'reversal not possible',
  0xb7: 'pre-authorisation incorrect or amount wrong',
  0xb8: 'pre-authorisation error',
  0xbf: 'voltage too low',
  0xc0: 'card locking mechanism defective',
  0xc1: 'merchant card locked',
  0xc2: 'diagnosis required',
  0xc3: 'maximum amount exceeded',
  0xc4: 'card profile invalid',
  0xc5: 'payment method not supported',
  0xc6: 'currency not applicable',
  0xc8: 'amount too small',
  0xc9: 'maximum transaction amount too small',
  0xcb: 'function only allowed in EUR',
  0xcc: 'printer not ready',
  0xcd: 'cashback not possible',
  0xd2: 'function not permitted for service cards',
  0xdc: 'card inserted',
  0xdd: 'error while ejecting the card',
  0xde: 'error while inserting the card',
  0xe0: 'remote maintenance active',
  0xe2: 'card reader does not answer',
  0xe3: 'shutter closed',
  0xe4: 'terminal activation required',
  0xe9: 'restriction code not permitted',
  0xea: 'card code not permitted',
  0xeb: 'PIN algorithm unknown',
  0xec: 'PIN processing not possible',
  0xed: 'PIN pad defective',
  0xf0: 'open end-of-day batch',
  0xf1: 'girocard offline error',
  0xf5: 'OPT error',
  0xf6: 'OPT data not available',
  0xfa: 'error sending offline transactions',
  0xfb: 'turnover data defective',
  0xfc: 'necessary device not present',
  0xfd: 'baud rate not supported',
  0xfe: 'register unknown',
  0xff: 'system error',
};

export const APPROVED = 0x00;
export const ABORTED = 0x6c;
export const NOT_REGISTERED = 0x6b;
export const WRONG_CURRENCY = 0x6f;
export const FUNCTION_NOT_POSSIBLE = 0x83;
export const PROTOCOL_ERROR = 0x9a;
export const PLEASE_WAIT = 0x9c;
export const ALREADY_REVERSED = 0xb4;
export const REVERSAL_NOT_POSSIBLE = 0xb5;

/** Returns a text for a result code. Codes 01 to 63 come from the network and depend on the bank. */
export function resultText(code: number): string {
  const known = RESULTS[code];
  if (known) return known;
  const hex = code.toString(16).padStart(2, '0').toUpperCase();
  return code >= 0x01 && code <= 0x63 ? `declined by the bank (${hex})` : `result code ${hex}`;
}

/** Codes of the intermediate status (04 FF) that a terminal sends during a command (PA00P015 §3.7). */
export const INTERMEDIATE = {
  watchPinPad: 0x01,
  watchPinPadAgain: 0x02,
  waitingForHost: 0x04,
  insertCard: 0x0a,
  removeCard: 0x0b,
  pleaseWait: 0x0e,
  incorrectPin: 0x15,
  declined: 0x1d,
} as const;
