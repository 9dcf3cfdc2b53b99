import { afterEach, describe, expect, test } from 'vitest';
import { createLog } from '../../protocol/log.ts';
import { createObservers } from '../../server/platform/observers.ts';
import { FLUSH_MS } from '../../server/dashboard/live.ts';
import { waitForTerminal } from '../../server/sandbox-controls/terminal-wait.ts';
import { openPage } from '../server/dashboard/open-page.ts';
import { readSources } from '../architecture/source-tree.ts';
import { openTill } from '../../testing/world/till.ts';
import { startWorld, type World } from '../../testing/world/world.ts';

/** Everything that only observes a server. */
const OBSERVERS = [
  'calls',
  'calls that wait for a terminal',
  'changes for pages',
  'connections of revoked terminals',
  'content of timeline entries',
  'ends of stored timelines',
  'entries for pages',
  'faults of terminals',
  'fleet board',
  'masking of the request log',
  'messages of pages',
  'owners of actions',
  'recording of inputs',
  'recording of outputs',
  'recording of terminals',
  'replies in the log of deliveries',
  'request log',
  'reset of the request log and the faults',
  'states of terminals',
  'stored timelines',
  'text of stored timelines',
  'timelines',
];

/** What observes a server from the programs around it, through the same guard. */
const AROUND = [
  'answers of a replay',
  'fleet of a replay',
  'numbers of calls',
  'printed activities',
  'simulated fleet',
  'steps of a test',
  'story of a hunt',
  'terminals that come online',
  'timelines of a test',
];

const DECLARED = /(?:ctivities\.listen|timelineLog\.listen|inputs\.watch|\bguard)\(\s*'([^']+)'/g;

/** The names of the observers that files declare. */
function declaredIn(folders: readonly string[]): string[] {
  const names = readSources(folders).flatMap(({ text }) =>
    [...text.matchAll(DECLARED)].map(([, name]) => name!),
  );
  return [...new Set(names)].sort();
}

let world: World;
afterEach(() => world?.close());

/** Starts a world in which an observer throws whenever it is called. */
async function worldWithFailing(observer: string) {
  const lines: { observer?: string; msg: string }[] = [];
  const log = createLog({
    level: 'warn',
    destination: { write: (line: string) => void lines.push(JSON.parse(line)) },
  });
  let struck = 0;
  const observers = createObservers({
    log,
    clock: { nowMs: () => 0 },
    before(name) {
      if (name !== observer) return;
      struck += 1;
      throw new RangeError('Maximum call stack size exceeded');
    },
  });
  world = await startWorld({
    log,
    observers,
    settings: { requestLog: { countMax: 100, days: 1 }, timelines: { countMax: 10 } },
  });
  return { lines, observers, struck: () => struck };
}

describe('failing observers', () => {
  test('all of them are known here', () => {
    expect(declaredIn(['server'])).toEqual(OBSERVERS);
    expect(declaredIn(['cli', 'world', 'testing'])).toEqual(AROUND);
  });

  test.each(OBSERVERS)('a payment goes on, and the server lives, where this fails: %s', async (observer) => {
    const { lines, observers, struck } = await worldWithFailing(observer);
    const shop = await world.listen('shop', ['PaymentSession.captured']);
    await world.server.services.recordings!.start('a payment');
    const terminal = await world.addTerminal();
    await openPage(world, { kind: 'terminal', id: terminal.terminalId });
    const till = openTill(world, terminal);
    const wait = { state: 'authorising', waitSeconds: 2 };
    const read = async () => ({ online: true, state: null });
    const waiting = waitForTerminal(world.server.services, terminal.terminalId, wait, read);

    expect(await till.takes(1742)).toMatchObject({ status: 'Captured', amount: 1742 });
    expect((await world.api.post('/v1/customers', { email: 'sam' })).status).toBe(400);
    // For what is written, and sent to pages, a moment later.
    await world.advance({ ms: 10 * FLUSH_MS });
    await world.advance({ seconds: 2 });
    expect(await waiting).toMatchObject({ online: true });

    expect(shop.types()).toEqual(['PaymentSession.captured']);
    expect((await world.api.get('/healthz')).body).toMatchObject({ status: 'ok' });
    expect(observers.names()).toEqual(expect.arrayContaining(OBSERVERS));
    expect(struck()).toBeGreaterThan(0);
    // Once, however often it failed.
    expect(lines.filter((line) => line.observer !== undefined)).toMatchObject([{ observer }]);
  });

  test.each(['recording of outputs', 'recording of inputs'])(
    'a trace says that something is missing where this fails: %s',
    async (observer) => {
      await worldWithFailing(observer);
      const recording = await world.server.services.recordings!.startUnlisted('a payment');
      await openTill(world, await world.addTerminal()).takes(1742);
      const { summary } = await recording.stop();
      expect(summary.notReplayable).toEqual(['something that happened could not be recorded']);
    },
  );
});
