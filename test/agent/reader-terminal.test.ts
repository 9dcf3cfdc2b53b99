import { expect, test } from 'vitest';
import { memoryJournal } from '../../agent/lifecycle/action-journal.ts';
import { createReaderTerminal } from '../../agent/reader-terminal.ts';
import { memoryKeyCounter } from '../../agent/readers/card-protection.ts';
import { driver } from '../../agent/readers/caisse-ap/caisse-ap.driver.ts';
import type { Connector } from '../../protocol/link.ts';
import { StartAction } from '../../protocol/messages/action.messages.ts';
import { ScriptedPrinter, START, TERMINAL_ID } from './agent-fixture.ts';
import { FakeNetwork } from './fake-network.ts';
import { scriptedLine } from './readers/till/scripted-line.ts';

const APPROVED =
  'CZ0040300CJ012012345678901CA00201CE003826BA0010CD0010CB0041742AE00210CC003001CI0011AC006614027AA016278502######8422';

test('reader terminal: an approval that comes while the agent stops is left to the next process', async () => {
  let approve = () => {};
  const fixture = scriptedLine((_bytes, line) => (approve = () => line.say(APPROVED)));
  const network = new FakeNetwork();
  let disconnected = () => {};
  const connect: Connector = (plan) => {
    const link = network.connect(plan);
    link.close = () => new Promise((resolve) => (disconnected = resolve));
    return link;
  };
  const terminal = createReaderTerminal({
    ...fixture.parts,
    driver,
    title: 'Caisse-AP',
    terminalId: TERMINAL_ID,
    credentials: { clientId: TERMINAL_ID, username: TERMINAL_ID, password: 'not-a-secret' },
    keys: { scheme: 'AES', initialKeyId: '0123456789ABCDEF', initialKey: '00'.repeat(16) },
    counter: memoryKeyCounter(),
    journal: memoryJournal(),
    printer: new ScriptedPrinter(),
    connect,
  });
  terminal.agent.start();
  network.command(StartAction, { ...START, expiresAtMs: fixture.clock.nowMs() + 10_000 });
  await fixture.clock.advance(1_000);
  expect(fixture.heard).toHaveLength(1);
  const closed = terminal.close();
  await fixture.clock.advance(1_000);
  approve();
  await fixture.clock.advance(10_000);
  disconnected();
  await closed;
  expect(fixture.heard).toHaveLength(1);
  expect(network.last('reversal.reported')).toBeUndefined();
});
