import { expect, test } from 'vitest';
import type { Random } from '../../../protocol/ids.ts';
import { startMosquitto } from './mosquitto-server.ts';
import { serverOnBroker } from './server-on-broker.ts';
import { waitFor } from '../kit/wait-for.ts';

const TERMINALS = 300;
/** Terminals that wait for the issuer's answer when the broker is restarted. */
const WAITING = 30;

/** Makes every random pause the longest that it may be. */
const LONGEST: Random = { bytes: (count) => new Uint8Array(count).fill(255) };

test('mosquitto: a restart under 300 payments fails none, although the terminals reconnect before the server', async () => {
  // The server is slower to come back than the terminals are.
  const { broker, made, api, startFleet, outcomes } = await serverOnBroker('mosquitto', startMosquitto, {
    random: LONGEST,
    firstReconnectMs: 3_000,
    maxReconnectMs: 3_000,
  });
  const waiting = new Set<string>();
  const { ids, fleet } = await startFleet(TERMINALS, (activity) => {
    if (activity.what === 'stepped' && activity.state === 'authorising') waiting.add(activity.terminalId);
  });

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
  await broker.restart();
  await waitFor('terminals that are back before the server', () =>
    fleet.terminals().some(({ online }) => online && !gateway.online),
  );

  await waitFor('every payment to end', async () => !(await outcomes()).includes('InProgress'), 60_000);
  expect(await outcomes()).toEqual(Array.from({ length: TERMINALS }, () => 'Succeeded'));
});
