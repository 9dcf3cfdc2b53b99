import { realpathSync, statSync, unwatchFile, watchFile, type Stats } from 'node:fs';
import { readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SerialPort } from 'serialport';
import { Fault, messageOf } from '../../protocol/failures.ts';
import { serialDevices } from '../../protocol/system/serial-devices.ts';
import type { BytePort, LineSettings, OpenPort } from './byte-port.ts';

// Interval of checks whether the device still exists.
const POLL_INTERVAL_MS = 500;

/** Lists the USB serial ports of this machine. Ptys are not listed. */
export async function listSerialPorts(): Promise<ListedPort[]> {
  // The library runs udevadm, which is not installed on every Linux.
  const ports = await SerialPort.list().catch(sysfsPortsOr);
  return ports
    .filter(({ vendorId }) => vendorId !== undefined)
    .map(({ path, vendorId, productId, manufacturer, serialNumber }) => ({
      path,
      ...(vendorId && { vendorId: vendorId.toUpperCase().padStart(4, '0') }),
      ...(productId && { productId: productId.toUpperCase().padStart(4, '0') }),
      ...(manufacturer && { manufacturer }),
      ...(serialNumber && { serialNumber }),
    }));
}

function sysfsPortsOr(error: unknown): Promise<ListedPort[]> {
  if (serialDevices().isListedInSys) return listSysfsPorts();
  throw new Fault('reader', `the serial ports cannot be listed: ${messageOf(error)}`, { cause: error });
}

/** Returns a function that opens a serial port or pty. It rejects with Fault `reader` and advice for the user. */
export function openSerialPort(path: string): OpenPort {
  return (settings) =>
    new Promise((resolve, reject) => {
      const port = new SerialPort({
        path,
        baudRate: settings.baudRate,
        ...bitsOf(path, settings),
        stopBits: settings.stopBits ?? 1,
        lock: true,
        autoOpen: false,
      });
      port.open((error) => {
        if (error) return reject(new Fault('reader', explainOpenError(path, error), { cause: error }));
        resolve(bytePortOf(path, port));
      });
    });
}

/** A pty cannot have 7 bits for every program, and a virtual port of USB (CDC ACM) ignores them. */
function bitsOf(path: string, { dataBits = 8, parity = 'none' }: LineSettings): BitSettings {
  return isPty(path) || /ttyACM|usbmodem/.test(path) ? { dataBits: 8, parity: 'none' } : { dataBits, parity };
}

interface BitSettings {
  dataBits: 7 | 8;
  parity: 'none' | 'even';
}

/** Whether the path, or the one that it links to, is of a pty: /dev/pts/3 on Linux, /dev/ttys003 on macOS. */
function isPty(path: string): boolean {
  try {
    return /^\/dev\/(pts\/|ttys)[0-9]+$/.test(realpathSync(path));
  } catch {
    return false;
  }
}

/** Returns the device file; undefined on systems without. */
function fileOf(path: string): Stats | undefined {
  if (!serialDevices().isFile) return undefined;
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function bytePortOf(path: string, port: SerialPort): BytePort {
  let gone: string | undefined;
  let waiting: Uint8Array[] = [];
  let onData: ((bytes: Uint8Array) => void) | undefined;
  const onClose: ((reason: string) => void)[] = [];
  const end = (reason: string) => {
    if (gone !== undefined) return;
    gone = reason;
    unwatchFile(path, onStat);
    for (const listener of onClose) listener(reason);
  };
  // The library may miss a disconnection between two polls, so the device file is watched too. A device that was
  // plugged in again is another file. It is read here, since the watch may start after the device has gone.
  const opened = fileOf(path);
  const onStat = (now: Stats) => {
    if (opened && (now.nlink === 0 || now.rdev !== opened.rdev)) lose('the device was unplugged');
  };
  const lose = (reason: string) => {
    end(reason);
    if (port.isOpen) port.close(() => {});
  };
  if (opened) watchFile(path, { interval: POLL_INTERVAL_MS, persistent: false }, onStat);
  // Without a `data` listener the library does not detect an unplugging.
  port.on('data', (bytes: Buffer) => {
    const copy = new Uint8Array(bytes);
    if (onData) onData(copy);
    else waiting.push(copy);
  });
  port.on('close', (error: { disconnected?: boolean } | null) =>
    end(error?.disconnected ? 'the device was unplugged' : 'closed'),
  );
  port.on('error', (error: Error) => lose(error.message));
  return {
    path,
    isLocal: isPty(path),
    write(bytes) {
      return new Promise((resolve, reject) => {
        if (gone !== undefined) return reject(new Fault('reader', `${path}: ${gone}`));
        const fail = (error: Error) => reject(new Fault('reader', `${path}: ${error.message}`));
        port.write(Buffer.from(bytes), (error) => {
          if (error) return fail(error);
          port.drain((trouble) => (trouble ? fail(trouble) : resolve()));
        });
      });
    },
    onData(listener) {
      onData = listener;
      const before = waiting;
      waiting = [];
      for (const bytes of before) listener(bytes);
    },
    onClose: (listener) => void onClose.push(listener),
    close() {
      return new Promise((resolve) => {
        end('closed');
        if (!port.isOpen) return resolve();
        // A device that hangs does not drain, so discard unsent bytes.
        port.flush(() => port.close(() => resolve()));
      });
    },
  };
}

/** Returns a message with advice for a port that does not open. */
export function explainOpenError(path: string, error: unknown, devices = serialDevices()): string {
  const message = messageOf(error).replace(/^Error: /, '');
  if (/No such file|ENOENT|File not found|cannot find/i.test(message)) {
    return `there is no port ${path}: is the reader plugged in? 'tapbench readers' shows what is`;
  }
  if (/Permission denied|EACCES|Access denied/i.test(message)) return devices.explainRefusal(path);
  if (/Cannot lock|Resource temporarily unavailable|EBUSY|EAGAIN|Resource busy|busy/i.test(message)) {
    return `${path} is in use by another program: end it (a modem manager, a terminal program, another agent)`;
  }
  if (/Inappropriate ioctl|ENOTTY|not a (tty|terminal)/i.test(message)) return `${path} is no serial port`;
  return `${path} does not open: ${message}`;
}

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
