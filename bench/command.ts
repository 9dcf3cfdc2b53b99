import { createAgent } from '../agent/agent.ts';
import { memoryJournal } from '../agent/lifecycle/action-journal.ts';
import type { Reader } from '../agent/readers/reader.ts';
import { SystemClock } from '../protocol/clock.ts';
import { createIds, systemRandom } from '../protocol/ids.ts';
import type { Connector, LinkCredentials } from '../protocol/link.ts';
import { createLog } from '../protocol/log.ts';
import { encode, type BodyOf } from '../protocol/message.ts';
import { ActionAccepted, EndAction, StartAction } from '../protocol/messages/action.messages.ts';
import { mqttConnector } from '../protocol/mqtt-link.ts';
import { commandFilter, SERVER_FILTERS } from '../protocol/topics.ts';
import { SERVER_USERNAME, terminalCredentials } from '../server/platform/broker/terminal-credentials.ts';
import { createGateway } from '../server/platform/broker/terminal-gateway.ts';
import { openBareClient } from './bare-client.ts';
import { type BenchOptions, type Result, timesResult } from './report.ts';
import { startChild } from './child.ts';
import { alternate, msSince, timeEach } from './measure.ts';

const AIM_MS = 1;

const clock = new SystemClock();
const ids = createIds(clock, systemRandom);
const log = createLog({ level: 'error' });

/** Connection data. Both clients are in this process and the broker in another, for both sides of the comparison. */
interface Line {
  url: string;
  terminalId: string;
  server: LinkCredentials;
  terminal: LinkCredentials;
}

/** Measures the time from a command of the server to the terminal's report, over TCP on loopback. */
export async function benchCommand({ quick }: BenchOptions): Promise<Result[]> {
  const [rounds, commands] = quick ? [3, 300] : [7, 1_000];
  const child = startChild('broker');
  try {
    const pairingSecret = ids.secret(32);
    const { url } = await child.ask<{ url: string }>('start', { pairingSecret });
    const terminalId = ids.make('terminal');
    const line: Line = {
      url,
      terminalId,
      server: { clientId: 'server', username: SERVER_USERNAME, password: '' },
      terminal: terminalCredentials(pairingSecret, terminalId, 1),
    };
    const taken = await alternate(
      rounds,
      () => bareRound(line, commands),
      () => ourRound(line, commands),
    );
    return [
      timesResult({
        name: 'command: start to accepted over MQTT',
        aimMs: AIM_MS,
        taken,
        tail: 0.99,
        details: [
          'bare: the same bytes there and back, QoS 1, between two mqtt.js clients on the same broker',
        ],
      }),
    ];
  } finally {
    await child.stop();
  }
}

function startOf(actionId: string): BodyOf<typeof StartAction> {
  return {
    actionId,
    seq: 1,
    type: 'Payment',
    paymentSessionId: ids.make('paymentSession'),
    amountMinor: 1742,
    currency: 'GBP',
    receiptPrintingSource: 'Terminal',
    expiresAtMs: clock.nowMs() + 10_000,
    presentCardMs: 120_000,
    merchantName: 'Bench Shop',
  };
}

async function bareRound(line: Line, commands: number): Promise<number[]> {
  const { url, terminalId } = line;
  const actionId = ids.make('action');
  const command = encode(StartAction, terminalId, startOf(actionId));
  const report = encode(ActionAccepted, terminalId, { actionId, seq: 1 });
  const server = await openBareClient({ url, credentials: line.server, subscriptions: SERVER_FILTERS });
  const terminal = await openBareClient({
    url,
    credentials: line.terminal,
    subscriptions: [commandFilter('terminals', terminalId)],
  });
  terminal.on('message', () => terminal.publish(report.topic, report.payload, { qos: 1 }));
  let heard = () => {};
  server.on('message', () => heard());
  const times = await timeEach(commands, () => {
    return new Promise((resolve) => {
      heard = resolve;
      server.publish(command.topic, command.payload, { qos: 1 });
    });
  });
  await Promise.all([server.endAsync(), terminal.endAsync()]);
  return times;
}

async function ourRound(line: Line, commands: number): Promise<number[]> {
  const { terminalId } = line;
  const connect = mqttConnector({ url: line.url, clock, random: systemRandom, log });
  const gateway = createGateway({
    connect,
    credentials: line.server,
    log,
    ownsAction: async () => true,
  });
  let accepted = (_actionId: string) => {};
  gateway.onReport(ActionAccepted, (_terminalId, { actionId }) => accepted(actionId));
  const online = new Promise<void>((resolve) => gateway.onOnline(resolve));
  gateway.open();
  await online;
  const terminal = await openTerminal(line, connect);

  const times: number[] = [];
  for (let index = 0; index < commands; index += 1) {
    const start = startOf(ids.make('action'));
    const begun = new Promise<void>((resolve) => {
      accepted = (actionId) => actionId === start.actionId && resolve();
    });
    const startNs = process.hrtime.bigint();
    void gateway.send(StartAction, terminalId, start);
    await begun;
    times.push(msSince(startNs));
    const over = terminal.over();
    await gateway.send(EndAction, terminalId, { actionId: start.actionId, seq: 2, status: 'Cancelled' });
    await over;
  }
  await terminal.agent.stop();
  await gateway.close();
  return times;
}

/** Starts a terminal without a cardholder. */
async function openTerminal({ terminalId, terminal }: Line, connect: Connector) {
  let overNow = () => {};
  let onlineNow = () => {};
  const online = new Promise<void>((resolve) => (onlineNow = resolve));
  const agent = createAgent({
    terminalId,
    clock,
    log,
    connect,
    credentials: terminal,
    device: { deviceType: 'Bench', firmware: '1.0' },
    reader: readerWithoutCards,
    printer: { print: async () => 'printed' },
    journal: memoryJournal(),
    onStep: ({ status }) => status !== 'InProgress' && overNow(),
    onScreen: () => agent.online && onlineNow(),
  });
  agent.start();
  await online;
  return { agent, over: () => new Promise<void>((resolve) => (overNow = resolve)) };
}

const readerWithoutCards: Reader = {
  name: 'none',
  authoriser: 'server',
  begin: () => {},
  awaitCard: () => {},
  awaitPin: () => {},
  verifyPin: () => {},
  end: () => {},
  close: async () => {},
};
