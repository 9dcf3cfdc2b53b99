import { SystemClock, type Clock } from '../../../../protocol/clock.ts';
import { systemRandom } from '../../../../protocol/ids.ts';
import type { Connector } from '../../../../protocol/link.ts';
import type { Log } from '../../../../protocol/log.ts';
import { mqttConnector } from '../../../../protocol/mqtt-link.ts';
import { createBroker, type Broker, type BrokerLimits } from '../../../../server/platform/broker/broker.ts';
import { credentialsCheck } from '../../../../server/platform/broker/terminal-credentials.ts';
import type { BrokerUsers } from '../../../contract/broker.contract.ts';
import { readableLog, type LogLine } from '../../../contract/peer.ts';
import { makeBrokerUsers, PAIRING_SECRET } from '../../../contract/broker-users.ts';

interface EmbeddedBroker {
  broker: Broker;
  cast: BrokerUsers;
  /** Connects the user of the credentials; the server within the process. */
  connect: Connector;
  /** Every log line of broker and links, parsed. */
  lines: LogLine[];
  log: Log;
}

/** The embedded broker, no port open, with the cast of the contract paired. */
export async function embeddedBroker(
  options: { clock?: Clock; limits?: Partial<BrokerLimits> } = {},
): Promise<EmbeddedBroker> {
  const cast = makeBrokerUsers();
  const { log, lines } = readableLog();
  const generations = new Map([
    [cast.till.username, 1],
    [cast.kiosk.username, 3],
  ]);
  const broker = await createBroker({
    log,
    ...(options.limits && { limits: options.limits }),
    authenticate: credentialsCheck(async () => ({
      pairingSecret: PAIRING_SECRET,
      generationOf: async (terminalId) => generations.get(terminalId),
    })),
  });
  const dial = { clock: options.clock ?? new SystemClock(), random: systemRandom, log };
  const asGuest = mqttConnector({ ...dial, openStream: broker.openStream });
  const asServer = broker.serverConnector(dial);
  return {
    broker,
    cast,
    lines,
    log,
    connect: (plan) => (plan.credentials.clientId === cast.server.clientId ? asServer : asGuest)(plan),
  };
}
