import { Type } from '../../protocol/schema.ts';
import { CASES } from '../certify/all-cases.ts';
import { sandboxInput, tool } from './tool.ts';

const kind = Type.Enum(['endpoint', 'device', 'till'], {
  description: 'What is tried: a webhook endpoint, a terminal, or the shop of --shop',
});

const listCases = tool({
  name: 'list_certificate_cases',
  title: 'List the cases of a certificate',
  description:
    'Lists the rules that certify can show of an endpoint, a device or a till, by the ids of their cases.',
  inputs: { kind },
  effect: 'read',
  run: async (_context, { kind: of }) => ({ items: CASES[of].map(({ id, rule }) => ({ id, rule })) }),
});

const certify = tool({
  name: 'certify',
  title: 'Certify an endpoint, a device or a till',
  description:
    'Tries cases, and says which rules are kept: passed, failed, or not shown with the reason. A case takes a few seconds, so name those that matter. A till is the shop with which tapbench mcp was started (--shop); a device is a simulated terminal. Writes a page and a trace of each case, which read_trace reads.',
  inputs: {
    kind,
    name: Type.Optional(
      Type.String({
        maxLength: 2_000,
        description: 'URL of the endpoint as it is registered, or id or serial number of the terminal',
      }),
    ),
    cases: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      minItems: 1,
      maxItems: 50,
      description: 'Ids of cases, or how they begin before a *, such as till.drill.*',
    }),
    seed: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Decides the amounts' })),
    sandbox: sandboxInput,
  },
  effect: 'each time',
  run: ({ certificateRuns }, { kind: of, name, cases, seed = '1', sandbox }) =>
    certificateRuns.certify({ kind: of, name, cases, seed, sandbox }),
});

export const CERTIFICATE_TOOLS = [listCases, certify];
