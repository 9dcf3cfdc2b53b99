import { announce, announceJson } from '../announce.ts';
import { command } from '../command.ts';
import { createConsole } from '../console.ts';
import { json } from '../output.ts';
import { SERVER_OPTIONS } from '../server-options.ts';

export const server = command({
  name: 'server',
  summary: 'Run the server and its broker, without terminals',
  details:
    'Terminals join by `tapbench agent` or `tapbench sim`, from this machine or another. With --json: one JSON line when ready.',
  parameters: {},
  options: { ...SERVER_OPTIONS, json },
  examples: [
    { line: 'tapbench server', does: 'on 127.0.0.1:8080, the broker on 1883' },
    { line: 'PORT=0 MQTT_PORT=0 tapbench server --ephemeral --json', does: 'for a test run' },
  ],
  async run({ around, options }) {
    const { startServer } = await import('../start-server.ts');
    const started = await startServer(around, options);
    try {
      const addresses = await started.listen();
      const nothing = { locationId: null, terminals: [], webhooks: [], tillId: undefined };
      if (options.json) announceJson(around.out, { started, addresses, ...nothing });
      else {
        announce(around.out, { started, addresses, ...nothing });
        started.server.services.notices.listen(
          createConsole({ out: around.out, nowMs: () => around.clock.nowMs(), nameOf: (id) => id }),
        );
      }
      await started.untilStopped();
    } finally {
      await started.stop();
    }
  },
});
