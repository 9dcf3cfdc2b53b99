import { withBatchPairing } from '../batch-pairing.ts';
import { brokerOption } from '../broker-option.ts';
import { CLIENT_OPTIONS, connectApi } from '../api-client.ts';
import { CARDHOLDER_OPTIONS, parseCardholder } from '../cardholder-options.ts';
import { LOG_OPTIONS } from '../command-log.ts';
import { command } from '../command.ts';
import { stringOption, integerOption } from '../option.ts';
import { printJsonLine } from '../output.ts';
import { startProgress } from '../progress.ts';
import { createEviction, pairingError, pairingRequest, takeOver } from '../terminal-claim.ts';
import { uninterrupted, untilInterrupted, type CommandContext } from '../command-context.ts';

export const sim = command({
  name: 'sim',
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
    const pairing = pairingRequest(options.takeOver);
    const lasting = connectApi(uninterrupted(context), options);
    const fleet = startRemoteFleet(context, {
      options,
      api: withBatchPairing({ request: (method, path, body) => lasting.ask(method, path, body) }, pairing),
      cardholder,
      journalFor: () => memoryJournal(),
      faults: options.faults,
      pairing,
      onNotice(notice) {
        if (notice.what === 'online') online.add(notice.terminalId);
        if (notice.what === 'refused') eviction.refused(notice.terminalId, notice.reason);
      },
    });
    const online = countOnline(context, items.length);
    const interrupted = untilInterrupted(context).then(() => context.interrupted.throwIfAborted());
    try {
      const added = Promise.all(items.map(({ id }) => fleet.add({ terminalId: id }))).catch((error) => {
        throw pairingError(error);
      });
      await Promise.race([online.all, Promise.all([added, interrupted]), eviction.happened]);
      online.end();
      if (options.json) printJsonLine(context.out, { terminals: items });
      else context.out.write(`${items.length} terminals online; Ctrl-C stops them\n`);
      await Promise.race([untilInterrupted(context), eviction.happened]);
    } finally {
      online.end();
      await fleet.close();
    }
  },
});

/** Counts the terminals that have been online, and shows how many. */
function countOnline(context: CommandContext, count: number) {
  const online = new Set<string>();
  const text = () => `${online.size} of ${count} terminals online`;
  const progress = startProgress(context, text());
  let resolve!: () => void;
  const all = new Promise<void>((done) => (resolve = done));
  return {
    /** Resolves when each terminal has been online. */
    all,
    add(terminalId: string) {
      online.add(terminalId);
      progress.say(text());
      if (online.size >= count) resolve();
    },
    end: () => progress.end(),
  };
}
