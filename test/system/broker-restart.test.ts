import { ACTION_MACHINE_NAMES } from '../../agent/inspection.ts';
import { expect, onTestFinished, test } from 'vitest';
import { memoryJournal } from '../../agent/lifecycle/action-journal.ts';
import { systemRandom, type Random } from '../../protocol/ids.ts';
import { silentLog } from '../../protocol/log.ts';
import { mqttConnector } from '../../protocol/mqtt-link.ts';
import { createServer } from '../../server/app.ts';
import { brokerAcl } from '../../server/platform/broker/external-broker.ts';
import {
  parsePrincipal,
  serverCredentials,
  simulatorCredentials,
} from '../../server/platform/broker/terminal-credentials.ts';
import { restoreSandboxClock } from '../../server/platform/sandbox-clock.ts';
import { openStore } from '../../server/platform/store/open-store.ts';
import { createFleet } from '../../simulator/fleet.ts';
import { createApi } from '../kit/api.ts';
import { createReceivers } from '../kit/receivers.ts';
import { startMosquitto } from './mosquitto-server.ts';
import { waitFor, realTime } from './wait-for.ts';

const TERMINALS = 300;
/** Terminals that wait for the issuer's answer when the broker is restarted. */
const WAITING = 30;
const PAIRING_SECRET = 'a pairing secret for a broker that restarts';

/** Makes every random pause the longest that it may be. */
const LONGEST: Random = { bytes: (count) => new Uint8Array(count).fill(255) };

type User = { clientId: string; username: string; password: string };

function filesFor(users: User[]) {
  const known = users.map((user) => ({ ...user, principal: parsePrincipal(user.username)! }));
  return brokerAcl('mosquitto', { users: known, random: systemRandom });
}

/** A server on a mosquitto, to which it is slower to come back than the terminals are. */
async function serverOnMosquitto() {
  const server = serverCredentials(PAIRING_SECRET, 'one');
  const simulator = simulatorCredentials(PAIRING_SECRET, {
    uuid: () => '00000000-0000-4000-8000-000000000001',
  });
  const mosquitto = await startMosquitto(filesFor([server, simulator]));
  onTestFinished(() => mosquitto.stop());
  const parts = { url: mosquitto.url, clock: realTime, random: systemRandom, log: silentLog };
  const store = await openStore({ path: ':memory:', log: silentLog });
  const made = await createServer({
    terminalMachine: ACTION_MACHINE_NAMES,
    settings: {
      mode: 'sandbox',
      secretKey: 'sk_sandbox_restart',
      publicKey: 'pk_sandbox_restart',
      pairingSecret: PAIRING_SECRET,
      dashboardToken: 'a dashboard token for a broker that restarts',
      rateLimit: 'off',
      magicAmounts: 'off',
      publicUrl: 'http://tapbench.test',
    },
    store,
    clock: await restoreSandboxClock(store),
    realClock: realTime,
    random: systemRandom,
    log: silentLog,
    outgoing: createReceivers().outgoing,
    instanceId: 'one',
    externalBroker: {
      connect: mqttConnector({ ...parts, random: LONGEST, firstReconnectMs: 3_000 }),
      credentials: server,
    },
  });
  await made.start();
  onTestFinished(() => made.stop());
  const api = createApi(() => made, 'sk_sandbox_restart');
  return { mosquitto, made, api, parts, users: [server, simulator] };
}

test('mosquitto: a restart under 300 payments fails none, although the terminals reconnect before the server', async () => {
  const { mosquitto, made, api, parts, users } = await serverOnMosquitto();
  const fleetOf = await api.post('/sandbox/fleets', { terminals: TERMINALS });
  const ids = fleetOf.body.items.map(({ id }: { id: string }) => id) as string[];
  const paired = new Map<string, User>();
  for (const id of ids) paired.set(id, (await api.post(`/pairing/terminals/${id}`)).body);
  mosquitto.reload(filesFor([...users, ...paired.values()]));

  const waiting = new Set<string>();
  const fleet = createFleet({
    ...parts,
    // Those who come before mosquitto has read its files are refused and come again.
    connect: mqttConnector({
      ...parts,
      firstReconnectMs: 20,
      maxReconnectMs: 100,
      maxRefusedReconnectMs: 100,
    }),
    api: {
      async request(_method, path) {
        const terminal = paired.get(path.split('/').at(-1)!);
        return { status: 200, body: terminal ?? users[1] };
      },
    },
    journalFor: memoryJournal,
    cardholder: { script: 'tap', delayMs: 300 },
    readLatencyMs: 0,
    onNotice(notice) {
      if (notice.what === 'stepped' && notice.state === 'authorising') waiting.add(notice.terminalId);
    },
  });
  onTestFinished(() => fleet.close());
  await Promise.all(ids.map((terminalId) => fleet.add({ terminalId })));
  await waitFor('every terminal to be online', () => fleet.terminals().every(({ online }) => online));

  const started = await Promise.all(
    ids.map((id, index) =>
      api.post(`/v1/in-person/terminals/${id}/payment`, {
        amounts: { requested: 10_000 + index },
        currency: 'GBP',
      }),
    ),
  );
  expect(started.filter(({ status }) => status !== 200)).toEqual([]);
  await waitFor('terminals that wait for the issuer', () => waiting.size >= WAITING);
  const { gateway } = made.services;
  await mosquitto.restart();
  await waitFor('terminals that are back before the server', () =>
    fleet.terminals().some(({ online }) => online && !gateway.online),
  );

  const statuses = async () => {
    const rows = await made.services.store.all<{ outcome: string }>(
      `SELECT CASE status WHEN 'Failed' THEN error_code ELSE status END AS outcome FROM actions`,
    );
    return rows.map(({ outcome }) => outcome);
  };
  await waitFor('every payment to end', async () => !(await statuses()).includes('InProgress'), 60_000);
  expect(await statuses()).toEqual(Array.from({ length: TERMINALS }, () => 'Succeeded'));
});
