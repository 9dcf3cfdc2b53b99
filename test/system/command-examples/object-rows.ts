import { expect } from 'vitest';
import type { Json } from '../kit/http-call.ts';
import type { ExampleRow, ExampleRows } from './example-row.ts';
import type { Stage } from './stage.ts';

const CARD = { number: '4242424242424242', expiryMonth: '12', expiryYear: '2040', cvc: '123' };
/** Its issuer asks for 3-D Secure. */
const CHALLENGED = { ...CARD, number: '4938730000000001' };

const createSession = ({ api }: Stage): Promise<Json> =>
  api('POST', '/v1/payment-sessions', { amount: 1742, currency: 'GBP', customerEmail: 'ana@corner.example' });

async function attempt({ api }: Stage, { clientSecret }: Json, cardDetails: object): Promise<Json> {
  return api('POST', '/v1/payment-sessions/attempt-payment', { clientSecret, cardDetails });
}

async function payOnline(stage: Stage): Promise<string> {
  const session = await createSession(stage);
  expect((await attempt(stage, session, CARD)).status).toBe('Captured');
  return session.id;
}

const paid = async (stage: Stage) => ({ 'ps_01J...': await payOnline(stage) });
const subAccount = ({ sandbox }: Stage) => ({ 'ac_...': sandbox.subAccountId as string });

/** Prepares the object of an event whose id begins with this, such as a payout. */
const objectOf =
  (eventType: string, printed: string): NonNullable<ExampleRow['prepare']> =>
  async (stage) => ({ [printed]: (await stage.trigger(eventType)).data.id });

async function disputed(stage: Stage): Promise<string> {
  const id = await payOnline(stage);
  return (await stage.api('POST', `/sandbox/payment-sessions/${id}/disputes`, {})).id;
}

export const OBJECT_ROWS: ExampleRows = {
  'tapbench accounts': { stdout: /^ID +TYPE +NAME\nac_\S+ +Standard .*\nac_\S+ +Sub / },
  'tapbench accounts settings ac_... --set frozen=true': {
    prepare: subAccount,
    stdout: /"frozen": true/,
  },
  'tapbench accounts settings ac_... --set minimumPayoutMinor=5000': {
    prepare: subAccount,
    stdout: /"minimumPayoutMinor": 5000/,
  },
  'tapbench accounts verify ac_...': {
    prepare: subAccount,
    stdout: /^ac_\S+ {2}Verified\n$/,
  },
  'tapbench accounts verify ac_... per_... --refuse': {
    async prepare(stage) {
      const { data, accountId } = await stage.trigger('Person.created');
      return { 'ac_...': accountId, 'per_...': data.id };
    },
    stdout: /^per_\S+ {2}Required\n$/,
  },
  'tapbench disputes': {
    prepare: async (stage) => void (await disputed(stage)),
    stdout: /^ID +STATUS .*\ndsp_\w+ +Open +17\.42 GBP /,
  },
  'tapbench disputes open ps_01J... --amount 500': {
    prepare: paid,
    stdout: /^dsp_\w+ {2}Open {2}5\.00 GBP .*ps_\w+\n$/,
  },
  'tapbench disputes decide dsp_01J... Won': {
    prepare: objectOf('Dispute.challenged', 'dsp_01J...'),
    stdout: /^dsp_\w+ {2}Won {2}/,
  },
  'tapbench authenticate ps_01J... Authenticated': {
    async prepare(stage) {
      const session = await createSession(stage);
      await attempt(stage, session, CHALLENGED);
      await stage.run(`tapbench authenticate ${session.id} Identified`);
      return { 'ps_01J...': session.id };
    },
    stdout: /^ps_\w+ {2}Captured\n$/,
  },
  'tapbench decline-next ps_01J... stolen_card': {
    prepare: async (stage) => ({ 'ps_01J...': (await createSession(stage)).id }),
    stdout: /^ps_\w+ {2}the next attempt is declined: stolen_card\n$/,
  },
  'tapbench fail-next ps_01J... Refund': {
    prepare: paid,
    stdout: /^ps_\w+ {2}the next refund fails\n$/,
  },
  'tapbench payout-status po_01J... Failed': {
    prepare: objectOf('Payout.created', 'po_01J...'),
    stdout: /^po_\w+ {2}Failed\n$/,
  },
  'tapbench verify-payout-method pm_01J... Rejected': {
    prepare: objectOf('PayoutMethod.created', 'pm_01J...'),
    stdout: /^pm_\w+ {2}Rejected\n$/,
  },
  'tapbench objects transaction --category Refund': {
    async prepare(stage) {
      await stage.api('POST', `/v1/payment-sessions/${await payOnline(stage)}/refunds`, { amount: 500 });
    },
    stdout: /^ID .*\n\w+ .*5\.00 GBP/,
  },
  'tapbench objects customer --text ana@': {
    prepare: async ({ api }) => void (await api('POST', '/v1/customers', { email: 'ana@corner.example' })),
    stdout: /^ID .*\ncus_\w+ .*ana@corner\.example/,
  },
  'tapbench object ps_01J...': {
    prepare: paid,
    stdout: /^ps_\w+ {2}Captured {2}17\.42 GBP[\s\S]*\nstate +\S+ {2}Captured\n/,
  },
  'tapbench find SIM-0001': {
    stdout: /^tml_\w+ +terminal +/i,
  },
};
