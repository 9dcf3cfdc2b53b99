import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../protocol/clock.ts';
import { Fault } from '../../protocol/failures.ts';
import type { LinkCredentials } from '../../protocol/link.ts';
import type { Log } from '../../protocol/log.ts';
import { DEFAULT_SANDBOX } from '../../protocol/topics.ts';
import { listPairedSimulators, listPairingGenerations } from '../../server/api/pairing/pairing.records.ts';
import type { BrokerUser } from '../../server/platform/broker/external-broker.ts';
import {
  localSimulatorCredentials,
  parsePrincipal,
  serverCredentials,
  simulatorCredentials,
  terminalCredentials,
} from '../../server/platform/broker/terminal-credentials.ts';
import { refuseRunningServers } from '../../server/platform/instances/other-instances.ts';
import { openStore } from '../../server/platform/store/open-store.ts';
import type { Store } from '../../server/platform/store/store.ts';
import { credentialsIn } from '../data-folder/addresses.ts';
import { openSandboxStorage } from './sandbox-hosting.ts';

interface UsersSource {
  dataDir: string;
  databaseUrl: string | undefined;
  /** Address of the broker, with the user name of the first server where that is not `server`. */
  mqttUrl: string | undefined;
  /** How many servers use the broker. */
  instances: number;
  /** Of the sandbox `default`. */
  pairingSecret: string;
  clock: Clock;
  log: Log;
}

interface Users {
  users: BrokerUser[];
  /** Number of terminals that have no user, because they are not paired. */
  unpaired: number;
}

/**
 * Returns the users of an external broker: each server, and the local simulator, the simulators that were paired last
 * and every paired terminal of each sandbox. The server may run.
 * @throws Fault `bad_setting` for a folder without a store
 */
export async function readBrokerUsers(source: UsersSource): Promise<Users> {
  const devices = await readDevicesOfAll(source);
  return {
    users: [
      ...serversOf(source).map(({ username, password }): BrokerUser => ({
        username,
        password,
        principal: { kind: 'server' },
      })),
      ...devices
        .flatMap(({ credentials }) => credentials)
        .map(({ username, password }) => ({
          username,
          password,
          principal: parsePrincipal(username)!,
        })),
    ],
    unpaired: devices.reduce((sum, { unpaired }) => sum + unpaired, 0),
  };
}

function serversOf({ pairingSecret, mqttUrl, instances }: UsersSource): LinkCredentials[] {
  const userinfo = mqttUrl === undefined ? undefined : credentialsIn(mqttUrl);
  const first = serverCredentials(pairingSecret, '1', userinfo);
  const further = Array.from({ length: instances - 1 }, (_, index) =>
    serverCredentials(pairingSecret, '1', { username: `${first.username}-${index + 2}`, password: '' }),
  );
  return [first, ...further];
}

interface Devices {
  credentials: LinkCredentials[];
  unpaired: number;
}

async function readDevicesOfAll({
  dataDir,
  databaseUrl,
  pairingSecret,
  clock,
  log,
}: UsersSource): Promise<Devices[]> {
  const path = join(dataDir, 'store.db');
  if (databaseUrl === undefined && !existsSync(path))
    throw new Fault('bad_setting', `DATA_DIR ${dataDir} has no store: start the server once first`);
  const beforeUpdate = (store: Store) => refuseRunningServers(store, { realClock: clock, log });
  const where = databaseUrl === undefined ? { path } : { databaseUrl };
  const main = await openStore({ ...where, beforeUpdate, log });
  const devices = [await readDevices(main, pairingSecret, DEFAULT_SANDBOX)];
  const storage = await openSandboxStorage({ dataDir, databaseUrl, log });
  try {
    for (const record of await storage.read())
      devices.push(await readDevices(await storage.open(record), record.keys.pairingSecret, record.name));
    return devices;
  } finally {
    await storage.close();
  }
}

/** Returns the devices of a sandbox, and closes its store. */
async function readDevices(store: Store, pairingSecret: string, sandbox: string): Promise<Devices> {
  try {
    const known = await listPairingGenerations(store);
    const paired = known.filter(({ generation }) => generation > 0);
    const simulators = await listPairedSimulators(store);
    return {
      credentials: [
        localSimulatorCredentials(pairingSecret, sandbox),
        ...simulators.map((uuid) => simulatorCredentials(pairingSecret, { uuid: () => uuid }, sandbox)),
        ...paired.map(({ id, generation }) => terminalCredentials(pairingSecret, id, generation, sandbox)),
      ],
      unpaired: known.length - paired.length,
    };
  } finally {
    await store.close();
  }
}
