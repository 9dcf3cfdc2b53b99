import type { Fleet } from '../../simulator/fleet.ts';
import { brokerOption } from '../broker-option.ts';
import { CLIENT_OPTIONS, connectApi, pause } from '../api-client.ts';
import { CARDHOLDER_OPTIONS, parseCardholder } from '../cardholder-options.ts';
import { LOG_OPTIONS } from '../command-log.ts';
import { command } from '../command.ts';
import { stringOption, integerOption } from '../option.ts';
import { printJsonLine } from '../output.ts';
import { startProgress } from '../progress.ts';
import { createEviction, pairingError, pairingRequest, takeOver } from '../terminal-claim.ts';
import { uninterrupted, untilInterrupted, type CommandContext } from '../command-context.ts';

const POLL_MS = 20;

export const sim = command({
  name: 'sim',
  summary: 'Run many simulated terminals',
  details:
    'Registers the terminals SIM-FLEET-0001 and on unless they exist, so a second run uses the same ones. Their journals are not kept. With --json it prints one JSON line when all are online.',
  parameters: {},
  options: {
    terminals: integerOption(
      { min: 1, max: 10_000 },
      { flag: '--terminals <number>', description: 'How many', defaultValue: '10' },
    ),
    location: stringOption({
      flag: '--location <id>',
      description: 'Location of new terminals',
      defaultText: 'the location of the fleet',
    }),
    ...CARDHOLDER_OPTIONS,
    faults: stringOption({
      flag: '--faults <seed>',
      description:
        'Simulate a bad network that disconnects, loses, repeats and delays messages; the same seed gives the same faults',
    }),
    takeOver,
    mqtt: brokerOption,
    ...LOG_OPTIONS,
    ...CLIENT_OPTIONS,
  },
  examples: [
    {
      line: 'tapbench sim --terminals 200',
      description: 'runs 200 terminals whose cardholders tap after a second',
    },
    { line: 'tapbench sim --cardholder none', description: 'runs ten that wait for `tapbench present-card`' },
  ],
  async run({ context, options }) {
    const cardholder = await parseCardholder(options);
    const api = connectApi(context, options);
    const wanted = {
      terminals: options.terminals,
      ...(options.location === undefined ? {} : { locationId: options.location }),
    };
    const { items } = await api.post<{ items: { id: string; serialNumber: string }[] }>(
      '/sandbox/fleets',
      wanted,
    );
    const eviction = createEviction();
    const [{ startRemoteFleet }, { memoryJournal }] = await Promise.all([
      import('../remote-fleet.ts'),
      import('../../agent/lifecycle/action-journal.ts'),
    ]);
    const lasting = connectApi(uninterrupted(context), options);
    const fleet = startRemoteFleet(context, {
      options,
      api: { request: (method, path, body) => lasting.ask(method, path, body) },
      cardholder,
      journalFor: () => memoryJournal(),
      faults: options.faults,
      pairing: pairingRequest(options.takeOver),
      onNotice(notice) {
        if (notice.what === 'refused') eviction.refused(notice.terminalId, notice.reason);
      },
    });
    try {
      const added = Promise.all(items.map(({ id }) => fleet.add({ terminalId: id }))).catch((error) => {
        throw pairingError(error);
      });
      await Promise.race([
        untilOnline(context, fleet, items.length),
        added.then(() => untilInterrupted(context)),
        eviction.happened,
      ]);
      if (options.json) printJsonLine(context.out, { terminals: items });
      else context.out.write(`${items.length} terminals online; Ctrl-C stops them\n`);
      await Promise.race([untilInterrupted(context), eviction.happened]);
    } finally {
      await fleet.close();
    }
  },
});

async function untilOnline(context: CommandContext, fleet: Fleet, count: number): Promise<void> {
  const progress = startProgress(context, `0 of ${count} terminals online`);
  try {
    for (;;) {
      const online = fleet.terminals().filter((terminal) => terminal.online).length;
      if (online >= count) return;
      progress.say(`${online} of ${count} terminals online`);
      await pause(context, POLL_MS);
    }
  } finally {
    progress.end();
  }
}
