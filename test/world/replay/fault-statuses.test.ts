import { afterAll, expect, test } from 'vitest';
import { idsInText } from '../../../protocol/ids.ts';
import { CUT_POINTS, takesTime, type CutPointName } from '../../../server/platform/faults/cut-points.ts';
import type { Trace } from '../../../server/traces/trace-format.schema.ts';
import { describeDivergence } from '../../../world/replay/describe-divergence.ts';
import { replayTrace } from '../../../world/replay/replay-trace.ts';
import { EVENT_TYPE_NAMES } from '../../../server/api/webhooks/event-types.ts';
import { openCheckout } from '../../kit/checkout.ts';
import { prepareWorlds } from '../../kit/prepared-worlds.ts';
import { openTill } from '../../kit/till.ts';
import type { World } from '../../kit/world.ts';

const worlds = prepareWorlds(async (world) => {
  const { terminalId } = await world.addTerminal();
  await world.listen('shop', [...EVENT_TYPE_NAMES]);
  await world.advance({ minutes: 1 });
  return { terminalId };
});
afterAll(() => worlds.close());

/** Runs into the place of a fault. Returns what waits for the end of it. */
type Begin = (world: World, terminalId: string) => Promise<() => Promise<unknown>>;

const pay: Begin = async (world, terminalId) => {
  const { pay: start, terminal } = openTill(world, world.fleet.terminal(terminalId)!);
  const asked = start(500);
  await world.advance({ seconds: 2 });
  terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await world.advance({ seconds: 1 });
  return async () => {
    await world.advance({ minutes: 4 });
    await asked;
    // Where the terminal never asked for it, the card is still there.
    terminal.perform({ act: 'remove-card' });
  };
};

let customers = 0;
const createCustomer: Begin = async (world) => {
  const email = `ana${(customers += 1)}@example.com`;
  const created = world.api.post('/v1/customers', { email }).catch(() => undefined);
  await world.settled();
  return async () => {
    await world.advance({ minutes: 4 });
    await created;
  };
};

const capture: Begin = async (world) => {
  await openCheckout(world.api).captured();
  await world.settled();
  return () => world.advance({ minutes: 10 });
};

const CREATE = { operation: 'POST /v1/customers' };

const PLACES: Record<CutPointName, { when: object; begin: Begin }> = {
  'api.request': { when: CREATE, begin: createCustomer },
  'api.reply': { when: CREATE, begin: createCustomer },
  'message.command': { when: { message: 'action.decision' }, begin: pay },
  'message.report': { when: { message: 'action.authorise' }, begin: pay },
  'terminal.state': { when: { state: 'authorising' }, begin: pay },
  'terminal.effect': { when: { effect: 'requestAuthorisation' }, begin: pay },
  'server.commit': { when: {}, begin: pay },
  'webhook.attempt': { when: { eventType: 'PaymentSession.captured' }, begin: capture },
};

interface Status {
  when?: object;
  /** Whether the fault lasts when the copy is made; else it is over. */
  lasts?: true;
  isDeleted?: true;
}

const STATUSES: Record<string, Status> = {
  'waits for a later occurrence': { when: { nth: 2 } },
  'has struck once of three times': { when: { times: 3 } },
  'strikes by chance': { when: { times: 3, percent: 50 } },
  'has ended': {},
  'has ended and lasts': { lasts: true },
  'is deleted': { isDeleted: true },
  'is deleted and lasts': { lasts: true, isDeleted: true },
};

const CASES = Object.entries(CUT_POINTS).flatMap(([at, { faults }]) =>
  Object.keys(faults)
    .filter((what) => !what.startsWith('kill-'))
    .flatMap((what) =>
      Object.entries(STATUSES)
        .filter(([, { lasts }]) => !lasts || takesTime(at as CutPointName, what))
        .map(([status]) => [at as CutPointName, what, status] as const),
    ),
);

async function recorded(world: World, session: () => Promise<unknown>): Promise<Trace> {
  const recorder = await world.server.services.recordings!.startRecorder('after');
  await session();
  return recorder.stop();
}

test.each(CASES)('%s %s: a plan that %s', async (at, what, status) => {
  const { when, begin } = PLACES[at];
  const { when: also, lasts, isDeleted } = STATUSES[status]!;
  const { world, prepared } = await worlds.start();
  try {
    await world.advance({ seconds: 1 });
    const fault = { at, what, when: { ...when, ...also }, delayMs: lasts ? 60_000 : 2_000 };
    const plan = (await world.api.post('/sandbox/faults', { seed: '7', faults: [fault] })).body.id;
    const end = await begin(world, prepared.terminalId);
    if (!lasts) await end();
    if (isDeleted) await world.api.delete(`/sandbox/faults/${plan}`);
    const after = async (one: World) => {
      await one.advance({ minutes: 5 });
      if (one === world && lasts) await end();
      else await one.advance({ minutes: 4 });
      await (
        await begin(one, prepared.terminalId)
      )();
    };
    const fork = await world.fork();
    const trace = await recorded(world, () => after(world));
    const result = await replayTrace(trace);
    const forked = await recorded(fork, () => after(fork));
    await fork.close();
    if (result.outcome === 'notReplayable') {
      expect(lasts).toBe(true);
      expect(result.reasons).toEqual([expect.stringMatching(/^a fault held back /)]);
      return;
    }
    expect('divergence' in result && describeDivergence(trace, result.divergence)).toBe(false);
    // A fork delivers at once what waits, before its recording begins.
    if (!(lasts && at === 'webhook.attempt')) expect(titles(forked)).toEqual(titles(trace));
  } finally {
    await world.close();
  }
});

const titles = ({ items }: Trace) =>
  items
    .flatMap((item) => (item.kind === 'output' ? [`${item.entry.kind} ${item.entry.title}`] : []))
    .map((title) => title.replaceAll(idsInText(), 'id').replaceAll(/\b[0-9A-F]{6}\b/g, 'CODE'))
    .toSorted();
