import { expect, test } from 'vitest';
import { Fault } from '../../../../protocol/failures.ts';
import { seededRandom } from '../../../../protocol/ids.ts';
import { createLog } from '../../../../protocol/log.ts';
import { createStandAloneDevice } from '../../../../simulator/twins/stand-alone/stand-alone-device.ts';
import { createCardTray } from '../../../../simulator/twins/twin.ts';
import { bytePipe } from '../../../../simulator/twins/byte-pipe.ts';
import { VirtualClock } from '../../../../world/virtual-clock.ts';

test.each([
  ['a till that hangs up', 'debug', new Fault('reader', 'the line is closed')],
  ['a till that says nothing', 'debug', new Fault('timed_out', 'no acknowledgement')],
  ['a bug of the terminal', 'error', new TypeError('no function')],
  ['a fault of the terminal', 'error', new Fault('internal', 'too long')],
])('stand-alone device: logs %s as %s', async (_, level, error) => {
  const lines: string[] = [];
  const log = createLog({ level: 'debug', destination: { write: (line) => void lines.push(line) } });
  const clock = new VirtualClock(Date.UTC(2026, 10, 20, 12));
  const [, port] = bytePipe({ clock });
  const parts = { port, clock, random: seededRandom('device'), log, tray: createCardTray() };
  createStandAloneDevice(parts, { language: 'en' }).run(Promise.reject(error));
  await clock.advance(0);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: log.levels.values[level] }]);
  expect(lines[0]).toContain(error.message);
});
