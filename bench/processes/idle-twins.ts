import { createServer } from 'node:net';
import { startTcpTwin } from '../../cli/readers/plugged-twin.ts';
import { SystemClock } from '../../protocol/clock.ts';
import { systemRandom } from '../../protocol/ids.ts';
import { silentLog } from '../../protocol/log.ts';
import { listenOn } from '../../server/platform/listen.ts';
import { createChipCard } from '../../simulator/cards/chip-card-registry.ts';
import { createCardTray } from '../../simulator/twins/twin.ts';
import { PAYMENT_TERMINALS } from '../../simulator/twins/twins.ts';
import { handleParentRequests, memoryOfProcess, cpuMsOfProcess } from './parent-requests.ts';

export interface IdleTwinsOrder {
  count: number;
  /** Whether they are servers that answer nothing, in place of twins. */
  bare: boolean;
}

const IN_NETWORK = PAYMENT_TERMINALS.filter(({ overTcp }) => overTcp);

handleParentRequests({
  cpuMs: cpuMsOfProcess,
  memory: memoryOfProcess,
  /** Opens twins that listen, as `tapbench twin` does, with a card at each; of every language in turn. */
  async open({ count, bare }: IdleTwinsOrder): Promise<void> {
    for (let index = 0; index < count; index += 1) await (bare ? listenBare() : listen(index));
  },
});

async function listen(index: number): Promise<void> {
  const entry = IN_NETWORK[index % IN_NETWORK.length]!;
  const [clock, random] = [new SystemClock(), systemRandom];
  const tray = createCardTray(createChipCard(entry.defaultCard, { clock, random }));
  await startTcpTwin({
    ...(await entry.load()),
    clock,
    random,
    log: silentLog,
    tray,
    port: 0,
    manyConnections: entry.manyConnections,
  });
}

const listenBare = () => listenOn(createServer(), { host: '127.0.0.1', port: 0 });
