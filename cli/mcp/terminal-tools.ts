import { Type } from '../../protocol/schema.ts';
import { SimulationAct } from '../../protocol/messages/sandbox.messages.ts';
import { CARD_NAMES } from '../../simulator/cards/card-registry.ts';
import { replyOf } from '../client/api-client.ts';
import { chooseTerminal } from '../client/terminal-choice.ts';
import { listedBy, sandboxInput, terminalInput, tool, wholeInput } from './tool.ts';

const TERMINALS_DEFAULT = 20;

const listTerminals = tool({
  name: 'list_terminals',
  title: 'List terminals',
  description:
    'Lists the card terminals, oldest first: ids, serial numbers, whether they are online, and the states of their state machines. For more give next as from.',
  inputs: {
    online: Type.Optional(Type.Boolean({ description: 'Only terminals that are online, or that are not' })),
    from: Type.Optional(Type.Integer({ minimum: 0, description: 'How many terminals to skip' })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 500, description: `${TERMINALS_DEFAULT} by default` }),
    ),
    whole: wholeInput,
    sandbox: sandboxInput,
  },
  effect: 'read',
  async run({ api }, { sandbox, online, whole, from = 0, limit = TERMINALS_DEFAULT }) {
    const { items } = await api(sandbox).call('GET /sandbox/terminals');
    const fitting = items.filter((terminal) => online === undefined || terminal.online === online);
    const end = from + limit;
    const page = {
      items: fitting.slice(from, end),
      count: fitting.length,
      ...(end < fitting.length && { next: end }),
    };
    return listedBy(page, ['id', 'serialNumber', 'online', 'state'], whole);
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
    const params = { id: await chooseTerminal(client, terminal) };
    const [shown, controls] = [
      await client.call('GET /v1/in-person/terminals/{id}', { params }),
      await client.call('GET /sandbox/terminals/{id}', { params }),
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
    const params = { id: await chooseTerminal(client, terminal) };
    return client.call('POST /v1/in-person/terminals/{id}/cancel-action', { params });
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
    const path = `/sandbox/terminals/${encodeURIComponent(await chooseTerminal(client, terminal))}/${act}`;
    const reply = replyOf(client, { method: 'POST', path }, await client.ask('POST', path, body));
    return reply as object;
  },
});

export const TERMINAL_TOOLS = [listTerminals, getTerminal, cancelAction, listCards, simulate];
