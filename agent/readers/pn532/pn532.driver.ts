import type { Clock } from '../../../protocol/clock.ts';
import { runDeviceChecks, type DeviceCheck } from '../device-checks.ts';
import type { CheckResult, DriverModule, DriverParts } from '../driver.ts';
import type { FrameChannel } from '../frame-channel.ts';
import { createKernelReader } from '../kernel-reader.ts';
import { initialiseChip, readFirmwareVersion, testConnection, wakeUp } from './chip.ts';
import { createParser, type Frame } from './frame.ts';
import { createPn532Slot, PN532_LINE, pollForCard } from './slot.ts';

/** Driver for NXP PN532 over its high-speed UART, with Tapbench's EMV kernel (UM0701-02). */
export const driver: DriverModule = {
  createReader: (parts) => createKernelReader({ ...parts, name: 'PN532', slot: createPn532Slot(parts) }),
  diagnose: diagnoseChip,
};

const WIRING =
  'Check that the board is switched to HSU (both switches off on most), its TXD goes to RXD of the adapter and RXD to TXD, and that it has power';

/** Tries a chip step by step (DriverModule.diagnose). */
export function diagnoseChip({
  open,
  clock,
  trace,
}: Pick<DriverParts, 'open' | 'clock' | 'trace'>): AsyncGenerator<CheckResult> {
  return runDeviceChecks({
    open,
    clock,
    trace,
    settings: PN532_LINE,
    parser: createParser(),
    trials: (channel) => trialsOf({ clock, channel }),
  });
}

function trialsOf(parts: { clock: Clock; channel: FrameChannel<Frame> }): DeviceCheck[] {
  const { clock, channel } = parts;
  return [
    { step: 'wake the chip', advice: WIRING, run: async () => (await wakeUp(parts), 'it answers') },
    {
      step: 'read its firmware',
      advice: 'Another device answers: choose its driver with --driver',
      run: async () => `PN532 firmware ${await readFirmwareVersion(parts)}`,
    },
    {
      step: 'send bytes there and back',
      advice: 'The line loses or changes bytes: use a shorter cable or another adapter',
      run: async () => {
        if (!(await testConnection(parts))) throw new Error('other bytes came back');
        return 'the same bytes came back';
      },
    },
    { step: 'set it up', advice: WIRING, run: async () => (await initialiseChip(parts), 'done') },
    {
      step: 'look for a card',
      advice: 'The field does not come on: the board needs 5 V and up to 150 mA',
      run: async () => {
        const card = await pollForCard(clock, channel);
        return card ? `a card of ${card.modulation === 'typeA' ? 'type A' : 'type B'}` : 'the field is empty';
      },
    },
  ];
}
