import { Type } from '../../protocol/schema.ts';
import { listedBy, sandboxInput, tool, wholeInput } from './tool.ts';

const nameInput = Type.String({ minLength: 1, maxLength: 40, description: 'Name of the sandbox' });

const listSandboxes = tool({
  name: 'list_sandboxes',
  title: 'List sandboxes',
  description: 'Lists the sandboxes of the server.',
  inputs: { whole: wholeInput },
  effect: 'read',
  run: async ({ host }, { whole }) =>
    listedBy(await host().call('GET /sandboxes'), ['name', 'from', 'expiresTimestamp'], whole),
});

const createSandbox = tool({
  name: 'create_sandbox',
  title: 'Create a sandbox',
  description:
    'Creates a sandbox of its own, with keys, terminals, clock and objects that no other shares; with from, as a copy of another as it stands. Returns its address and keys. Other tools use it by its name. Calling it again with the same inputs returns the same sandbox.',
  inputs: {
    name: Type.String({
      pattern: '^[a-z0-9-]{1,40}$',
      description: 'Lower-case letters, digits and hyphens; no other sandbox of the server may have it',
    }),
    from: Type.Optional(Type.String({ description: 'The sandbox to copy, such as default' })),
    clock: Type.Optional(Type.Integer({ minimum: 0, description: 'Its time: a Unix timestamp, in seconds' })),
    seed: Type.Optional(
      Type.String({ description: 'Makes ids and random faults the same for the same seed' }),
    ),
  },
  effect: 'once',
  run: ({ createSandbox: create }, input) => create(input),
});

const deleteSandbox = tool({
  name: 'delete_sandbox',
  title: 'Delete a sandbox',
  description: 'Deletes a sandbox and everything in it.',
  inputs: { name: nameInput },
  effect: 'once',
  async run({ host, forget }, { name }) {
    const deleted = await host().call('DELETE /sandboxes/{name}', { params: { name } });
    forget(name);
    return deleted;
  },
});

const getClock = tool({
  name: 'get_clock',
  title: 'Get the time',
  description: 'Returns the time of a sandbox.',
  inputs: { sandbox: sandboxInput },
  effect: 'read',
  run: ({ api }, { sandbox }) => api(sandbox).call('GET /sandbox/clock'),
});

const advanceClock = tool({
  name: 'advance_clock',
  title: 'Advance the time',
  description:
    'Advances the time of a sandbox. Deadlines, retries of webhooks, billing, payouts and expiries that become due happen.',
  inputs: {
    seconds: Type.Integer({ minimum: 1, description: 'By how many seconds' }),
    sandbox: sandboxInput,
  },
  effect: 'each time',
  run: ({ api }, { seconds, sandbox }) =>
    api(sandbox).call('POST /sandbox/clock/advance', { body: { seconds } }),
});

export const SANDBOX_TOOLS = [listSandboxes, createSandbox, deleteSandbox, getClock, advanceClock];
