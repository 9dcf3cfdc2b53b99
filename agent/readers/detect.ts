import type { DriverRow } from './driver.ts';
import { DRIVERS } from './drivers.ts';

/** What is plugged in, as far as USB says: upper-case hexadecimal. */
export interface UsbIds {
  vendorId?: string | undefined;
  productId?: string | undefined;
}

/** Why a driver may fit. A bridge chip says only that there is a serial line behind it. */
export interface Suggestion {
  driver: DriverRow;
  what: string;
}

/** The drivers that may fit what is plugged in. */
export function suggestDrivers(port: UsbIds): Suggestion[] {
  const fits = DRIVERS.flatMap((driver) => driver.usb.map((usb) => ({ driver, usb }))).filter(
    ({ usb }) =>
      usb.vendorId === port.vendorId && (usb.productId === undefined || usb.productId === port.productId),
  );
  return fits.map(({ driver, usb }) => ({ driver, what: usb.what }));
}

export function detectDrivers(port: UsbIds): DriverRow[] {
  return suggestDrivers(port).map(({ driver }) => driver);
}
