import { Fault } from '../../../protocol/failures.ts';
import type { ServerApi } from '../../client/api-client.ts';
import type { DeviceAct, Operator } from './operator.ts';

/** Cards of the simulator. */
const CARDS = {
  tap: { card: 'visa-contactless', entryMode: 'Contactless' },
  insert: { card: 'visa-contact-pin', entryMode: 'Contact' },
  unreadable: { card: 'visa-unreadable', entryMode: 'Contact' },
} as const;

const PAPER_SHEETS = 1_000;
const WAIT_SECONDS = 10;

/** Returns the operator of a simulated terminal: the calls that control it. */
export function sandboxOperator(api: ServerApi, terminalId: string): Operator {
  const params = { id: terminalId };
  const present = (card: keyof typeof CARDS) =>
    api.call('POST /sandbox/terminals/{id}/present-card', { params, body: CARDS[card] });
  const remove = () => api.call('POST /sandbox/terminals/{id}/remove-card', { params });
  const power = (state: 'on' | 'off') =>
    api.call('POST /sandbox/terminals/{id}/power', { params, body: { state } });
  const network = (state: 'on' | 'off') =>
    api.call('POST /sandbox/terminals/{id}/network', { params, body: { state } });
  const paper = (sheets: number) =>
    api.call('POST /sandbox/terminals/{id}/paper', { params, body: { sheets } });
  const pressIn = async (state: string, keys: readonly Key[]) => {
    const query = { state, waitSeconds: WAIT_SECONDS };
    const seen = await api.call('GET /sandbox/terminals/{id}', { params, query });
    const isThere = state.split(',').some((name) => seen.state?.split('.').includes(name));
    if (!isThere) throw new Fault('timed_out', `the device is in ${seen.state}, and not in ${state}`);
    await api.call('POST /sandbox/terminals/{id}/press-keys', { params, body: { keys: [...keys] } });
  };
  const refuse = () => Promise.reject(new Fault('bad_setting', 'the simulator has nothing of the kind'));
  const ACTS: Record<DeviceAct, (pin: string) => Promise<unknown>> = {
    tap: () => present('tap'),
    insert: () => present('insert'),
    pin: (pin) => pressIn('awaitingPin', [...digitsOf(pin), 'enter']),
    remove,
    cancel: () => pressIn('awaitingCard,reading,awaitingPin', ['cancel']),
    async unreadable() {
      await present('unreadable');
      // The terminal may have let go of it.
      await remove().catch(() => {});
    },
    declines: refuse,
    'power-cut': () => power('off'),
    'power-on': () => power('on'),
    'network-off': () => network('off'),
    'network-on': () => network('on'),
    'paper-out': () => paper(0),
    'paper-in': () => paper(PAPER_SHEETS),
    'pair-again': refuse,
  };
  return {
    isAutomatic: true,
    async act(act, pin = '') {
      await ACTS[act](pin);
    },
  };
}

/** Gives a simulated terminal back what an earlier case, which was interrupted, has taken from it. */
export async function restoreSimulated(api: ServerApi, terminalId: string): Promise<void> {
  const operator = sandboxOperator(api, terminalId);
  for (const act of ['power-on', 'network-on', 'paper-in'] as const) await operator.act(act).catch(() => {});
}

const DIGITS = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;
type Key = (typeof DIGITS)[number] | 'enter' | 'cancel';

function digitsOf(pin: string): Key[] {
  return [...pin].flatMap((typed) => DIGITS.find((digit) => digit === typed) ?? []);
}
