import { announce } from '../server/startup-output.ts';
import { command } from '../command-line/command.ts';
import { createActivityPrinter } from '../log/activity-printer.ts';
import { json } from '../command-line/output.ts';
import { SERVER_OPTIONS } from '../server/server-options.ts';

export const server = command({
  name: 'server',
  details:
    'Terminals connect with `tapbench agent` or `tapbench sim`, from this machine or another. With --json it prints one JSON line when ready.',
  parameters: {},
  options: { ...SERVER_OPTIONS, json },
  examples: [
    { line: 'tapbench server', description: 'listens on 127.0.0.1:8080, the broker on 1883' },
    { line: 'PORT=0 MQTT_PORT=0 tapbench server --ephemeral --json', description: 'for a test run' },
  ],
  async run({ context, options }) {
    const { startServer } = await import('../server/start-server.ts');
    const started = await startServer(context, options, {
      loadDrills: async (host) =>
        (await import('../drills/drill-player.ts')).createDrillPlayer(context, { ...host, simulates: false }),
    });
    try {
      const addresses = await started.listen();
      const nothing = { locationId: null, terminals: [], webhooks: [], exampleTerminalId: undefined };
      announce(context, { started, addresses, ...nothing }, options.json);
      if (!options.json) {
        started.server.services.activities.listen(
          'printed activities',
          createActivityPrinter({ out: context.out, nowMs: () => context.clock.nowMs(), nameOf: (id) => id }),
        );
      }
      await started.untilStopped();
    } finally {
      await started.stop();
    }
  },
});
