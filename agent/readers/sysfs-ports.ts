import { readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** USB serial ports: bridge chips (ttyUSB) and CDC ACM devices (ttyACM). */
const USB_TTY = /^tty(USB|ACM)\d+$/;

/** Lists serial ports from /sys, for Linux systems without udev, such as containers. Skips what cannot be read. */
export async function listSysfsPorts(root: string = '/sys/class/tty'): Promise<ListedPort[]> {
  const names = await readdir(root).catch(() => []);
  const ports = await Promise.all(
    names.filter((name) => USB_TTY.test(name)).map((name) => portOf(root, name)),
  );
  return ports.filter((port) => port !== undefined);
}

async function portOf(root: string, name: string): Promise<ListedPort | undefined> {
  const device = await realpath(join(root, name, 'device')).catch(() => undefined);
  // The ids are in the folder of the USB device, some levels above the port.
  for (let at = device; at !== undefined && at !== dirname(at); at = dirname(at)) {
    const folder = at;
    const read = (file: string) =>
      readFile(join(folder, file), 'utf8').then(
        (text) => text.trim(),
        () => undefined,
      );
    const vendorId = await read('idVendor');
    if (vendorId === undefined) continue;
    const [productId, manufacturer, serialNumber] = await Promise.all(
      ['idProduct', 'manufacturer', 'serial'].map(read),
    );
    return { path: `/dev/${name}`, vendorId, productId, manufacturer, serialNumber };
  }
  return undefined;
}

/** A serial port of this machine. Ids are upper-case hexadecimal, and only there for what is plugged in by USB. */
export interface ListedPort {
  path: string;
  vendorId?: string | undefined;
  productId?: string | undefined;
  manufacturer?: string | undefined;
  serialNumber?: string | undefined;
}
