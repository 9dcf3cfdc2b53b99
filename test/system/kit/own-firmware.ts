import { memoryJournal, type ActionJournal } from '../../../agent/lifecycle/action-journal.ts';
import { SystemClock } from '../../../protocol/clock.ts';
import { systemRandom } from '../../../protocol/ids.ts';
import type { Connector } from '../../../protocol/link.ts';
import { silentLog } from '../../../protocol/log.ts';
import { mqttConnector } from '../../../protocol/mqtt-link.ts';
import { createFleet, type Fleet } from '../../../simulator/fleet.ts';
import type { SystemFixture } from './system-fixture.ts';
import type { Tapbench } from './tapbench.ts';
import { waitFor } from './wait-for.ts';

/** What of a terminal differs from the firmware of the project. */
interface Alteration {
  /** Changes how its firmware is connected. */
  connect?: (connect: Connector) => Connector;
  /** Changes its journal. */
  journal?: (journal: ActionJournal) => ActionJournal;
  serialNumber?: string;
  /** Whether the server can operate it, as a simulator; true by default. Otherwise the test is the person at it. */
  isControlled?: boolean;
}

/** A link that is never there. */
const NO_LINK: Connector = () => ({
  open: () => {},
  publish: () => Promise.reject(new Error('there is no link')),
  online: false,
  close: () => Promise.resolve(),
  drop: () => {},
});

/**
 * Registers a terminal that the server does not simulate, and runs it in this process. Resolves once it is online.
 */
export async function startOwnFirmware(
  fixture: SystemFixture,
  { api, mqttUrl, locationId }: Tapbench,
  {
    connect: alter = (given) => given,
    journal = (given) => given,
    serialNumber = '1853012345',
    isControlled = true,
  }: Alteration = {},
): Promise<{ terminalId: string; fleet: Fleet }> {
  const { body } = await api('POST', '/v1/in-person/terminals', { serialNumber, locationId });
  const clock = new SystemClock();
  const parts = { clock, random: systemRandom, log: silentLog };
  const connect = mqttConnector({ ...parts, url: mqttUrl });
  const fleet = createFleet({
    ...parts,
    connect: isControlled ? connect : NO_LINK,
    connectTerminal: alter(connect),
    api: { request: (method, path, sent) => api(method, path, sent) },
    journalFor: () => journal(memoryJournal()),
    cardholder: { script: 'none' },
    onClock: ({ offsetMs }) => clock.setOffset(offsetMs),
  });
  fixture.onCleanUp(() => fleet.close());
  await fleet.add({ terminalId: body.id });
  if (isControlled) await fleet.controlled();
  await waitFor('the terminal to be online', () => fleet.terminal(body.id)?.online === true);
  return { terminalId: body.id, fleet };
}
