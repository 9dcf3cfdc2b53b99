import { CANCEL_CASES } from './cancel-cases.ts';
import { CARD_DECLINES, CARDHOLDER_CASES } from './cardholder-cases.ts';
import { COMMAND_CASES } from './command-cases.ts';
import { CONNECTION_CASES, PAIR_AGAIN } from './connection-cases.ts';
import { BrokenRule } from './device-bench.ts';
import { deviceCase, payByTap, type DeviceCase } from './device-case.ts';
import { INQUIRY_CASES } from './inquiry-cases.ts';
import { PAYMENT_CASES, RECEIPT_CASES } from './payment-cases.ts';

const MANY = deviceCase('many', ['protocol.seq.count', 'protocol.end.journal'], async (bench) => {
  for (let taken = 0; taken < bench.payments; taken += 1) {
    const after = bench.mark();
    await payByTap(bench);
    const { body } = await bench.expectReport('action.accepted', { after });
    if (body['seq'] !== 1) throw new BrokenRule(`payment ${taken + 1} began with the number ${body['seq']}`);
  }
  return `${bench.payments} payments were captured, one after another`;
});

/** The cases of `tapbench certify device`, in their order. */
export const DEVICE_CASES: readonly DeviceCase[] = [
  ...PAYMENT_CASES,
  ...RECEIPT_CASES,
  ...COMMAND_CASES,
  ...CANCEL_CASES,
  ...CARDHOLDER_CASES,
  CARD_DECLINES,
  ...CONNECTION_CASES,
  ...INQUIRY_CASES,
  PAIR_AGAIN,
  MANY,
];

const NOT_SIMULATED = [CARD_DECLINES, PAIR_AGAIN];

/** Returns the cases of a device. @param isSimulator whether its simulator operates it, which cannot do all */
export function deviceCases(isSimulator: boolean): readonly DeviceCase[] {
  return isSimulator ? DEVICE_CASES.filter((one) => !NOT_SIMULATED.includes(one)) : DEVICE_CASES;
}
