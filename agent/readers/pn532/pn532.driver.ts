import type { DriverModule } from '../driver.ts';
import { createKernelReader } from '../kernel-reader.ts';
import { diagnoseChip } from './diagnose.ts';
import { createPn532Slot } from './slot.ts';

/** Driver for NXP PN532 over its high-speed UART, with Tapbench's EMV kernel (UM0701-02). */
export const driver: DriverModule = {
  createReader: (parts) => createKernelReader({ ...parts, name: 'PN532', slot: createPn532Slot(parts) }),
  diagnose: diagnoseChip,
};
