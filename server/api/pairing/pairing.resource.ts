import { simulatorCredentials, terminalCredentials } from '../../platform/broker/terminal-credentials.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { route, type Route } from '../../platform/http/route.ts';
import { findPairableTerminal, incrementPairingGeneration, terminalActivity } from './pairing.records.ts';
import { terminalKeys } from './terminal-keys.ts';
import { PairingRequest, SimulatorCredentials, TerminalCredentials } from './pairing.schema.ts';

const tag = 'Pairing';

const pairTerminalRoute = route({
  operation: 'POST /pairing/terminals/{id}',
  surface: 'pairing',
  tag,
  summary: 'Create MQTT credentials and encryption keys for a terminal. Earlier ones stop working.',
  section: 'Pairing',
  accountHeader: true,
  body: PairingRequest,
  reply: TerminalCredentials,
  refusals: ['not_found', 'terminal_online', 'terminal_busy'],
  async find({ services: { store }, caller, params }) {
    const terminal = await findPairableTerminal(store, caller, params.id);
    if (!terminal) throw new Refusal('not_found', { what: 'terminal' });
    return terminal;
  },
  handle: ({
    services: { notices, settings, store },
    found: { id },
    body: { keyScheme: scheme = 'AES', unless },
  }) =>
    store.transaction(async (tx) => {
      const { online, busy } = await terminalActivity(tx, id);
      if (unless === 'Online' && online) throw new Refusal('terminal_online');
      if (unless === 'Busy' && online && busy) throw new Refusal('terminal_busy');
      const generation = await incrementPairingGeneration(tx, id, scheme);
      if (generation === undefined) throw new Refusal('not_found', { what: 'terminal' });
      tx.afterCommit(() => notices.emit({ kind: 'terminal.paired', terminalId: id }));
      return {
        ...terminalCredentials(settings.pairingSecret, id, generation),
        keys: terminalKeys(settings.pairingSecret, { terminalId: id, generation, scheme }),
      };
    }),
});

const pairSimulatorRoute = route({
  operation: 'POST /pairing/simulators',
  surface: 'sandbox',
  tag,
  summary: 'Create MQTT credentials for a simulator',
  section: 'Pairing',
  reply: SimulatorCredentials,
  handle: async ({ services: { ids, settings } }) => simulatorCredentials(settings.pairingSecret, ids),
});

/** The routes that give devices their credentials for the broker (docs/choices.md, Pairing). */
export const pairingRoutes: readonly Route[] = [pairTerminalRoute, pairSimulatorRoute];
