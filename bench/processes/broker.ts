import { createLog } from '../../protocol/log.ts';
import { createBroker } from '../../server/platform/broker/broker.ts';
import { credentialsCheck, SERVER_USERNAME } from '../../server/platform/broker/terminal-credentials.ts';
import { handleParentRequests } from './parent-requests.ts';

/**
 * Our broker on TCP. It accepts the server's user name without a password, because in `tapbench up` the server is
 * connected without a stream.
 */
handleParentRequests({
  async start({ pairingSecret }: { pairingSecret: string }) {
    const checked = credentialsCheck(async () => ({ pairingSecret, generationOf: async () => 1 }));
    const broker = await createBroker({
      authenticate: async (username, password) =>
        username === SERVER_USERNAME ? { kind: 'server' } : checked(username, password),
      log: createLog({ level: 'error' }),
    });
    const { port } = await broker.listen({ host: '127.0.0.1', port: 0 });
    return { url: `mqtt://127.0.0.1:${port}` };
  },
});
