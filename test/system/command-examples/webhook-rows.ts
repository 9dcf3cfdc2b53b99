import { expect } from 'vitest';
import { waitFor } from '../kit/wait-for.ts';
import type { Json } from '../kit/http-call.ts';
import type { ExampleRow, ExampleRows } from './example-row.ts';
import type { Stage } from './stage.ts';

const HOOK = 'http://127.0.0.1:3000/hook';
const DELIVERY = 'ev_01J....wh_5d0f...';
const LATER = 'ev_02....wh_5d0f...';
const EARLIER = 'ev_01....wh_5d0f...';
/** What `trigger` says while no endpoint listens. */
const CALLS = /^(\w+ \/\S+ {2}200\n)+no webhook receives it: .*\n$/;

const createCustomer = ({ api }: Stage, name = 'ana') =>
  api('POST', '/v1/customers', { email: `${name}@corner.example` });

/** Registers a receiver as an endpoint for new customers. */
async function registerReceiver({ fixture, api }: Stage, status = 200) {
  const receiver = await fixture.receiver();
  receiver.reply = () => status;
  const endpoint = { url: receiver.url, active: true, eventTypes: ['Customer.created'] };
  return { receiver, webhook: await api('POST', '/v1/webhooks', endpoint) };
}

/** Prepares an event that was delivered, and returns the id of its delivery. */
async function deliverOne(stage: Stage): Promise<string> {
  await createCustomer(stage);
  return waitFor('the delivery', async () => {
    const { items } = await stage.api('GET', '/sandbox/deliveries');
    const done = items.find(({ status }: Json) => status === 'Delivered');
    return done?.id as string | undefined;
  });
}

const latestEvent = async (stage: Stage) => {
  await createCustomer(stage);
  return { 'ev_01J...': (await stage.api('GET', '/v1/events')).items[0].id as string };
};

const delivered = async (stage: Stage) => {
  await registerReceiver(stage);
  return { [DELIVERY]: await deliverOne(stage) };
};

/** Pays while a command listens, and presses Control-C once it has printed the event. */
const whilePaying: ExampleRow['meanwhile'] = async (stage, { child, interrupt }) => {
  await waitFor('to listen', () => child.stderr.includes('Ctrl-C to stop'));
  await stage.payAtTerminal();
  await child.prints(/PaymentSession\.captured/);
  interrupt();
};

/** The other server is the same one, with the sandbox of the stage. */
const compareWithItself = ({ server, sandbox }: Stage) => ({
  'sk_...': sandbox.secretKey as string,
  'http://10.0.0.5:8080': server.url,
});

/** The receivers of the stages in which a line names one. */
const receivers = new WeakMap<Stage, Awaited<ReturnType<Stage['fixture']['receiver']>>>();

async function openHook(stage: Stage): Promise<Record<string, string>> {
  const receiver = await stage.fixture.receiver();
  receivers.set(stage, receiver);
  return { [HOOK]: receiver.url };
}

/** Registers a receiver that accepts whatever comes, and books nothing. */
async function openCareless(stage: Stage): Promise<Record<string, string>> {
  const hook = await openHook(stage);
  const eventTypes = ['PaymentSession.approved', 'PaymentSession.captured'];
  await stage.api('POST', '/v1/webhooks', { url: hook[HOOK], active: true, eventTypes });
  stage.write('books.json', JSON.stringify({ orders: [] }));
  return hook;
}

const endpoints = async ({ api }: Stage): Promise<Json[]> => (await api('GET', '/v1/webhooks')).items;

