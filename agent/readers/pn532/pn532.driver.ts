import type { DriverModule } from '../driver.ts';
import { createKernelReader } from '../kernel-reader.ts';
import { diagnoseChip } from './diagnose.ts';
import { createPn532Slot } from './slot.ts';

/** NXP PN532 over its high-speed UART: a dumb contactless reader under our EMV kernel (UM0701-02). */
export const driver: DriverModule = {
  createReader: (parts) => createKernelReader({ ...parts, name: 'PN532', slot: createPn532Slot(parts) }),
  diagnose: diagnoseChip,
};
