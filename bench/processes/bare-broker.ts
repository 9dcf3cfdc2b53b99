import { Aedes } from 'aedes';
import { createServer, type AddressInfo } from 'node:net';
import { handleParentRequests, usageOfProcess } from './parent-requests.ts';

/** aedes on TCP with its own defaults: no credentials, no permissions. */
handleParentRequests({
  async start() {
    const { handle } = await Aedes.createBroker();
    const server = createServer({ noDelay: true }, (stream) => void handle(stream));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { mqttUrl: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}` };
  },
  usage: usageOfProcess,
});
