import { memoryJournal } from '../../../agent/lifecycle/action-journal.ts';
import { SystemClock } from '../../../protocol/clock.ts';
import { systemRandom } from '../../../protocol/ids.ts';
import type { Connector } from '../../../protocol/link.ts';
import { silentLog } from '../../../protocol/log.ts';
import { mqttConnector } from '../../../protocol/mqtt-link.ts';
import { createFleet, type Fleet } from '../../../simulator/fleet.ts';
import type { SystemFixture } from './system-fixture.ts';
import type { Tapbench } from './tapbench.ts';
import { waitFor } from './wait-for.ts';

const SERIAL = '1853012345';

/**
 * Registers a terminal that the server does not simulate, and runs it in this process. Resolves once it is online.
 * @param alter changes how its firmware is connected; the firmware of the project by default
 */
export async function startOwnFirmware(
  fixture: SystemFixture,
  { api, mqttUrl, locationId }: Tapbench,
  alter: (connect: Connector) => Connector = (connect) => connect,
): Promise<{ terminalId: string; fleet: Fleet }> {
  const { body } = await api('POST', '/v1/in-person/terminals', { serialNumber: SERIAL, locationId });
  const clock = new SystemClock();
  const parts = { clock, random: systemRandom, log: silentLog };
  const connect = mqttConnector({ ...parts, url: mqttUrl });
  const fleet = createFleet({
    ...parts,
    connect,
    connectTerminal: alter(connect),
    api: { request: (method, path, sent) => api(method, path, sent) },
    journalFor: memoryJournal,
    cardholder: { script: 'none' },
    onClock: ({ offsetMs }) => clock.setOffset(offsetMs),
  });
  fixture.onCleanUp(() => fleet.close());
  await fleet.add({ terminalId: body.id });
  await fleet.controlled();
  await waitFor('the terminal to be online', () => fleet.terminal(body.id)?.online === true);
  return { terminalId: body.id, fleet };
}
