import type { DriverEntry } from './driver.ts';
import { DRIVERS } from './drivers.ts';

/** USB ids of a connected device, in upper-case hexadecimal. */
export interface UsbIds {
  vendorId?: string | undefined;
  productId?: string | undefined;
}

/** A driver that may match, and the chip or maker that it was matched by. */
export interface DriverSuggestion {
  driver: DriverEntry;
  what: string;
}

/** Returns the drivers that may match a connected device. */
export function suggestDrivers(port: UsbIds): DriverSuggestion[] {
  const fits = DRIVERS.flatMap((driver) => driver.usb.map((usb) => ({ driver, usb }))).filter(
    ({ usb }) =>
      usb.vendorId === port.vendorId && (usb.productId === undefined || usb.productId === port.productId),
  );
  return fits.map(({ driver, usb }) => ({ driver, what: usb.what }));
}

/** Returns the drivers that may match, without the reason. */
export function detectDrivers(port: UsbIds): DriverEntry[] {
  return suggestDrivers(port).map(({ driver }) => driver);
}
