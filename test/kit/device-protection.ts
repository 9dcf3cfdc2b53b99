import { acceptAnyCard } from '../../agent/readers/card-policy.ts';
import type { DriverParts } from '../../agent/readers/driver.ts';
import { Fault } from '../../protocol/failures.ts';

/** What a driver of a payment terminal is given and does not use: the terminal has its own PIN pad, and protects its cards itself. */
export const DEVICE_PROTECTION: Pick<DriverParts, 'pinPad' | 'protection' | 'cards'> = {
  pinPad: { requestPin: async () => undefined, onCancel() {} },
  protection: {
    transaction: () => {
      throw new Fault('internal', 'a payment terminal protects its cards itself');
    },
  },
  cards: acceptAnyCard,
};
