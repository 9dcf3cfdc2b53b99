import { expect, test } from 'vitest';
import type { BytePort } from '../../../agent/readers/byte-port.ts';
import { plugInTwin } from '../../../cli/readers/plugged-twin.ts';
import { Fault } from '../../../protocol/failures.ts';
import { seededRandom } from '../../../protocol/ids.ts';
import { silentLog } from '../../../protocol/log.ts';
import { createCardTray, type Twin } from '../../../simulator/twins/twin.ts';
import { bytePipe } from '../../kit/byte-pipe.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';

function plug(open: () => Promise<BytePort>, clock: VirtualClock, made: Twin[]) {
  return plugInTwin({
    open,
    line: { baudRate: 9_600 },
    clock,
    random: seededRandom('twin'),
    log: silentLog,
    tray: createCardTray(),
    createTwin({ port }) {
      const twin: Twin = { name: 'lamp', controls: {}, close: () => port.close() };
      made.push(twin);
      return twin;
    },
  });
}

test('plugInTwin: creates the device again when its line can be opened', async () => {
  const clock = new VirtualClock(0);
  const made: Twin[] = [];
  const cables: BytePort[] = [];
  let away = 0;
  const plugged = await plug(
    async () => {
      if (away > 0) {
        away -= 1;
        throw new Fault('reader', 'the device is unplugged');
      }
      const [host, device] = bytePipe({ clock });
      cables.push(host);
      return device;
    },
    clock,
    made,
  );
  expect(plugged.device).toBe(made[0]);

  away = 2;
  await cables[0]!.close();
  await clock.advance(1);
  expect(plugged.device).toBeUndefined();
  await clock.advance(500);
  expect(plugged.device).toBeUndefined();
  await clock.advance(250);
  expect(plugged.device).toBe(made[1]);

  await plugged.close();
  await clock.advance(1_000);
  expect(made).toHaveLength(2);
  expect(clock.due).toEqual([]);
});
