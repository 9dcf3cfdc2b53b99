import type { DriverModule } from '../driver.ts';
import { createKernelReader } from '../kernel-reader.ts';
import { diagnoseReader } from './diagnose.ts';
import { createCcidSlot } from './slot.ts';

/** Driver for serial CCID contact readers, with Tapbench's EMV kernel (CCID 1.1, ISO/IEC 7816-3). */
export const driver: DriverModule = {
  createReader: (parts) => createKernelReader({ ...parts, name: 'CCID', slot: createCcidSlot(parts) }),
  diagnose: diagnoseReader,
};
