import { Simulated, SimulationAct } from '../../protocol/messages/sandbox.messages.ts';
import { Id, Type, type TSchema } from '../../protocol/schema.ts';
import { route, type Route } from '../platform/http/route.ts';
import { findControlledTerminal } from './sandbox-terminal.resource.ts';

/** A simulated terminal after an act. */
const SimulatedTerminal = Type.Object(
  { id: Id('terminal'), ...Simulated.body.properties.terminal.properties },
  { title: 'SimulatedTerminal', description: 'State of a simulated terminal' },
);

/** The summary of an act for the documentation, and whether the dashboard's token gives access to it. */
interface ActRow {
  summary: string;
  access: 'secret' | 'dashboard';
}

/** The acts and their bodies are declared by the message that carries them: add a new one there, and a row here. */
const ACTS: Record<SimulationAct['act'], ActRow> = {
  'present-card': { summary: 'Present a card to the reader', access: 'dashboard' },
  'remove-card': { summary: 'Remove the card from the reader', access: 'dashboard' },
  'press-keys': { summary: "Press keys of the terminal's keypad", access: 'dashboard' },
  power: { summary: 'Switch the power of the terminal off or on', access: 'dashboard' },
  network: { summary: 'Disconnect or reconnect the network of the terminal', access: 'dashboard' },
  reader: { summary: 'Unplug the card reader of the terminal, or plug it in again', access: 'secret' },
  paper: { summary: 'Set the number of sheets in the receipt printer', access: 'dashboard' },
  control: {
    summary: 'Use a control of the payment terminal or receipt printer beside the terminal',
    access: 'dashboard',
  },
  cardholder: { summary: 'Set what the simulated cardholder does from now on', access: 'dashboard' },
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
      ...ACTS[name],
      section: 'Sandbox',
      accountHeader: true,
      ...(Object.keys(members).length > 0 ? { body: Type.Object(members) } : {}),
      reply: SimulatedTerminal,
      refusals: ['not_simulated', 'simulation_refused'],
      worksOutside: true,
      find: ({ services: { store }, caller, params }) => findControlledTerminal(store, caller, params.id),
      async handle({ services: { simulation }, body, found: { id } }) {
        // The body has the schema of the act without its name.
        const given = { ...(body as object | undefined), act: name } as SimulationAct;
        return { id, ...(await simulation.perform(id, given)) };
      },
    });
  },
);
