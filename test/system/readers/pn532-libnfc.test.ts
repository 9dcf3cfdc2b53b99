import { expect, test } from 'vitest';
import { systemRandom } from '../../../protocol/ids.ts';
import { silentLog } from '../../../protocol/log.ts';
import { createChipCard } from '../../../simulator/cards/chip-card-registry.ts';
import { createTwin } from '../../../simulator/twins/pn532.twin.ts';
import { createPty } from '../../../simulator/twins/pty.ts';
import { createCardTray } from '../../../simulator/twins/twin.ts';
import { realTime } from '../kit/wait-for.ts';
import { runProgram } from '../kit/run-program.ts';

/** The twin of a PN532 on a pty, as libnfc (Debian's libnfc-bin) is told of it. */
async function withTwin<T>(
  card: string | undefined,
  use: (env: Record<string, string>) => Promise<T>,
): Promise<T> {
  const port = await createPty({ clock: realTime, baudRate: 115_200 });
  const tray = createCardTray(card === undefined ? undefined : createChipCard(card));
  const twin = createTwin({ port, clock: realTime, random: systemRandom, log: silentLog, tray });
  try {
    return await use({ LIBNFC_DEVICE: `pn532_uart:${port.path}` });
  } finally {
    await twin.close();
  }
}

test('PN532 twin: nfc-list finds the chip, and an ISO/IEC 14443-4 card in its field', async () => {
  const { code, output } = await withTwin('visa-contactless', (env) =>
    runProgram('nfc-list', ['-v'], { env }),
  );
  expect(output).toMatch(/NFC device: .* opened/);
  expect(output).toContain('1 ISO14443A passive target(s) found');
  expect(output).toContain('Compliant with ISO/IEC 14443-4');
  expect(output).toMatch(/SAK \(SEL_RES\): 20/);
  expect(code).toBe(0);
});

test('PN532 twin: nfc-list finds an empty field empty', async () => {
  const { output } = await withTwin(undefined, (env) => runProgram('nfc-list', ['-v'], { env }));
  expect(output).toContain('0 ISO14443A passive target(s) found');
  expect(output).toContain('0 ISO14443B passive target(s) found');
});

test('PN532 twin: pn53x-tamashell selects the payment environment of the simulated card by raw commands', async () => {
  // InListPassiveTarget (one card of type A), then InDataExchange with SELECT 2PAY.SYS.DDF01.
  const input = [
    '4a 01 00',
    '40 01 00 a4 04 00 0e 32 50 41 59 2e 53 59 53 2e 44 44 46 30 31 00',
    'q',
    '',
  ].join('\n');
  const { output } = await withTwin('visa-contactless', (env) =>
    runProgram('pn53x-tamashell', [], { env, input }),
  );
  const bytes = output.replace(/\s+/g, ' ');
  // Status 00, then the FCI template with the name of the environment.
  expect(bytes).toMatch(/00 6f [0-9a-f]{2} 84 0e 32 50 41 59 2e 53 59 53 2e 44 44 46 30 31/);
  expect(bytes).toMatch(/90 00/);
});
