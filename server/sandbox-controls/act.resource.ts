import { SimulationAct } from '../../protocol/messages/sandbox.messages.ts';
import { Type, type TSchema } from '../../protocol/schema.ts';
import { route, type Route } from '../platform/http/route.ts';
import { findControlledTerminal } from './sandbox-terminal.records.ts';
import { SimulatedTerminal } from './act.schema.ts';

/**
 * The summary of each act, for the documentation. The acts and their bodies are declared by the message that carries
 * them: add a new one there, and a row here.
 */
const SUMMARIES: Record<SimulationAct['act'], string> = {
  'present-card': 'Present a card to the reader',
  'remove-card': 'Remove the card from the reader',
  'press-keys': "Press keys of the terminal's keypad",
  power: 'Switch the power of the terminal off or on',
  network: 'Disconnect or reconnect the network of the terminal',
  paper: 'Set the number of sheets in the receipt printer',
  cardholder: 'Set what the simulated cardholder does from now on',
};

interface ActSchema {
  properties: { act: { const: SimulationAct['act'] } } & Record<string, TSchema>;
}

/** One route for each act on a simulated terminal. */
export const actRoutes: readonly Route[] = (SimulationAct.anyOf as unknown as ActSchema[]).map(
  ({ properties: { act, ...members } }) => {
    const name = act.const;
    return route({
      operation: `POST /sandbox/terminals/{id}/${name}`,
      surface: 'sandbox',
      tag: 'Sandbox terminal',
      summary: SUMMARIES[name],
      section: 'Sandbox',
      access: 'dashboard',
      accountHeader: true,
      ...(Object.keys(members).length > 0 ? { body: Type.Object(members) } : {}),
      reply: SimulatedTerminal,
      refusals: ['not_simulated', 'simulation_refused'],
      find: ({ services: { store }, caller, params }) => findControlledTerminal(store, caller, params.id),
      async handle({ services: { simulation }, body, found: { id } }) {
        // The body has the schema of the act without its name.
        const given = { ...(body as object | undefined), act: name } as SimulationAct;
        return { id, ...(await simulation.perform(id, given)) };
      },
    });
  },
);
