import { Aedes } from 'aedes';
import { MqttClient } from 'mqtt';
import { createHmac } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net';
import { duplexPair } from 'node:stream';
import { Agent, request } from 'undici';
import { openAppendLog, type Append } from './append-log.ts';
import { handleParentRequests, usageOfProcess } from './parent-requests.ts';

// About what a small message, and a row of a table, hold.
const PAYLOAD = 'x'.repeat(400);
const RECORD = 'x'.repeat(1000);

interface BarePaymentsRequest {
  /** File of the append log. */
  path: string;
  webhookUrl: string;
  /** What a payment of ours does, once each. */
  roundTrips: number;
  appendsOfRoundTrip: number;
  webhooks: number;
}

/** The parts of payments without our code: HTTP, an append log, a broker with the server's client, signed webhooks. */
handleParentRequests({
  async start(plan: BarePaymentsRequest): Promise<{ url: string; mqttUrl: string }> {
    const append = openAppendLog(plan.path);
    const broker = await Aedes.createBroker();
    const command = await openCommands(broker);
    const agent = new Agent();

    async function takePayment(id: string): Promise<void> {
      for (let trip = 0; trip < plan.roundTrips; trip += 1) {
        await command(id);
        for (let index = 0; index < plan.appendsOfRoundTrip; index += 1) await append(RECORD);
      }
      for (let index = 0; index < plan.webhooks; index += 1) {
        await sendWebhook(agent, plan.webhookUrl, id);
        await append(RECORD);
      }
    }
    const http = createHttpServer((incoming, response) => {
      const id = incoming.url!.slice(1);
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const body = JSON.stringify({
          id,
          ...(JSON.parse(Buffer.concat(chunks).toString('utf8')) as object),
        });
        void reply(append, body, response).then(() => takePayment(id));
      });
    });
    // Its connections rest while ours are measured.
    http.keepAliveTimeout = 0;
    return {
      url: `http://127.0.0.1:${await listen(http)}`,
      mqttUrl: `mqtt://127.0.0.1:${await listen(createTcpServer(broker.handle))}`,
    };
  },
  usage: usageOfProcess,
});

async function reply(append: Append, body: string, response: import('node:http').ServerResponse) {
  await append(body);
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

/** Returns the function that sends a command to a terminal and resolves with its report, QoS 1 both. */
async function openCommands(broker: Aedes): Promise<(id: string) => Promise<void>> {
  const client = new MqttClient(
    () => {
      const [ours, theirs] = duplexPair();
      broker.handle(ours);
      return theirs;
    },
    { protocolVersion: 4, clientId: 'server', reconnectPeriod: 0 },
  );
  await new Promise<void>((resolve) => client.once('connect', () => resolve()));
  await client.subscribeAsync('reports/#', { qos: 1 });
  const waiting = new Map<string, () => void>();
  client.on('message', (topic) => waiting.get(topic.slice('reports/'.length))?.());
  return (id) =>
    new Promise((resolve) => {
      waiting.set(id, resolve);
      client.publish(`commands/${id}`, PAYLOAD, { qos: 1 });
    });
}

async function sendWebhook(agent: Agent, url: string, id: string): Promise<void> {
  const body = JSON.stringify({ id, record: RECORD });
  const signature = createHmac('sha256', 'whs_bare').update(body).digest('hex');
  const headers = { 'content-type': 'application/json', signature };
  const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent });
  await answer.body.dump();
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
