import { expect, test } from 'vitest';
import { toHex } from '../../../protocol/emv/hex.ts';
import { systemRandom } from '../../../protocol/ids.ts';
import { silentLog } from '../../../protocol/log.ts';
import { createChipCard } from '../../../simulator/cards/chip-card-registry.ts';
import type { ChipCard } from '../../../simulator/cards/chip-card.ts';
import { createTwin } from '../../../simulator/twins/ccid.twin.ts';
import { createPty } from '../../../simulator/twins/pty.ts';
import { createCardTray } from '../../../simulator/twins/twin.ts';
import { fakeChip } from '../../agent/readers/fake-chip.ts';
import { startPcscd } from '../kit/pcscd.ts';
import { waitFor, realTime } from '../kit/wait-for.ts';
import { runProgram } from '../kit/run-program.ts';

const DRIVER = '/usr/lib/pcsc/drivers/serial/libccidtwin.so';

/** The twin of a CCID reader on a pty, and Debian's pcscd with its serial driver in front of it. */
async function withReader<T>(card: ChipCard, use: () => Promise<T>): Promise<T> {
  const port = await createPty({ clock: realTime, baudRate: 115_200 });
  const tray = createCardTray(card);
  const twin = createTwin({ port, clock: realTime, random: systemRandom, log: silentLog, tray });
  const pcscd = await startPcscd({
    FRIENDLYNAME: '"Tapbench twin"',
    DEVICENAME: `${port.path}:GemCorePOSPro`,
    LIBPATH: DRIVER,
  });
  try {
    await waitFor('pcscd sees the card', async () =>
      (await runProgram('opensc-tool', ['--list-readers'])).output.includes('Yes'),
    ).catch((error: Error) => {
      throw new Error(`${error.message}; pcscd says: ${pcscd.output}`);
    });
    return await use();
  } finally {
    await pcscd.close();
    await twin.close();
  }
}

test('CCID twin: opensc-tool reads its answer to reset, and scriptor the application of a simulated card', async () => {
  const card = createChipCard('visa-contact-pin')!;
  await withReader(card, async () => {
    const { output: atr } = await runProgram('opensc-tool', ['--reader', '0', '--atr']);
    expect(atr.replaceAll(/[\s:]/g, '').toUpperCase()).toContain(toHex(card.atr));

    // SELECT 1PAY.SYS.DDF01 and READ RECORD 1 of its directory: the card says first how long its answers are.
    const script = [
      'reset',
      '00 A4 04 00 0E 31 50 41 59 2E 53 59 53 2E 44 44 46 30 31',
      '00 B2 01 0C 00',
      '',
    ].join('\n');
    const { output, code } = await runProgram('scriptor', ['-p', 'T=0'], { input: script });
    const bytes = output.replaceAll(/\s+/g, ' ');
    expect(code).toBe(0);
    const [, template] = /< 61 ([0-9A-F]{2}) :/.exec(bytes)!;
    const [, record] = /< 6C ([0-9A-F]{2}) :/.exec(bytes)!;

    const [reset, select] = script.split('\n');
    const again = [reset, select, `00 C0 00 00 ${template}`, `00 B2 01 0C ${record}`, ''].join('\n');
    const { output: fetched } = await runProgram('scriptor', ['-p', 'T=0'], { input: again });
    const read = fetched.replaceAll(/\s+/g, ' ');
    expect(read).toMatch(/< 6F [^:>]*84 0E 31 50 41 59 2E 53 59 53 2E 44 44 46 30 31 [^:>]*90 00 :/);
    // A directory entry with the application of the card, by its identifier.
    expect(read).toMatch(/< 70 [0-9A-F]{2} 61 [0-9A-F]{2} 4F 07 A0 00 00 00 03 10 10 [^:>]*90 00 :/);
  });
});

test('CCID twin: pcscd reads a T=1 card in blocks', async () => {
  const card = fakeChip(undefined, `3B808131FE45${checkByte('808131FE45')}`);
  await withReader(card, async () => {
    const long = Array.from({ length: 200 }, (_, n) => n.toString(16).padStart(2, '0'));
    const script = ['reset', `00 A4 04 00 C8 ${long.join(' ')}`, ''].join('\n');
    const { output } = await runProgram('scriptor', ['-p', 'T=1'], { input: script });
    expect(output.replaceAll(/\s+/g, ' ').toUpperCase()).toContain(
      `< 00 A4 04 00 C8 ${long.join(' ').toUpperCase()} 90 00`,
    );
  });
});

/** TCK (ISO/IEC 7816-3 §8.2.5). */
function checkByte(after: string): string {
  return toHex(Uint8Array.of(Buffer.from(after, 'hex').reduce((sum, byte) => sum ^ byte, 0)));
}