export const WEBHOOK_ROWS: ExampleRows = {
  'tapbench listen': {
    meanwhile: whilePaying,
    stdout: /✓ signed +PaymentSession\.captured +ps_\w+/,
    stderr: /^listening for all events; Ctrl-C to stop\n$/,
    after: async (stage) => expect(await endpoints(stage)).toEqual([]),
  },
  [`tapbench listen --forward ${HOOK}`]: {
    prepare: openHook,
    meanwhile: whilePaying,
    stdout: /✓ signed +PaymentSession\.captured +ps_\w+.*200/,
    stderr: /^listening for all events; Ctrl-C to stop\n$/,
    after: (stage) => expect(receivers.get(stage)!.types()).toContain('PaymentSession.captured'),
  },
  'tapbench webhooks': {
    prepare: async (stage) => void (await registerReceiver(stage)),
    stdout: /^ID .*\nwh_\S+ +active +Customer\.created +http:\/\/127\.0\.0\.1:\d+\/webhooks/,
  },
  'COMPARE_KEY=sk_... tapbench compare --to http://10.0.0.5:8080 --only payments/capture --yes': {
    prepare: compareWithItself,
    stdout: /^1 scenario alike, 0 differ; comparison\/comparison\.html\n$/,
    stderr: /What is not removed afterwards: 1 payment-sessions\nalike {6}payments\/capture\n$/,
    after: ({ read }) => expect(read('comparison/comparison.html')).toContain('1 scenario alike'),
  },
  'tapbench compare --import comparison.json': {
    prepare: ({ write }) =>
      write(
        'comparison.json',
        JSON.stringify({
          version: '1',
          to: 'https://there.example',
          startedTimestamp: 0,
          scenarios: 1,
          results: [
            {
              name: 'a/b',
              title: 'T',
              rules: [],
              choices: ['money#payouts'],
              notShown: null,
              needs: null,
              differences: [],
            },
          ],
        }),
      ),
    stdout: /^confirmed {2}money#payouts\n$/,
  },
  'tapbench compare --only payments/capture': {
    stdout: /^payments\/capture: .*\n {2}0 {2}POST \/payment-sessions {2}200\n/,
  },
  'tapbench certify': {
    stdout:
      /^CASE +RULE\nendpoint\.in-time +The endpoint replies within 10 seconds\.\n[\s\S]*\ndevice\.payment +It asks for the authorisation/,
  },
  [`tapbench certify endpoint ${HOOK} --books books.json`]: {
    prepare: openCareless,
    code: 1,
    stdout:
      /^passed +endpoint\.in-time: replied 200\n[\s\S]*failed +endpoint\.books: .*\n[\s\S]*\n4 failed, 8 passed, 6 not shown; /,
    after: ({ read }) => expect(read('certificate/certificate.html')).toContain('4 failed'),
  },
  [`tapbench certify endpoint ${HOOK} --only endpoint.unsigned`]: {
    prepare: openCareless,
    code: 1,
    stdout: /failed +endpoint\.unsigned: replied 200: .*\n1 failed, 3 passed, 14 not tried; /,
  },
  [`tapbench webhooks add ${HOOK}`]: {
    prepare: openHook,
    stdout: /^Webhook +wh_\S+\nSecret +whs_\S+\n$/,
    after: async (stage) => expect((await endpoints(stage))[0].eventTypes).toContain('Payout.created'),
  },
  [`tapbench webhooks add ${HOOK} --events PaymentSession.captured`]: {
    prepare: openHook,
    stdout: /^Webhook +wh_\S+\nSecret +whs_\S+\n$/,
    async after(stage) {
      expect(await endpoints(stage)).toMatchObject([{ eventTypes: ['PaymentSession.captured'] }]);
    },
  },
  'tapbench webhooks delete wh_01J...': {
    prepare: async (stage) => ({ 'wh_01J...': (await registerReceiver(stage)).webhook.id }),
    stdout: /^wh_\S+ deleted\n$/,
    after: async (stage) => expect(await endpoints(stage)).toEqual([]),
  },
  'tapbench webhooks health': {
    prepare: async (stage) => void (await delivered(stage)),
    stdout: /^ID +DELIVERED .*\nwh_\S+ +1 of 1 /,
  },
  'tapbench webhooks deliveries --status Failed': {
    async prepare(stage) {
      await registerReceiver(stage, 500);
      await createCustomer(stage);
      // Eight attempts in all, over days.
      await stage.api('POST', '/sandbox/clock/advance', { seconds: 30 * 86_400 });
    },
    stdout: /Customer\.created +cus_\w+ +Failed, \d attempts +500 +ev_\S+\n/,
  },
  [`tapbench webhooks deliveries ${DELIVERY}`]: {
    prepare: delivered,
    stdout:
      /^Customer\.created .*\nStatus +Delivered, 1 attempt\n[\s\S]*ana@corner\.example[\s\S]*Attempt 1 .*200/,
  },
  [`tapbench webhooks send ${DELIVERY}`]: {
    prepare: delivered,
    stdout: /^Customer\.created {2}cus_\w+ {2}200 {2}[\d.]+ ms {2}http:\/\/127\.0\.0\.1:\d+\/webhooks\n$/,
  },
  [`tapbench webhooks send ${LATER},${EARLIER}`]: {
    async prepare(stage) {
      const { receiver } = await registerReceiver(stage);
      receivers.set(stage, receiver);
      await createCustomer(stage);
      await createCustomer(stage, 'sam');
      const items = await waitFor('two deliveries', async () => {
        const all: Json[] = (await stage.api('GET', '/sandbox/deliveries')).items;
        return all.filter(({ status }) => status === 'Delivered').length === 2 ? all : undefined;
      });
      return { [LATER]: items[0].id, [EARLIER]: items[1].id };
    },
    stdout: /^(Customer\.created {2}cus_\w+ {2}200 .*\n){2}$/,
    after(stage) {
      const [first, second, third, fourth] = receivers.get(stage)!.deliveries.map(({ event }) => event.id);
      expect([third, fourth]).toEqual([second, first]);
    },
  },
  'tapbench events': {
    prepare: async (stage) => void (await latestEvent(stage)),
    stdout: /Customer\.created +cus_\w+ .*ev_\w+\n/,
  },
  'tapbench events ev_01J...': { prepare: latestEvent, stdout: /"eventType": "Customer\.created"/ },
  'tapbench events deliver ev_01J...': {
    async prepare(stage) {
      await registerReceiver(stage);
      return latestEvent(stage);
    },
    stdout: /^ev_\w+ is sent to 1 webhook\n$/,
  },
  'tapbench trigger PaymentSession.captured': {
    stdout: /^PaymentSession\.captured {2}ps_\w+ .*ev_\w+\n$/,
    stderr: CALLS,
  },
  'tapbench trigger Dispute.created --set session:amount=1742': {
    stdout: /^Dispute\.created {2}dsp_\w+ {2}Open {2}ev_\w+\n$/,
    stderr: CALLS,
    after: async ({ api }) =>
      expect((await api('GET', '/v1/disputes')).items).toMatchObject([{ amount: 1742 }]),
  },
  'tapbench trigger --list': { stdout: /^PaymentSession\.approved {2}[\s\S]*\nDispute\.created {2}/ },
};
