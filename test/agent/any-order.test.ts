import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReaderEvent } from '../../agent/readers/reader.ts';
import { ReversalReported } from '../../protocol/messages/reversal.messages.ts';
import { CancelAction, DecideAction } from '../../protocol/messages/action.messages.ts';
import {
  ACTION_ID,
  startAgentFixture,
  cardOf,
  CHIP,
  DEVICE_APPROVED,
  type AgentFixture,
} from './agent-fixture.ts';
import { INSPECTION } from './fake-network.ts';

const FACTS: ReaderEvent[] = [
  { type: 'card.missing' },
  { type: 'card.presented', entryMode: 'Contact' },
  { type: 'card.read', card: cardOf('Contact'), pin: 'pin' },
  { type: 'card.read', card: cardOf('Contactless'), pin: 'none' },
  { type: 'card.read', card: cardOf('Contact'), pin: 'none', chip: CHIP },
  { type: 'card.completed' },
  { type: 'card.refused', reason: 'the card says no' },
  { type: 'card.declined', reason: 'the card says no' },
  { type: 'card.unreadable', reason: 'mute' },
  { type: 'card.removed' },
  { type: 'pin.entered' },
  { type: 'pin.accepted' },
  { type: 'pin.rejected', triesLeft: 1 },
  { type: 'pin.rejected', triesLeft: 0 },
  { type: 'cancel.pressed' },
  DEVICE_APPROVED,
  { type: 'device.declined', reason: 'the bank says no' },
  { type: 'reader.failed', reason: 'unplugged' },
];

/** Everything that people, networks, power and the server can do to a terminal, but for the last word. */
const HAPPENINGS: Record<string, (terminal: AgentFixture) => void | Promise<void>> = {
  ...Object.fromEntries(
    FACTS.map((fact, index) => [`${index} ${fact.type}`, ({ reader }: AgentFixture) => reader.emit(fact)]),
  ),
  approval: (terminal) => terminal.approve(),
  decline: ({ network }) =>
    network.command(DecideAction, { actionId: ACTION_ID, outcome: 'declined', code: 'insufficient_funds' }),
  'merchant copy confirmed': (terminal) => terminal.confirm('merchantCopy'),
  'customer copy confirmed': (terminal) => terminal.confirm('customerCopy'),
  cancel: ({ network }) => network.command(CancelAction, { actionId: ACTION_ID }),
  'start again': (terminal) => terminal.start(),
  'lost command': ({ network }) => network.loseCommand(ACTION_ID),
  'network cut': ({ network }) => network.cut(),
  'network restored': ({ network }) => network.restore(),
  'power cut': (terminal) => terminal.powerCycle(),
  moment: (terminal) => terminal.settle(),
  minute: (terminal) => terminal.clock.advance(60_000),
  'paper out': ({ printer }) => void (printer.outcome = 'noPaper'),
  'printer jam': ({ printer }) => void (printer.outcome = 'jam'),
};

const story = fc.array(fc.constantFrom(...Object.keys(HAPPENINGS)), { maxLength: 25 });
const source = fc.constantFrom('Terminal' as const, 'PointOfSale' as const);

test('agent: with events in any order, reports are numbered without gaps and the final command ends the action', async () => {
  await fc.assert(fc.asyncProperty(story, source, live), { numRuns: 300 });
});

async function live(happenings: string[], receiptPrintingSource: 'Terminal' | 'PointOfSale'): Promise<void> {
  const terminal = startAgentFixture();
  terminal.start({ receiptPrintingSource });
  for (const happening of happenings) await HAPPENINGS[happening]!(terminal);
  terminal.network.restore();
  await terminal.settle();

  const reports = terminal.network.sent.filter(
    // The report of a reversal has no number: it follows the end of its action.
    ({ name, body }) =>
      !INSPECTION.has(name) && name !== ReversalReported.name && body['actionId'] === ACTION_ID,
  );
  expect(reports.map(({ body }) => body['seq'])).toEqual(reports.map((_, index) => index + 1));
  expect(terminal.agent.status.actionId).toBe(ACTION_ID);

  terminal.end('Failed', 'unexpected_error');
  await terminal.settle();
  expect(terminal.agent.status).toEqual({});
  expect(terminal.journal.load()).toBeUndefined();
  terminal.recordReversals();
  expect(terminal.clock.due).toEqual([]);
}
