import { expect, test } from 'vitest';
import { batchReports } from '../../agent/report-batches.ts';
import { Fault } from '../../protocol/failures.ts';
import { decode, encode, type Envelope } from '../../protocol/message.ts';
import { ActionAccepted } from '../../protocol/messages/action.messages.ts';
import { BATCHED_MAX, DisplayShown, ReportsBatched } from '../../protocol/messages/inspection.messages.ts';
import { parseTopic } from '../../protocol/topics.ts';
import { readableLog } from '../contract/peer.ts';
import { ACTION_ID, TERMINAL_ID } from './agent-fixture.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));
const shown = (line: string) => encode(DisplayShown, TERMINAL_ID, { lines: [line] });
const accepted = encode(ActionAccepted, TERMINAL_ID, { actionId: ACTION_ID, seq: 1 });

/** Batches of a terminal, and what each sent message holds: the lines of the display, or a name. */
function fixture() {
  const { log, lines: logged } = readableLog();
  const sent: (string | string[])[] = [];
  const link = { online: true };
  const send = async ({ topic, payload, qos, retain }: Envelope) => {
    if (!link.online) throw new Fault('transport', 'not connected');
    const name = parseTopic(topic)!.message;
    if (name !== ReportsBatched.name) return void sent.push(name);
    expect([qos, retain]).toEqual([0, false]);
    const { reports } = decode(ReportsBatched, payload);
    sent.push(reports.map((report) => (report.body as { lines: string[] }).lines.join()));
  };
  const publish = batchReports({ terminalId: TERMINAL_ID, log }, send);
  return { publish, sent, logged, link };
}

test('report batches: reports of QoS 0 of one turn share a message, sent at its end', async () => {
  const { publish, sent } = fixture();
  for (const line of ['Present card', 'Reading card']) void publish(shown(line));
  expect(sent).toEqual([]);
  await turn();
  for (const line of ['Authorising', 'Approved']) void publish(shown(line));
  await turn();
  expect(sent).toEqual([
    ['Present card', 'Reading card'],
    ['Authorising', 'Approved'],
  ]);
});

test('report batches: a report of QoS 0 without others is sent by itself', async () => {
  const { publish, sent } = fixture();
  void publish(shown('Present card'));
  await turn();
  expect(sent).toEqual(['display.shown']);
});

test('report batches: a report of QoS 1 is sent at once, after those that came before it', async () => {
  const { publish, sent } = fixture();
  void publish(shown('Present card'));
  void publish(shown('Reading card'));
  void publish(accepted);
  expect(sent).toEqual([['Present card', 'Reading card'], 'action.accepted']);
  void publish(shown('Authorising'));
  await turn();
  expect(sent.at(-1)).toBe('display.shown');
});

test('report batches: a batch that is full is sent at once', async () => {
  const { publish, sent } = fixture();
  const lines = Array.from({ length: BATCHED_MAX }, (_, index) => `line ${index}`);
  for (const line of lines) void publish(shown(line));
  expect(sent).toEqual([lines]);
  await turn();
  expect(sent).toHaveLength(1);
});

test('report batches: a batch that is not sent is logged, and a report of QoS 1 rejects', async () => {
  const { publish, logged, link } = fixture();
  link.online = false;
  await publish(shown('Present card'));
  await turn();
  expect(logged.map(({ msg, problem }) => [msg, problem])).toEqual([['not sent', 'not connected']]);
  await expect(publish(accepted)).rejects.toThrow('not connected');
});
