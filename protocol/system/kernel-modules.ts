import { access } from 'node:fs/promises';
import { THIS_SYSTEM, type System } from './this-system.ts';

/** Modules of Linux that open NFC readers for themselves, so that the smart card service cannot. */
const NFC_MODULES = ['pn533_usb', 'pn533'];

/**
 * Returns the kernel modules that keep NFC readers from the smart card service.
 *
 * - Linux: pn533_usb and pn533 take readers with a PN532 or PN533, such as the ACR122U, when they are plugged in.
 * - macOS and Windows: there are none.
 */
export async function blockingModules(system: System = THIS_SYSTEM, root = '/sys/module'): Promise<string[]> {
  if (system !== 'linux') return [];
  const found = await Promise.all(
    NFC_MODULES.map((name) =>
      access(`${root}/${name}`).then(
        () => name,
        () => undefined,
      ),
    ),
  );
  return found.filter((name) => name !== undefined);
}
