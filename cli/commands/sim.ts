import { Fault } from '../../protocol/failures.ts';
import type { Fleet } from '../../simulator/fleet.ts';
import { withBatchPairing } from '../terminals/batch-pairing.ts';
import { brokerOption, CARDHOLDER_OPTIONS, parseCardholder } from '../terminals/terminal-options.ts';
import { CLIENT_OPTIONS, connectApi } from '../client/api-client.ts';
import { LOG_OPTIONS } from '../log/command-log.ts';
import { command } from '../command-line/command.ts';
import { stringOption, integerOption } from '../command-line/option.ts';
import { printJsonLine, printLine } from '../command-line/output.ts';
import { startProgress } from '../command-line/progress.ts';
import { brokerWait, createRefusedTerminals } from '../terminals/refused-terminals.ts';
import { pairingError, pairingRequest, takeOver } from '../terminals/terminal-claim.ts';
import { uninterrupted, untilInterrupted, type CommandContext } from '../command-line/command-context.ts';

export const sim = command({
  name: 'sim',
  details:
    'Registers the terminals SIM-FLEET-0001 and on unless they exist, so a second run uses the same ones. Their journals are not kept. A terminal that is deleted or paired elsewhere ends alone; all others try again until they are stopped. With --json it prints one JSON line when all are online.',
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
    brokerWait,
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
    const { items } = await api.call('POST /sandbox/fleets', { body: wanted });
    const [{ startRemoteFleet }, { memoryJournal }] = await Promise.all([
      import('../terminals/remote-fleet.ts'),
      import('../../agent/lifecycle/action-journal.ts'),
    ]);
    const pairing = pairingRequest(options.takeOver);
    const lasting = connectApi(uninterrupted(context), options);
    const refusals = createRefusedTerminals(context, {
      options,
      api: withBatchPairing({ request: (method, path, body) => lasting.ask(method, path, body) }, pairing),
      end: (terminalId, reason) => endOne(context, { fleet, terminalId, reason }, online),
    });
    const fleet = startRemoteFleet(context, {
      options,
      api: refusals.api,
      cardholder,
      journalFor: () => memoryJournal(),
      faults: options.faults,
      pairing,
      onActivity(activity) {
        if (activity.what === 'refused') refusals.refused(activity.terminalId, activity.reason);
        if (activity.what !== 'online') return;
        refusals.online(activity.terminalId);
        online.add(activity.terminalId);
      },
    });
    const online = countOnline(
      context,
      items.map(({ id }) => id),
    );
    const interrupted = untilInterrupted(context).then(() => context.interrupted.throwIfAborted());
    try {
      const added = Promise.all(items.map(({ id }) => fleet.add({ terminalId: id }))).catch((error) => {
        throw pairingError(error);
      });
      await Promise.race([online.all, Promise.all([added, interrupted]), refusals.failed]);
      online.end();
      if (options.json) printJsonLine(context.out, { terminals: items });
      else printLine(context.out, `${online.count} terminals online; Ctrl-C stops them`);
      await Promise.race([untilInterrupted(context), refusals.failed]);
    } finally {
      online.end();
      refusals.close();
      await fleet.close();
    }
  },
});

/**
 * Ends one terminal of a fleet; the others go on.
 * @throws Fault `transport` when it was the last one
 */
function endOne(
  { err }: CommandContext,
  { fleet, terminalId, reason }: { fleet: Fleet; terminalId: string; reason: string },
  online: OnlineCount,
): void {
  online.leave(terminalId);
  if (online.count === 0) throw new Fault('transport', `${terminalId} stops: ${reason}; it was the last one`);
  printLine(err, `${terminalId} stops: ${reason}; ${online.count} others go on`);
  void fleet.remove(terminalId);
}

/** Counts the terminals that have been online, of those that have not ended, and shows how many. */
function countOnline(context: CommandContext, ids: readonly string[]) {
  const waited = new Set(ids);
  const online = new Set<string>();
  const text = () => `${online.size} of ${waited.size} terminals online`;
  const progress = startProgress(context, text());
  let resolve!: () => void;
  const all = new Promise<void>((done) => (resolve = done));
  const changed = () => {
    progress.show(text());
    if (online.size >= waited.size) resolve();
  };
  return {
    /** Resolves when each terminal has been online, or has ended. */
    all,
    add(terminalId: string) {
      online.add(terminalId);
      changed();
    },
    leave(terminalId: string) {
      waited.delete(terminalId);
      online.delete(terminalId);
      changed();
    },
    /** Terminals that have not ended. */
    get count() {
      return waited.size;
    },
    end: () => progress.end(),
  };
}

type OnlineCount = ReturnType<typeof countOnline>;
