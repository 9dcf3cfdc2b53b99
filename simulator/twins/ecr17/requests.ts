import type { MessageProblem } from '../stand-alone/terminal-language.ts';

/** A message of the till: its code, the payload, and where the receipts go that its procedure makes. */
export interface Ecr17Request {
  code: RequestCode;
  payload: string;
  receiptsTo: ReceiptTarget;
}

/** `0` the printer of the terminal, `1` the till, `2` both, `3` the merchant's copy to the till. */
export type ReceiptTarget = '0' | '1' | '2' | '3';

interface Layout {
  /** Lengths of the payload; a least length where the payload ends with a text. */
  lengths: readonly number[] | { atLeast: number };
  /** Fields of digits: where each begins, counted from 1, its length and its name. */
  digits: readonly (readonly [at: number, length: number, name: string])[];
}

const REGISTER = [11, 8, 'register id'] as const;
const AMOUNT = [24, 8, 'amount'] as const;
const MORE_DATA = [19, 1, 'additional data'] as const;
const PAYMENT: Layout = {
  lengths: [167],
  digits: [REGISTER, MORE_DATA, [22, 1, 'card present'], [23, 1, 'type'], AMOUNT],
};
const RESERVED: Layout = {
  // Some makers close with four more.
  lengths: [176, 180],
  digits: [REGISTER, MORE_DATA, AMOUNT, [160, 9, 'pre-authorisation code']],
};
const TOTALS: Layout = { lengths: [26], digits: [REGISTER, MORE_DATA] };

/** The messages of a till, by their code in position 10. */
const LAYOUTS = {
  s: { lengths: [10], digits: [] },
  P: PAYMENT,
  X: PAYMENT,
  p: PAYMENT,
  S: { lengths: [26], digits: [REGISTER, [19, 6, 'STAN'], [25, 1, 'additional data']] },
  i: RESERVED,
  c: RESERVED,
  H: { lengths: [39], digits: [REGISTER, MORE_DATA, [23, 1, 'type']] },
  C: TOTALS,
  T: TOTALS,
  G: { lengths: [22], digits: [REGISTER, MORE_DATA] },
  E: { lengths: [11], digits: [[11, 1, 'target']] },
  R: {
    lengths: [22],
    digits: [
      [11, 1, 'target'],
      [12, 1, 'ticket'],
    ],
  },
  U: {
    lengths: { atLeast: 38 },
    digits: [
      [11, 6, 'payment type'],
      [17, 2, 'ISO field'],
      [28, 4, 'index'],
    ],
  },
  K: { lengths: { atLeast: 26 }, digits: [REGISTER, [23, 4, 'length']] },
  A: { lengths: [39], digits: [REGISTER, MORE_DATA, AMOUNT] },
  Q: { lengths: [80], digits: [REGISTER, [25, 6, 'STAN'], [47, 8, 'amount']] },
  D: { lengths: [120], digits: [[17, 1, 'type']] },
} as const satisfies Record<string, Layout>;
type RequestCode = keyof typeof LAYOUTS;

const CODE_AT = 10;
/** The id that every terminal accepts. */
const ANY_TERMINAL = '00000000';

/** Returns the code of a message, or which rule it breaks. */
export function readRequest(payload: string, terminalId: string): { code: RequestCode } | MessageProblem {
  const id = payload.slice(0, 8);
  if (id !== terminalId && id !== ANY_TERMINAL)
    return { problem: `message, position 1 (terminal id): ${terminalId} or ${ANY_TERMINAL} is expected` };
  const code = payload.charAt(CODE_AT - 1);
  if (!isCode(code))
    return { problem: `message, position ${CODE_AT} (code): no command of a till has this code` };
  const { lengths, digits }: Layout = LAYOUTS[code];
  const fits = 'atLeast' in lengths ? payload.length >= lengths.atLeast : lengths.includes(payload.length);
  if (!fits) {
    const expected = 'atLeast' in lengths ? `at least ${lengths.atLeast}` : lengths.join(' or ');
    return { problem: `message ${code}: it has ${payload.length} characters, ${expected} are expected` };
  }
  const wrong = digits.find(([at, length]) => !/^[0-9]+$/.test(fieldOf(payload, at, length)));
  if (wrong) return { problem: `message ${code}, position ${wrong[0]} (${wrong[2]}): digits are expected` };
  return { code };
}

function isCode(code: string): code is RequestCode {
  return Object.hasOwn(LAYOUTS, code);
}

/** Returns a field by its position, counted from 1. */
export function fieldOf(payload: string, at: number, length: number): string {
  return payload.slice(at - 1, at - 1 + length);
}

/** Whether additional data (`U`) follows on the acknowledgement of a message. */
export function announcesMore({ code, payload }: Pick<Ecr17Request, 'code' | 'payload'>): boolean {
  if (code === 'S') return fieldOf(payload, 25, 1) === '1';
  return 'PXpicHCTGA'.includes(code) && fieldOf(payload, 19, 1) === '1';
}
