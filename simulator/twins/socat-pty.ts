import { spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { Duplex } from 'node:stream';
import { Fault } from '../../protocol/failures.ts';

/**
 * A pty made by socat, where koffi does not load.
 * @throws Fault `bad_setting` when socat is not there or does not make one.
 */
export async function openSocatPty(): Promise<RawPty> {
  // -d -d: it says which device it has made.
  const child = spawn('socat', ['-d', '-d', 'pty,raw,echo=0', 'stdio'], { stdio: ['pipe', 'pipe', 'pipe'] });
  const device = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.on('error', (error) => reject(new Fault('bad_setting', `socat does not run: ${error.message}`)));
    child.on('exit', () => reject(new Fault('bad_setting', 'socat makes no pty')));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const found = /PTY is (\S+)/.exec(said);
      if (found) resolve(found[1]!);
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
export interface RawPty {
  device: string;
  stream: Duplex;
  release(): void;
}
