import { expect, test } from 'vitest';
import { BrokenRule, NotEnded, type DeviceBench } from '../../../cli/certify/device/device-bench.ts';
import { deviceCase } from '../../../cli/certify/device/device-case.ts';
import { DEVICE_CASES } from '../../../cli/certify/device/device-cases.ts';
import type { SeenMessage } from '../../../cli/certify/device/device-timeline.ts';
import { CARD_NUMBER_MASKED } from '../../../protocol/card-numbers.ts';
import { Fault } from '../../../protocol/failures.ts';

type Seen = Partial<SeenMessage>;

const report = (name: string, body: object = {}): Seen => ({ kind: 'report', name, body: { ...body } });
const refused = (name: string, reason: string): Seen => ({ kind: 'refused', name, body: { reason } });

/** A bench at which a device has sent what is given, and on which every wait ends well unless `missing` names what it waits for. */
function benchOf(given: readonly Seen[], missing?: string) {
  const acts: string[] = [];
  const messages = given.map((one, at): SeenMessage => ({
    seq: at + 1,
    atMs: 0,
    kind: 'report',
    name: '',
    actionId: null,
    body: {},
    ...one,
  }));
  const nothing = messages[0]!;
  const named = (name: string) => messages.filter((one) => one.kind === 'report' && one.name === name);
  const bench: DeviceBench = {
    isAutomatic: true,
    payments: 1,
    pin: '1234',
    settle: async () => {},
    plan: async () => {},
    endFaults: async () => {},
    pay: async () => 'ps_1',
    refund: async () => {},
    cancel: async () => {},
    confirm: async () => {},
    act: async (act) => void acts.push(act),
    takeCardOut: async () => void acts.push('take card out'),
    type: async () => {},
    advance: async () => {},
    sleep: async () => {},
    seen: () => messages,
    reports: (name) => messages.filter((one) => one.kind === 'report' && (!name || one.name === name)),
    mark: () => 0,
    async expectReport(name) {
      if (name === missing) throw new BrokenRule(`it did not send ${name} within 10 s`);
      return named(name)[0] ?? nothing;
    },
    expect: async () => nothing,
    expectNo: async () => {},
    expectEnd: async () => nothing,
    isOnline: async () => true,
  };
  return { bench, acts };
}

async function verdictOf(name: string, given: readonly Seen[], missing?: string): Promise<string> {
  const { bench } = benchOf(given, missing);
  const { verdict, reason } = await DEVICE_CASES.find(({ id }) => id === `device.${name}`)!.run(bench, []);
  return `${verdict}: ${reason}`;
}

test('device.masked: a report fails in which the server had to mask a card number, and no other', async () => {
  const ready = report('receipt.ready', { copy: '************0119\n393113··2920' });
  expect(await verdictOf('masked', [ready])).toBe('passed: none of 1 reports has a card number');
  for (const name of ['receipt.ready', 'display.shown'])
    expect(await verdictOf('masked', [ready, refused(name, CARD_NUMBER_MASKED)])).toBe(
      `failed: its ${name} contains a card number`,
    );
});

test('device.reports: what was refused is named also where the payment waited for it', async () => {
  const reason = 'this message is not retained';
  const given = [refused('action.accepted', reason)];
  expect(await verdictOf('reports', given, 'action.accepted')).toBe(
    `failed: its action.accepted was refused: ${reason}`,
  );
});

const REPEATED = 'repeated: 3 is not above 3, the last number seen';

test('device.reports: a report that came again fails nothing, and is said', async () => {
  const given = [report('action.accepted'), refused('action.accepted', REPEATED)];
  expect(await verdictOf('reports', given)).toBe(
    'passed: none of 1 reports was refused; 1 came with a number that was not new',
  );
});

test('device case: a report that was dropped as a repeat is named where the action did not end, and nowhere else', async () => {
  const { bench } = benchOf([refused('action.completed', REPEATED)]);
  const reasonOf = async (broken: Error) =>
    (await deviceCase('any', [], () => Promise.reject(broken)).run(bench, [])).reason;
  expect(await reasonOf(new NotEnded('the action did not end within 20 s'))).toBe(
    `the action did not end within 20 s; its action.completed was refused: ${REPEATED}`,
  );
  expect(await reasonOf(new BrokenRule('it did not'))).toBe('it did not');
});

test('device.card.unreadable: a reason of two lines fails', async () => {
  const { bench } = benchOf([
    report('action.abandoned', { code: 'bad_track_data', reason: 'reader:\nno answer' }),
  ]);
  // It gives up at the third card.
  let presented = 0;
  const tried: DeviceBench = {
    ...bench,
    act: async () => void (presented += 1),
    reports: (name) => (presented < 3 ? [] : bench.reports(name)),
  };
  const one = DEVICE_CASES.find(({ id }) => id === 'device.card.unreadable')!;
  expect(await one.run(tried, [])).toEqual({
    verdict: 'failed',
    reason: 'its reason is not one printable line',
  });
});

test('device.twice.cancel: an action that is accepted again fails', async () => {
  const accepted = report('action.accepted');
  expect(await verdictOf('twice.cancel', [accepted])).toMatch(/^passed/);
  expect(await verdictOf('twice.cancel', [accepted, accepted])).toBe(
    'failed: it sent action.accepted 2 times',
  );
});

test('device.cancel.card: a card that the device has let go of stops nothing, and a server that is away does', async () => {
  const { bench } = benchOf([]);
  const one = DEVICE_CASES.find(({ id }) => id === 'device.cancel.card')!;
  const outcomeOf = (removed: Fault) => {
    const act: DeviceBench['act'] = async (what) => {
      if (what === 'remove') throw removed;
    };
    return one.run({ ...bench, act }, []);
  };
  for (const code of ['server_answer', 'bad_setting'] as const)
    expect(await outcomeOf(new Fault(code, 'there is no card'))).toMatchObject({ verdict: 'passed' });
  await expect(outcomeOf(new Fault('transport', 'no server'))).rejects.toThrow('no server');
});

test('device case: a card that was left in the device is taken out at the end, however the case ends', async () => {
  for (const end of [async () => 'it did', () => Promise.reject(new BrokenRule('it did not'))]) {
    const { bench, acts } = benchOf([]);
    await deviceCase('any', [], async () => end()).run(bench, []);
    expect(acts).toEqual(['take card out']);
  }
});
