import { Aedes } from 'aedes';
import { MqttClient } from 'mqtt';
import { createHmac } from 'node:crypto';
import { duplexPair } from 'node:stream';
import { fdatasyncSync, openSync, writeSync } from 'node:fs';
import { Agent, request } from 'undici';
import { timeEach } from '../measure.ts';
import { handleParentRequests } from './parent-requests.ts';

// About what a small message, and a row of a table, hold.
const PAYLOAD = 'x'.repeat(400);
const RECORD = `${'x'.repeat(1000)}\n`;

let file: number;
let webhookUrl: string;
let roundTrip: () => Promise<void>;
const agent = new Agent();

handleParentRequests({
  async start(given: { path: string; webhookUrl: string }) {
    file = openSync(given.path, 'a');
    webhookUrl = given.webhookUrl;
    roundTrip = await openRoundTrip();
  },
  appends: ({ count }: { count: number }) => timeEach(count, async () => append()),
  roundTrips: ({ count }: { count: number }) => timeEach(count, roundTrip),
  webhook: sendWebhook,
});

function append(): void {
  writeSync(file, RECORD);
  fdatasyncSync(file);
}

/** From one client to another and back, QoS 1, within this process as in `tapbench up`. */
async function openRoundTrip(): Promise<() => Promise<void>> {
  const broker = await Aedes.createBroker();
  const open = async (clientId: string) => {
    const client = new MqttClient(
      () => {
        const [ours, theirs] = duplexPair();
        broker.handle(ours);
        return theirs;
      },
      { protocolVersion: 4, clientId, reconnectPeriod: 0 },
    );
    await new Promise<void>((resolve) => client.once('connect', () => resolve()));
    return client;
  };
  const [server, terminal] = [await open('server'), await open('terminal')];
  await terminal.subscribeAsync('commands', { qos: 1 });
  await server.subscribeAsync('reports', { qos: 1 });
  terminal.on('message', () => terminal.publish('reports', PAYLOAD, { qos: 1 }));
  let heard = () => {};
  server.on('message', () => heard());
  return () =>
    new Promise((resolve) => {
      heard = resolve;
      server.publish('commands', PAYLOAD, { qos: 1 });
    });
}

async function sendWebhook(): Promise<void> {
  const startedNs = process.hrtime.bigint();
  const signature = createHmac('sha256', 'whs_bare').update(RECORD).digest('hex');
  const answer = await request(webhookUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', signature, 'x-started-ns': String(startedNs) },
    body: RECORD,
    dispatcher: agent,
  });
  await answer.body.dump();
}
