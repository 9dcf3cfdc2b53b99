import { statSync, unwatchFile, watchFile, type Stats } from 'node:fs';
import { SerialPort } from 'serialport';
import { Fault, messageOf } from '../../protocol/failures.ts';
import type { BytePort, OpenPort } from './byte-port.ts';
import { listSysfsPorts, type ListedPort } from './sysfs-ports.ts';

// How often it is looked whether the device is still there.
const LOOK_EVERY_MS = 500;

/** Serial ports of this machine. A pty is not among them: nothing lists those. */
export async function listSerialPorts(): Promise<ListedPort[]> {
  // The library asks udevadm, which not every Linux has.
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
  if (process.platform === 'linux') return listSysfsPorts();
  throw new Fault('reader', `the serial ports cannot be listed: ${messageOf(error)}`, { cause: error });
}

/**
 * Opens a serial port, a real one or a pty.
 * @returns what rejects with Fault `reader` and words for the person in front of it.
 */
export function openSerialPort(path: string): OpenPort {
  return (settings) =>
    new Promise((resolve, reject) => {
      const port = new SerialPort({
        path,
        baudRate: settings.baudRate,
        dataBits: 8,
        parity: 'none',
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

/** The device as a file; undefined where ports are none, as on Windows. */
function fileOf(path: string): Stats | undefined {
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
    unwatchFile(path, looked);
    for (const listener of onClose) listener(reason);
  };
  // A hang-up is not always seen: the library may be between two looks at the line. So its file is watched,
  // where there is one; a device that went and came back is another file.
  // It is known from here on, since the watch may look for the first time when it is gone already.
  const opened = fileOf(path);
  const looked = (now: Stats) => {
    if (opened && (now.nlink === 0 || now.rdev !== opened.rdev)) lose('the device was unplugged');
  };
  const lose = (reason: string) => {
    end(reason);
    if (port.isOpen) port.close(() => {});
  };
  if (opened) watchFile(path, { interval: LOOK_EVERY_MS, persistent: false }, looked);
  // Without a `data` listener the library does not notice an unplugging.
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
        // A device that hangs does not drain: what it has not taken is thrown away.
        port.flush(() => port.close(() => resolve()));
      });
    },
  };
}

/** What to do about a port that does not open. */
export function explainOpenError(path: string, error: unknown, platform: string = process.platform): string {
  const message = messageOf(error).replace(/^Error: /, '');
  if (/No such file|ENOENT|File not found|cannot find/i.test(message)) {
    return `there is no port ${path}: is the reader plugged in? 'tapbench readers' shows what is`;
  }
  if (/Permission denied|EACCES|Access denied/i.test(message)) {
    if (platform === 'win32') return `${path} is in use by another program`;
    const group =
      platform === 'linux'
        ? "; 'sudo usermod -aG dialout $USER' and a new login, or the rule of 'tapbench udev', allow it"
        : '';
    return `${path} may not be opened by this user${group}`;
  }
  if (/Cannot lock|Resource temporarily unavailable|EBUSY|EAGAIN|Resource busy|busy/i.test(message)) {
    return `${path} is in use by another program: end it (a modem manager, a terminal program, another agent)`;
  }
  if (/Inappropriate ioctl|ENOTTY|not a (tty|terminal)/i.test(message)) return `${path} is no serial port`;
  return `${path} does not open: ${message}`;
}
