import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Trace } from '../../../server/traces/trace-format.schema.ts';
import type { TraceOutput } from '../../../server/traces/trace-item.schema.ts';
import { replayTrace } from '../../../world/replay/replay-trace.ts';
import { openTill } from '../../../testing/world/till.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';

let world: World;
let trace: Trace;
beforeEach(async () => {
  world = await startWorld();
  trace = await recordedWhileDown(world);
});
afterEach(() => world.close());

/** Records the end of a payment, from a moment at which the network of its terminal is down. */
async function recordedWhileDown(from: World): Promise<Trace> {
  const { pay, terminal } = openTill(from, await from.addTerminal());
  const fault = { at: 'terminal.state', what: 'network-down', when: { state: 'authorising' } };
  await from.api.post('/sandbox/faults', { seed: '7', faults: [{ ...fault, delayMs: 20_000 }] });
  const asked = pay(1742);
  await from.advance({ seconds: 2 });
  terminal.perform({ act: 'present-card', card: 'visa-contactless' });
  await from.advance({ seconds: 2 });
  const recording = await from.server.services.recordings!.startUnlisted('network down');
  await from.advance({ minutes: 2 });
  await asked;
  return recording.stop();
}

const isOutput = (item: Trace['items'][number]): item is TraceOutput => item.kind === 'output';

/** Returns the messages of the action that was there before the recording. */
function messagesOfAction(): TraceOutput[] {
  const snapshot = JSON.stringify(trace.snapshot.lines);
  const found = trace.items.filter(isOutput).filter(({ entry: { kind, actionId } }) => {
    return kind.startsWith('mqtt.') && actionId !== null && snapshot.includes(actionId);
  });
  expect(found.length).toBeGreaterThan(5);
  return found;
}

const detailOf = ({ entry }: TraceOutput) => entry.detail as Record<string, unknown>;
const authorisation = () =>
  messagesOfAction().find(({ entry }) => entry.title.startsWith('action.authorise'))!;

test('replay: a recording that begins while the network of a terminal is down is identical', async () => {
  expect(messagesOfAction().length).toBeGreaterThan(5);
  expect(await replayTrace(trace)).toMatchObject({ outcome: 'identical' });
});

const EDITS: Record<string, () => void> = {
  'another amount'() {
    const { entry } = messagesOfAction().find(({ entry: { detail } }) =>
      /17\.?42/.test(JSON.stringify(detail)),
    )!;
    entry.detail = JSON.parse(JSON.stringify(entry.detail).replace(/17(\.?)42/g, '17$143'));
  },
  'another card'() {
    const { entry } = authorisation();
    entry.detail = JSON.parse(JSON.stringify(entry.detail).replace('"0085"', '"0086"'));
  },
  'another action'() {
    const { entry } = authorisation();
    const other = `${entry.actionId!.slice(0, -1)}${entry.actionId!.endsWith('0') ? '1' : '0'}`;
    trace.items = JSON.parse(JSON.stringify(trace.items).replaceAll(entry.actionId!, other));
  },
  'another title': () => void (authorisation().entry.title = 'action.completed'),
  'a member more': () => void (detailOf(authorisation())['more'] = true),
  'a message less'() {
    const left = authorisation();
    trace.items = trace.items.filter((item) => item !== left);
  },
  'a message more'() {
    trace.items.splice(trace.items.indexOf(authorisation()), 0, structuredClone(authorisation()));
  },
  'another order'() {
    const reports = messagesOfAction().filter(({ entry: { kind, message } }) => {
      return kind === 'mqtt.report' && message !== 'display.shown';
    });
    const at = reports.findIndex((one, index) => reports[index + 1]?.entry.title !== one.entry.title);
    const [one, other] = [reports[at]!, reports[at + 1]!];
    [one.entry, other.entry] = [other.entry, one.entry];
  },
};

test.each(Object.keys(EDITS))(
  'replay: %s differs, in a recording that begins while the network is down',
  async (edit) => {
    EDITS[edit]!();
    expect(await replayTrace(trace)).toMatchObject({ outcome: 'diverged' });
  },
);
