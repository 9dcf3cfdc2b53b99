import { expect, test } from 'vitest';
import { createRefusedTerminals, endAgent } from '../../../cli/terminals/refused-terminals.ts';
import { Fault } from '../../../protocol/failures.ts';
import type { SandboxApi } from '../../../simulator/pairing.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';
import { createCliFixture } from '../cli-fixture.ts';

const CREDENTIALS = { clientId: 'tml_1', username: 'tml_1', password: 'hush-hush' };

type Reply = Awaited<ReturnType<SandboxApi['request']>>;

/** A terminal that is paired, and a server that answers a check of its password. */
async function terminalAt(mqtt: string | undefined, answer: () => Reply) {
  const clock = new VirtualClock(1_000_000);
  const on = createCliFixture();
  const asked: unknown[] = [];
  const ended: string[] = [];
  const refusals = createRefusedTerminals(
    { ...on.context, clock },
    {
      options: { mqtt, brokerWait: 60 },
      api: {
        async request(_method, path, body) {
          if (!path.endsWith('/check')) return { status: 200, body: CREDENTIALS };
          asked.push([path, body]);
          return answer();
        },
      },
      end: (terminalId, reason) => void ended.push(`${terminalId}: ${reason}`),
    },
  );
  await refusals.api.request('POST', '/pairing/terminals/tml_1');
  let failure: unknown;
  refusals.failed.catch((error: unknown) => (failure = error));
  const refuse = async () => {
    refusals.refused('tml_1', 'Not authorized');
    await clock.advance(0);
  };
  return { on, clock, asked, ended, refusals, refuse, failure: () => failure };
}

const AT_MOSQUITTO = 'mqtt://127.0.0.1:1883';
const current = () => ({ status: 200, body: { current: true } });
const replaced = () => ({ status: 200, body: { current: false } });
const deleted = () => ({ status: 404, body: {} });
const failing = () => ({ status: 503, body: {} });
const unreachable = () => {
  throw new Fault('transport', 'no server');
};
const noKey = () => {
  throw new Fault('bad_setting', 'SECRET_KEY is not set');
};

test.each([
  ['replaced', AT_MOSQUITTO, replaced, ['tml_1: it was paired again elsewhere']],
  ['deleted', AT_MOSQUITTO, deleted, ['tml_1: it was deleted']],
  ['current', AT_MOSQUITTO, current, []],
  ['failing', AT_MOSQUITTO, failing, []],
  ['unreachable', AT_MOSQUITTO, unreachable, []],
  ['unreachable', undefined, unreachable, []],
  ['not to be asked', AT_MOSQUITTO, noKey, []],
  [
    'not to be asked',
    undefined,
    noKey,
    ['tml_1: the server refuses it (Not authorized); it was paired again elsewhere, or deleted'],
  ],
] as const)('refused terminals: %s at the broker %s', async (_what, mqtt, answer, expected) => {
  const { refuse, ended, asked } = await terminalAt(mqtt, answer);
  await refuse();
  expect(ended).toEqual(expected);
  expect(asked).toEqual([['/pairing/terminals/tml_1/check', { password: 'hush-hush' }]]);
});

test('refused terminals: the command ends when none came online within the wait', async () => {
  const { refuse, clock, on, failure } = await terminalAt(AT_MOSQUITTO, current);
  await refuse();
  expect(on.err).toContain('the broker refuses the terminals (Not authorized); trying again for 60 s');
  await clock.advance(59_999);
  expect(failure()).toBeUndefined();
  await clock.advance(1);
  expect(failure()).toMatchObject({
    code: 'transport',
    message: expect.stringContaining('no terminal came online in 60 s'),
  });
});

test('refused terminals: one that has been online tries again without end', async () => {
  const { refuse, refusals, clock, failure, ended } = await terminalAt(AT_MOSQUITTO, current);
  await refuse();
  refusals.online('tml_1');
  await refuse();
  await clock.advance(3_600_000);
  await refuse();
  expect([failure(), ended]).toEqual([undefined, []]);
});

test('refused terminals: the server is asked once in half a minute while one is refused, and again after it was online', async () => {
  const { refuse, refusals, clock, asked } = await terminalAt(AT_MOSQUITTO, current);
  await refuse();
  await clock.advance(29_999);
  await refuse();
  expect(asked).toHaveLength(1);
  await clock.advance(1);
  await refuse();
  expect(asked).toHaveLength(2);
  refusals.online('tml_1');
  await refuse();
  expect(asked).toHaveLength(3);
});

test('endAgent: ends the command with the reason', () => {
  expect(() => endAgent('tml_1', 'it was deleted')).toThrow('tml_1 stops: it was deleted');
});
