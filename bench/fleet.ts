import type { BenchOptions } from './bench-options.ts';
import { startChild } from './child.ts';
import { alternate, median, spreadOf, type Round } from './measure.ts';
import type { ConnectResult, ConnectRequest } from './processes/connect-all.ts';
import type { Result } from './report.ts';

const TERMINALS = 1_000;

// Concurrent connects. A thousand would overflow the backlog of the listening socket, and the kernel would retry them
// a second later.
const DIALLING = 100;

/** Measures a thousand simulated terminals in one process against a thousand bare MQTT clients. */
export async function benchFleet({ quick }: BenchOptions): Promise<Result[]> {
  const rounds = quick ? 1 : 3;
  const taken = await alternate(
    rounds,
    () => connectThousand('bare-fleet'),
    () => connectThousand('our-fleet'),
  );
  const what = `${taken.length} rounds, each with fresh processes`;
  return [
    resultOf(taken, 'fleet: terminals connected', '/s', (connected) => TERMINALS / connected.seconds, [
      `${TERMINALS} terminals, ${DIALLING} dialling at a time, ${what}`,
      'bare: mqtt.js, connected with a last will and subscribed to the same two filters',
      'ours says besides who it is, what its machine looks like, and asks for its action',
    ]),
    resultOf(taken, 'fleet: memory of a terminal', 'KB', ({ bytes }) => bytes / TERMINALS / 1024, [
      `resident memory of the process after ${TERMINALS}, less that before the first`,
    ]),
  ];
}

/** Runs with a new broker and a new client process, so that earlier rounds have no effect. */
async function connectThousand(program: 'bare-fleet' | 'our-fleet'): Promise<ConnectResult> {
  const broker = startChild('broker');
  const clients = startChild(program, { exposeGc: true });
  try {
    const pairingSecret = 'a pairing secret of the bench, long enough';
    const { url } = await broker.ask<{ url: string }>('start', { pairingSecret });
    const order: ConnectRequest = { url, pairingSecret, count: TERMINALS, dialling: DIALLING };
    return await clients.ask<ConnectResult>('connect', order);
  } finally {
    await clients.stop();
    await broker.stop();
  }
}

function resultOf(
  taken: Round<ConnectResult, ConnectResult>[],
  name: string,
  unit: Result['unit'],
  value: (connected: ConnectResult) => number,
  details: string[],
): Result {
  const ratio = spreadOf(taken.map(({ ours, bare }) => value(ours) / value(bare)));
  const ours = median(taken.map((round) => value(round.ours)));
  const bare = median(taken.map((round) => value(round.bare)));
  return { name, unit, ours, bare, ratio, aim: null, met: null, details };
}
