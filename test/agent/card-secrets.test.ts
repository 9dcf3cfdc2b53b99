import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createAgent } from '../../agent/agent.ts';
import { memoryJournal, type ActionJournal } from '../../agent/lifecycle/action-journal.ts';
import { createLog } from '../../protocol/log.ts';
import { DecideAction, EndAction, StartAction } from '../../protocol/messages/action.messages.ts';
import { PROFILES } from '../../simulator/cards/card-files.ts';
import { CARD_NAMES, cardNamed } from '../../simulator/cards/card-registry.ts';
import { VirtualReader } from '../../simulator/virtual-reader.ts';
import { createActSchedule } from '../../simulator/act-schedule.ts';
import { VirtualClock } from '../../world/virtual-clock.ts';
import { ACTION_ID, NOW_MS, ScriptedPrinter, START, TERMINAL_ID } from './agent-fixture.ts';
import { FakeNetwork } from './fake-network.ts';

const numbers = Object.values(PROFILES).map((profile) => (profile as { pan: string }).pan);

/** Takes one payment by a card of the simulator, and collects everything that left its reader. */
async function everythingSaidOf(cardName: string): Promise<string> {
  const clock = new VirtualClock(NOW_MS);
  const network = new FakeNetwork();
  const reader = new VirtualReader({ clock, acts: createActSchedule({ clock }) });
  const printer = new ScriptedPrinter();
  const said: unknown[] = [];
  const memory = memoryJournal();
  const journal: ActionJournal = {
    ...memory,
    save: (entry) => {
      said.push(structuredClone(entry));
      memory.save(entry);
    },
  };
  const destination = new Writable({
    write(chunk, _, done) {
      said.push(String(chunk));
      done();
    },
  });
  const agent = createAgent({
    terminalId: TERMINAL_ID,
    device: { deviceType: 'Test Terminal', firmware: '1.0' },
    credentials: { clientId: TERMINAL_ID, username: TERMINAL_ID, password: 'x' },
    connect: network.connect,
    log: createLog({ level: 'trace', destination }),
    onScreen: (lines) => void said.push(lines),
    onStep: (step) => void said.push(step),
    clock,
    reader,
    printer,
    journal,
  });
  agent.start();
  network.command(StartAction, { ...START, expiresAtMs: NOW_MS + 10_000 });
  reader.presentCard(cardName);
  await clock.advance(1_000);
  const pin = cardNamed(cardName)?.holderPin();
  if (agent.status.state === 'awaitingPin') reader.pressKeys([...pin!, 'enter'] as never);
  await clock.advance(1_000);
  network.command(DecideAction, { actionId: ACTION_ID, outcome: 'approved', authorisationCode: '7H3K2P' });
  await clock.advance(1_000);
  network.command(EndAction, { actionId: ACTION_ID, status: 'Succeeded' });
  await clock.advance(1_000);
  said.push(network.sent, printer.copies);
  return JSON.stringify(said);
}

test.each(CARD_NAMES)(
  'card secrets: a payment with %s puts no card number on the wire, in the journal, on paper or in the log',
  async (cardName) => {
    const said = await everythingSaidOf(cardName);
    expect(said).toContain('"awaitingCard"');
    expect(numbers.flatMap(piecesOf).filter((piece) => said.includes(piece))).toEqual([]);
    expect(/"(pan|track2|pin)":"[0-9]/.test(said)).toBe(false);
  },
);

/** The number, and as much of it from either end as shows more than the BIN or the last four. */
function piecesOf(number: string): string[] {
  return [number, number.slice(0, 9), number.slice(-8)];
}
