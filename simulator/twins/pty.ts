import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { resolve } from 'node:path';
import { ReadStream } from 'node:tty';
import type { BytePort, LineSettings } from '../../agent/readers/byte-port.ts';
import type { Clock } from '../../protocol/clock.ts';
import { Fault, messageOf } from '../../protocol/failures.ts';
import { isPty, requirePtys } from '../../protocol/system/ptys.ts';
import { spawn } from 'node:child_process';
import { Duplex } from 'node:stream';
import { pacedPort, streamPort } from './device-port.ts';

export interface PtyParts extends Partial<LineSettings> {
  /** Paces the line, if there is a `baudRate`; a pty by itself carries bytes at once. */
  clock: Clock;
  /** A stable name for the device; replaced when it is a link already, refused when it is anything else. */
  link?: string;
  /** How to make it; by default whatever works, koffi first. */
  maker?: 'koffi' | 'socat';
}

/** The device's end of a pty. A program that opens `path` sees a serial port. */
export interface Pty extends BytePort {
  /** The link, or the device itself where there is none. */
  readonly path: string;
  /** The device, such as `/dev/pts/4`. */
  readonly device: string;
}

/**
 * Makes a pty, raw and held open, so that programs may open and close it as they please.
 * @throws Fault `bad_setting` on a system without ptys, without koffi and socat, or when the link cannot be made.
 */
export async function createPty({ clock, link, maker, baudRate, stopBits }: PtyParts): Promise<Pty> {
  requirePtys();
  const raw = maker === 'socat' ? await openSocatPty() : await openPty(maker === undefined);
  const name = link === undefined ? raw.device : resolve(link);
  let unlink = () => {};
  try {
    if (link !== undefined) unlink = placeLink(name, raw.device);
  } catch (error) {
    raw.stream.destroy();
    raw.release();
    throw error;
  }
  const port = streamPort(name, raw.stream, () => {
    unlink();
    raw.release();
  });
  const paced = baudRate === undefined ? port : pacedPort(port, { clock, line: { baudRate, stopBits } });
  return { ...paced, path: name, device: raw.device };
}

async function openPty(mayFallBack: boolean): Promise<RawPty> {
  try {
    return await openKoffiPty();
  } catch (error) {
    if (!mayFallBack) throw error;
    return openSocatPty().catch(() => {
      throw new Fault(
        'bad_setting',
        `no pty can be made: ${messageOf(error)}, and socat is not there either`,
      );
    });
  }
}

// Larger than any system's struct termios.
const TERMIOS_BYTES = 256;

/** posix_openpt(3) and its companions, which Node does not offer. */
async function openKoffiPty(): Promise<RawPty> {
  const { default: koffi } = await import('koffi');
  // The C library is part of the process already.
  const libc = koffi.load(null);
  const posixOpenpt = libc.func('int posix_openpt(int flags)');
  const grantpt = libc.func('int grantpt(int fd)');
  const unlockpt = libc.func('int unlockpt(int fd)');
  const ptsname = libc.func('const char *ptsname(int fd)');
  const tcgetattr = libc.func('int tcgetattr(int fd, void *termios)');
  const cfmakeraw = libc.func('void cfmakeraw(void *termios)');
  const tcsetattr = libc.func('int tcsetattr(int fd, int actions, void *termios)');

  const master: number = posixOpenpt(constants.O_RDWR | constants.O_NOCTTY);
  if (master < 0) throw new Fault('bad_setting', 'the system has no pty left');
  let slave: number | undefined;
  try {
    if (grantpt(master) !== 0 || unlockpt(master) !== 0) throw new Error('the pty cannot be unlocked');
    const device: string = ptsname(master);
    // Held open, the pty does not hang up when a program closes it; raw, it changes no byte.
    slave = openSync(device, constants.O_RDWR | constants.O_NOCTTY);
    const termios = Buffer.alloc(TERMIOS_BYTES);
    if (tcgetattr(slave, termios) !== 0) throw new Error('the pty has no settings');
    cfmakeraw(termios);
    if (tcsetattr(slave, 0, termios) !== 0) throw new Error('the pty cannot be made raw');
    const held = slave;
    return { device, stream: new ReadStream(master), release: () => closeSync(held) };
  } catch (error) {
    closeSync(master);
    if (slave !== undefined) closeSync(slave);
    throw error;
  }
}

/**
 * Points a name at a device, in place of an older link. Returns a function that removes the link, unless it
 * points elsewhere by then; the end of the process calls it at the latest.
 */
function placeLink(name: string, device: string): () => void {
  const before = lstatSync(name, { throwIfNoEntry: false });
  // A link of something else, such as one that udev made, is as little ours as a file.
  if (before && !(before.isSymbolicLink() && isPty(readlinkSync(name)))) {
    throw new Fault('bad_setting', `${name} is there already and is no link to a line: choose another name`);
  }
  const fresh = `${name}.${process.pid}`;
  try {
    symlinkSync(device, fresh);
    renameSync(fresh, name);
  } catch (error) {
    throw new Fault('bad_setting', `the link ${name} cannot be made: ${messageOf(error)}`);
  }
  const remove = () => {
    process.off('exit', remove);
    try {
      if (readlinkSync(name) === device) unlinkSync(name);
    } catch {
      // Somebody else has removed it.
    }
  };
  process.on('exit', remove);
  return remove;
}

/**
 * A pty made by socat, where koffi does not load.
 * @throws Fault `bad_setting` when socat is not there or does not make one.
 */
async function openSocatPty(): Promise<RawPty> {
  // -d -d: it says which device it has made.
  const child = spawn('socat', ['-d', '-d', 'pty,raw,echo=0', 'stdio'], { stdio: ['pipe', 'pipe', 'pipe'] });
  const device = await new Promise<string>((made, reject) => {
    let said = '';
    child.on('error', (error) => reject(new Fault('bad_setting', `socat does not run: ${error.message}`)));
    child.on('exit', () => reject(new Fault('bad_setting', 'socat makes no pty')));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const found = /PTY is (\S+)/.exec(said);
      if (found) made(found[1]!);
    });
  });
  // Held open, the pty does not hang up when a program closes it.
  const held = openSync(device, constants.O_RDWR | constants.O_NOCTTY);
  return {
    device,
    stream: Duplex.from({ readable: child.stdout, writable: child.stdin }),
    release() {
      closeSync(held);
      child.kill();
    },
  };
}

/** The raw master end of a pty, and what closes it. */
interface RawPty {
  device: string;
  stream: Duplex;
  release(): void;
}
