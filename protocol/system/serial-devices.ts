import { THIS_SYSTEM, type System } from './this-system.ts';

/** What a system does with serial ports. */
interface SerialDevices {
  /** Whether ports are listed from /sys where udev is not installed. */
  isListedInSys: boolean;
  /** Whether a port is a file, whose end shows that the device was unplugged. */
  isFile: boolean;
  /** Returns why a port refuses to be opened, with advice. */
  explainRefusal(path: string): string;
}

const LINUX: SerialDevices = {
  isListedInSys: true,
  isFile: true,
  explainRefusal: (path) =>
    `${path} may not be opened by this user; 'sudo usermod -aG dialout $USER' and a new login, or the rule of 'tapbench udev', allow it`,
};

const POSIX: SerialDevices = {
  isListedInSys: false,
  isFile: true,
  explainRefusal: (path) => `${path} may not be opened by this user`,
};

// It opens a port for one program alone, and says "access denied" to the next.
const WINDOWS: SerialDevices = {
  isListedInSys: false,
  isFile: false,
  explainRefusal: (path) => `${path} is in use by another program`,
};

/**
 * Returns what a system does with serial ports.
 *
 * - Linux: `/dev/ttyUSB0`, which belongs to the group dialout.
 * - macOS: `/dev/tty.usbserial-…`, open to all users.
 * - Windows: `COM3`, which is no file.
 */
export function serialDevices(system: System = THIS_SYSTEM): SerialDevices {
  if (system === 'win32') return WINDOWS;
  return system === 'linux' ? LINUX : POSIX;
}
