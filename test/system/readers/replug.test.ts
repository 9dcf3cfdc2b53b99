import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CardSlot } from '../../../agent/readers/card-slot.ts';
import { createCcidSlot } from '../../../agent/readers/ccid/slot.ts';
import { createPn532Slot } from '../../../agent/readers/pn532/slot.ts';
import { openSerialPort } from '../../../agent/readers/serial-port.ts';
import { toHex } from '../../../protocol/emv/hex.ts';
import { messageOf } from '../../../protocol/failures.ts';
import { systemRandom } from '../../../protocol/ids.ts';
import { silentLog } from '../../../protocol/log.ts';
import type { ChipCard } from '../../../simulator/cards/chip-card.ts';
import { createTwin as createCcidTwin } from '../../../simulator/twins/ccid.twin.ts';
import { createTwin as createPn532Twin } from '../../../simulator/twins/pn532.twin.ts';
import { createPty } from '../../../simulator/twins/pty.ts';
import { createCardTray } from '../../../simulator/twins/twin.ts';
import { echo, fakeChip } from '../../agent/readers/fake-chip.ts';
import { realTime } from '../kit/wait-for.ts';

const COMMAND = Uint8Array.of(0x00, 0xb0, 0x00, 0x00, 0x10);

test.each([
  { name: 'PN532', createSlot: createPn532Slot, createTwin: createPn532Twin },
  { name: 'CCID', createSlot: createCcidSlot, createTwin: createCcidTwin },
])(
  'reader: a $name on a real line is unplugged during a payment, and works when plugged in again',
  async (kind) => {
    const folder = mkdtempSync(join(tmpdir(), 'replug-'));
    const link = join(folder, 'ttyReader');
    const plugIn = async (card: ChipCard) => {
      const port = await createPty({ clock: realTime, link, baudRate: 115_200 });
      const tray = createCardTray(card);
      return kind.createTwin({ port, clock: realTime, random: systemRandom, log: silentLog, tray });
    };
    const slot: CardSlot = kind.createSlot({ open: openSerialPort(link), clock: realTime, log: silentLog });
    const never = new AbortController().signal;
    expect(await slot.waitForCard(never).then(String, messageOf)).toContain(`there is no port ${link}`);

    // A card that never answers, so that the unplugging comes in the middle of a command.
    let reached = () => {};
    const asked = new Promise<void>((resolve) => (reached = resolve));
    const first = await plugIn(
      fakeChip(() => {
        reached();
        return new Promise(() => {});
      }),
    );
    const card = (await slot.waitForCard(never))!;
    const answer = card.transceive(COMMAND).then(toHex, messageOf);
    await asked;
    await first.close();
    expect(await answer).toMatch(/unplugged|hung up|Input\/output|EIO/);

    const second = await plugIn(fakeChip());
    const again = (await slot.waitForCard(never))!;
    expect(await again.transceive(COMMAND)).toEqual(echo(COMMAND));
    await again.release();
    await slot.close();
    await second.close();
    rmSync(folder, { recursive: true });
  },
);
