import { SimulationAct } from '../../protocol/messages/sandbox.messages.ts';
import type { Terminal } from '../../server/api/in-person/terminals/terminal.schema.ts';
import { CARD_NAMES } from '../../simulator/cards/card-registry.ts';
import { chooseTerminal, terminalPath } from '../client/terminal-choice.ts';
import { sandboxInput, terminalInput, tool } from './tool.ts';

/** Returns the path of the sandbox controls of a terminal. */
export function controlsPath(terminalId: string): string {
  return `/sandbox/terminals/${encodeURIComponent(terminalId)}`;
}

const listTerminals = tool({
  name: 'list_terminals',
  title: 'List terminals',
  description: 'Lists the card terminals with their ids, serial numbers and whether they are online.',
  inputs: { sandbox: sandboxInput },
  effect: 'read',
  async run({ api }, { sandbox }) {
    return api(sandbox).get<object>('/sandbox/terminals');
  },
});

const getTerminal = tool({
  name: 'get_terminal',
  title: 'Get a terminal',
  description:
    'Returns a terminal with its latest action and the state of its state machine, such as awaitingCard or awaitingPin.',
  inputs: { sandbox: sandboxInput, terminal: terminalInput },
  effect: 'read',
  async run({ api }, { sandbox, terminal }) {
    const client = api(sandbox);
    const id = await chooseTerminal(client, terminal);
    const [shown, controls] = [
      await client.get<Terminal>(terminalPath(id)),
      await client.get<object>(controlsPath(id)),
    ];
    return { terminal: shown, simulation: controls };
  },
});

const cancelAction = tool({
  name: 'cancel_action',
  title: 'Cancel an action',
  description:
    'Cancels the payment or refund in progress on a terminal, as the cashier. An approved payment is voided.',
  inputs: { sandbox: sandboxInput, terminal: terminalInput },
  effect: 'once',
  async run({ api }, { sandbox, terminal }) {
    const client = api(sandbox);
    return client.post<Terminal>(`${terminalPath(await chooseTerminal(client, terminal))}/cancel-action`);
  },
});

const listCards = tool({
  name: 'list_cards',
  title: 'List cards',
  description: 'Lists the names of the test cards that can be presented to a simulated terminal.',
  inputs: {},
  effect: 'read',
  run: async () => ({ cards: CARD_NAMES }),
});

const simulate = tool({
  name: 'simulate',
  title: 'Simulate what happens at a terminal',
  description:
    'Does at a simulated terminal what people do: presents or removes a card, presses keys, switches power or network off and on, loads paper, or sets what a simulated cardholder does from now on.',
  inputs: { sandbox: sandboxInput, terminal: terminalInput, act: SimulationAct },
  effect: 'each time',
  async run({ api }, { sandbox, terminal, act: { act, ...body } }) {
    const client = api(sandbox);
    return client.post<object>(`${controlsPath(await chooseTerminal(client, terminal))}/${act}`, body);
  },
});

export const TERMINAL_TOOLS = [listTerminals, getTerminal, cancelAction, listCards, simulate];
