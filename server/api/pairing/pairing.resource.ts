import { simulatorCredentials, terminalCredentials } from '../../platform/broker/terminal-credentials.ts';
import { constantTimeEqual } from '../../platform/constant-time-equal.ts';
import { Refusal } from '../../platform/http/refusals.ts';
import { route, type Route } from '../../platform/http/route.ts';
import {
  findPairableTerminal,
  pairingGeneration,
  savePairedSimulator,
  incrementPairingGeneration,
  terminalActivity,
} from './pairing.records.ts';
import {
  FleetCredentials,
  FleetPairingRequest,
  PairingCheck,
  PairingCheckRequest,
  PairingRequest,
  SimulatorCredentials,
  TerminalCredentials,
  type PairingOptions,
} from './pairing.schema.ts';
import type { Services } from '../../platform/services.ts';
import type { Transaction, TransactionOptions } from '../../platform/store/store.ts';
import { terminalKeys } from './terminal-keys.ts';

const tag = 'Pairing';

/** Options of a transaction that pairs a terminal, which it locks before it reads it. */
const PAIRING_GUARDS = { guardedBy: ['terminalRegistration'] } as const satisfies TransactionOptions;

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
  handle: ({ services, found: { id }, body }) =>
    services.store.transaction((tx) => pairTerminal(tx, services, id, body), PAIRING_GUARDS),
});

const pairTerminalsRoute = route({
  operation: 'POST /pairing/terminals',
  surface: 'pairing',
  tag,
  summary:
    'Pair several terminals, as `POST /pairing/terminals/{id}` pairs one. When one is refused, none is paired.',
  section: 'Pairing',
  accountHeader: true,
  body: FleetPairingRequest,
  reply: FleetCredentials,
  refusals: ['not_found', 'terminal_online', 'terminal_busy'],
  handle: ({ services, caller, body: { terminalIds, ...options } }) =>
    services.store.transaction(async (tx) => {
      const items = [];
      // In one order, so that two requests do not wait for each other.
      for (const id of terminalIds.toSorted()) tx.lockRow('terminals', id);
      for (const id of terminalIds) {
        if (!(await findPairableTerminal(tx, caller, id)))
          throw new Refusal('not_found', { what: 'terminal' });
        items.push(await pairTerminal(tx, services, id, options));
      }
      return { items };
    }, PAIRING_GUARDS),
});

const checkPairingRoute = route({
  operation: 'POST /pairing/terminals/{id}/check',
  surface: 'pairing',
  tag,
  summary:
    'Check whether the MQTT password of a terminal is that of its latest pairing. A broker that refuses it may not have read its users yet.',
  section: 'Pairing',
  accountHeader: true,
  body: PairingCheckRequest,
  reply: PairingCheck,
  refusals: ['not_found'],
  find: ({ services: { store }, caller, params }) => findPairableTerminal(store, caller, params.id),
  async handle({ services: { store, settings }, found: { id }, body }) {
    const generation = (await pairingGeneration(store, id)) ?? 0;
    const { password } = terminalCredentials(settings.pairingSecret, id, generation, settings.sandbox);
    return { current: constantTimeEqual(body.password, password) && generation > 0 };
  },
});

const pairSimulatorRoute = route({
  operation: 'POST /pairing/simulators',
  surface: 'sandbox',
  tag,
  summary: 'Create MQTT credentials for a simulator',
  section: 'Pairing',
  reply: SimulatorCredentials,
  handle: ({ services: { ids, settings, store } }) =>
    store.transaction(async (tx) => {
      const uuid = ids.uuid();
      await savePairedSimulator(tx, uuid);
      return simulatorCredentials(settings.pairingSecret, { uuid: () => uuid }, settings.sandbox);
    }, PAIRING_GUARDS),
});

/** The routes that give devices their credentials for the broker (docs/choices.md, Pairing). */
export const pairingRoutes: readonly Route[] = [
  pairTerminalRoute,
  pairTerminalsRoute,
  checkPairingRoute,
  pairSimulatorRoute,
];

/**
 * Starts the next pairing of a terminal, which revokes the one before, and returns its credentials.
 * @throws Refusal `terminal_online` or `terminal_busy` as `unless` asks; `not_found` for a deleted terminal.
 */
async function pairTerminal(
  tx: Transaction,
  { activities, settings: { pairingSecret, sandbox } }: Pick<Services, 'activities' | 'settings'>,
  terminalId: string,
  { keyScheme: scheme = 'AES', unless }: PairingOptions,
) {
  tx.lockRow('terminals', terminalId);
  if (unless !== undefined) {
    const { online, busy } = await terminalActivity(tx, terminalId);
    if (unless === 'Online' && online) throw new Refusal('terminal_online');
    if (unless === 'Busy' && online && busy) throw new Refusal('terminal_busy');
  }
  const generation = await incrementPairingGeneration(tx, terminalId, scheme);
  if (generation === undefined) throw new Refusal('not_found', { what: 'terminal' });
  tx.afterCommit(() => activities.emit({ kind: 'terminal.paired', terminalId }));
  return {
    ...terminalCredentials(pairingSecret, terminalId, generation, sandbox),
    keys: terminalKeys(pairingSecret, { terminalId, generation, scheme }),
  };
}
