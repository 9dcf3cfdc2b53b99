import { expect, test } from 'vitest';
import { callPerson } from '../../../cli/drills/settling-person.ts';

/** A person at a terminal whose states, and problems, come one after another; the last stays. */
function personAt(looks: (string | Error)[]) {
  const settled: unknown[] = [];
  const person = callPerson({
    stage: {
      sleep: () => new Promise((resolve) => setImmediate(resolve)),
      backstage: async (method, _path, body) => {
        if (method === 'POST') return void settled.push(body);
        const look = looks.length > 1 ? looks.shift()! : looks[0]!;
        if (look instanceof Error) throw look;
        return { state: look };
      },
    },
    terminalId: 'tml_1',
    settledAs: 'Charged',
    tell: () => {},
  });
  return { person, settled };
}

const CHARGED = { outcome: 'Charged' };

test('settling person: settles what is unknown, and again after a request that failed', async () => {
  const unknown = ['outcomeUnknown', 'outcomeUnknown'];
  const { person, settled } = personAt([new Error('no connection'), ...unknown, 'idle', ...unknown, 'idle']);
  await expect.poll(() => settled).toEqual([CHARGED, CHARGED]);
  await person.leave();
});

test('settling person: settles also what is unknown as they leave', async () => {
  const { person, settled } = personAt(['outcomeUnknown', 'outcomeUnknown', 'idle']);
  await person.leave();
  expect(settled).toEqual([CHARGED]);
});

test('settling person: a server that cannot be reached as they leave is told', async () => {
  const { person } = personAt([new Error('no connection')]);
  await expect(person.leave()).rejects.toThrow('no connection');
});
