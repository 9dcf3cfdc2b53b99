import type { Fleet } from '../../simulator/fleet.ts';
import { brokerOption } from '../broker-option.ts';
import { CLIENT_OPTIONS, connectApi, pause } from '../api-client.ts';
import { CARDHOLDER_OPTIONS, cardholderOf } from '../cardholder-options.ts';
import { LOG_OPTIONS } from '../command-log.ts';
import { command } from '../command.ts';
import { text, wholeNumber } from '../option.ts';
import { printJsonLine } from '../output.ts';
import { startProgress } from '../progress.ts';
import { createEviction, explainPairing, pairingRequest, takeOver } from '../terminal-claim.ts';
import { uninterrupted, untilInterrupted, type Surroundings } from '../surroundings.ts';

const POLL_MS = 20;

export const sim = command({
  name: 'sim',
  summary: 'Run many simulated terminals against a server',
  details:
    'Registers SIM-FLEET-0001 and on where they are missing, so that a second run uses the same ones. What they were doing is forgotten when the command ends. With --json: one JSON line when all are online.',
  parameters: {},
  options: {
    terminals: wholeNumber(
      { min: 1, max: 10_000 },
      { flag: '--terminals <number>', meaning: 'How many', fallback: '10' },
    ),
    location: text({
      flag: '--location <id>',
      meaning: 'Where new ones stand',
      otherwise: 'the location of the fleet',
    }),
    ...CARDHOLDER_OPTIONS,
    faults: text({
      flag: '--faults <seed>',
      meaning:
        'Give the terminals a bad network: it drops, loses, repeats and delays; one seed, one course of things',
    }),
    takeOver,
    mqtt: brokerOption,
    ...LOG_OPTIONS,
    ...CLIENT_OPTIONS,
  },
  examples: [
    { line: 'tapbench sim --terminals 200', does: '200 terminals whose cardholders tap after a second' },
    { line: 'tapbench sim --cardholder none', does: 'ten that wait for `tapbench present-card`' },
  ],
  async run({ around, options }) {
    const cardholder = await cardholderOf(options);
    const api = connectApi(around, options);
    const wanted = {
      terminals: options.terminals,
      ...(options.location === undefined ? {} : { locationId: options.location }),
    };
    const { items } = await api.post<{ items: { id: string; serialNumber: string }[] }>(
      '/sandbox/fleets',
      wanted,
    );
    const eviction = createEviction();
    const [{ startAwayFleet }, { memoryJournal }] = await Promise.all([
      import('../remote-fleet.ts'),
      import('../../agent/lifecycle/action-journal.ts'),
    ]);
    const lasting = connectApi(uninterrupted(around), options);
    const fleet = startAwayFleet(around, {
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
        throw explainPairing(error);
      });
      await Promise.race([
        untilOnline(around, fleet, items.length),
        added.then(() => untilInterrupted(around)),
        eviction.happened,
      ]);
      if (options.json) printJsonLine(around.out, { terminals: items });
      else around.out.write(`${items.length} terminals online; Ctrl-C stops them\n`);
      await Promise.race([untilInterrupted(around), eviction.happened]);
    } finally {
      await fleet.close();
    }
  },
});

async function untilOnline(around: Surroundings, fleet: Fleet, count: number): Promise<void> {
  const progress = startProgress(around, `0 of ${count} terminals online`);
  try {
    for (;;) {
      const online = fleet.terminals().filter((terminal) => terminal.online).length;
      if (online >= count) return;
      progress.say(`${online} of ${count} terminals online`);
      await pause(around, POLL_MS);
    }
  } finally {
    progress.end();
  }
}
