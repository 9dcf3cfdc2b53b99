import { MODULATION } from './constants.ts';

/** A card that the chip has activated. */
export interface Target {
  /** The chip's number for it. */
  number: number;
  modulation: 'typeA' | 'typeB';
  /** SEL_RES of a card of type A; one of type B always speaks ISO/IEC 14443-4. */
  sak?: number;
}

/** The target in an answer to InListPassiveTarget (UM0701-02 §7.3.5); undefined for an empty field. */
export function targetOf(modulation: number, answer: Uint8Array): Target | undefined {
  const [count, number] = answer;
  if (!count || number === undefined) return undefined;
  if (modulation === MODULATION.typeB) return { number, modulation: 'typeB' };
  // Tg, SENS_RES (2), SEL_RES.
  const sak = answer[4];
  return sak === undefined ? undefined : { number, modulation: 'typeA', sak };
}
