import { expect, onTestFinished, test } from 'vitest';
import { ACTION_MACHINE_NAMES } from '../../../agent/inspection.ts';
import { EVENT_TYPE_NAMES, whenRecorded } from '../../../server/api/webhooks/event-types.ts';
import { startWorld } from '../../../testing/world/world.ts';

async function startFaultWorld() {
  const world = await startWorld();
  onTestFinished(() => world.close());
  const { terminalId } = await world.addTerminal();
  const customer = (await world.api.post('/v1/customers', { email: 'ana@corner.example' })).body.id as string;
  /** Returns the message of the refusal; undefined for a plan that is accepted. */
  const put = async (fault: object): Promise<string | undefined> => {
    const { status, body } = await world.api.post('/sandbox/faults', { faults: [fault] });
    if (status === 200) {
      await world.api.delete(`/sandbox/faults/${body.id}`);
      return undefined;
    }
    expect([status, body.errors[0].code]).toEqual([400, 'invalid_field']);
    return body.errors[0].message;
  };
  return { world, terminalId, customer, put };
}

test('names in a fault: one that does not exist is refused with the nearest that does', async () => {
  const { put } = await startFaultWorld();
  const refused: [object, string][] = [
    [
      { at: 'terminal.state', what: 'network-down', when: { state: 'authorizing' } },
      'faults.0.when.state must be a state of the machine of a terminal, such as authorising',
    ],
    [
      { at: 'terminal.state', what: 'power-cut', when: { state: 'approved.print' } },
      'faults.0.when.state must be a state of the machine of a terminal, such as approved',
    ],
    [
      { at: 'terminal.effect', what: 'power-cut-after', when: { effect: 'printReceipt' } },
      'faults.0.when.effect must be an effect of the machine of a terminal, such as sendReceipt',
    ],
    [
      { at: 'message.report', what: 'lost', when: { message: 'action.complete' } },
      'faults.0.when.message must be a message that is sent there, such as action.completed',
    ],
    [
      { at: 'webhook.attempt', what: 'twice', when: { eventType: 'PaymentSession.capture' } },
      'faults.0.when.eventType must be a type of event, such as PaymentSession.captured',
    ],
    [
      { at: 'api.reply', what: 'reset', when: { operation: 'POST /v1/customer' } },
      'faults.0.when.operation must be an operation of the API, such as POST /v1/customers',
    ],
    [
      { at: 'api.reply', what: 'reset', when: { operation: 'POST /sandbox/reset' } },
      'faults.0.when.operation must be an operation of the API, such as POST /v1/files',
    ],
  ];
  for (const [fault, message] of refused) expect(await put(fault)).toBe(message);
});

test('names in a fault: a member that its place does not have is refused', async () => {
  const { put } = await startFaultWorld();
  const fault = { at: 'terminal.state', what: 'power-cut' };
  for (const member of ['operation', 'status', 'untilAttempt'])
    expect(await put({ ...fault, when: { [member]: 3 } })).toBe(
      `faults.0.when.${member} is not a known field`,
    );
  expect(await put({ ...fault, delay: 3_000 })).toBe('faults.0.delay is not a known field');
});

test('names in a fault: a message is one of the direction of its place', async () => {
  const { put } = await startFaultWorld();
  const at = (place: string, message: string) => put({ at: place, what: 'lost', when: { message } });
  expect(await at('message.command', 'action.start')).toBeUndefined();
  expect(await at('message.command', 'action.completed')).toContain('a message that is sent there');
  expect(await at('message.report', 'action.start')).toContain('a message that is sent there');
  expect(await at('message.report', 'machine.stepped')).toBeUndefined();
  // A fault strikes the reports in it.
  expect(await at('message.report', 'reports.batched')).toContain('a message that is sent there');
});

test('names in a fault: an id is of an object of the sandbox, of a kind that occurs at its place', async () => {
  const { put, terminalId, customer } = await startFaultWorld();
  const at = (place: string, what: string, id: string) => put({ at: place, what, when: { id } });
  expect(await at('webhook.attempt', 'twice', 'wh_nope')).toBe(
    'faults.0.when.id must be the id of an object of the sandbox',
  );
  expect(await at('api.request', 'reset', 'nobody')).toContain(
    'must be the id of an object that a fault at api.request can concern: ps_...',
  );
  expect(await at('api.request', 'reset', customer)).toBeUndefined();
  expect(await at('api.request', 'reset', customer.slice(0, -1))).toBe(
    `faults.0.when.id must be the id of an object of the sandbox, such as ${customer}`,
  );
  expect(await at('message.command', 'lost', terminalId)).toBeUndefined();
  expect(await at('message.command', 'lost', customer)).toBe(
    'faults.0.when.id must be the id of an object that a fault at message.command can concern: tml_..., tmlact_...',
  );
});

test('names in a fault: every state, effect and type of event is accepted, and a misspelt one of a plan is found', async () => {
  const { world, put } = await startFaultWorld();
  for (const state of ACTION_MACHINE_NAMES.states)
    expect(await put({ at: 'terminal.state', what: 'paper-out', when: { state } })).toBeUndefined();
  for (const effect of ACTION_MACHINE_NAMES.effects)
    expect(await put({ at: 'terminal.effect', what: 'power-cut-after', when: { effect } })).toBeUndefined();
  for (const eventType of EVENT_TYPE_NAMES)
    expect(await put({ at: 'webhook.attempt', what: 'twice', when: { eventType } })).toBeUndefined();
  const faults = ['authorising', 'autorising'].map((state) => ({
    at: 'terminal.state',
    what: 'power-cut',
    when: { state },
  }));
  const { body } = await world.api.post('/sandbox/faults', { faults });
  expect(body.errors[0].message).toContain('faults.1.when.state must be');
  expect((await world.api.get('/sandbox/faults')).body.items).toEqual([]);
});

test('names in a fault: the dashboard offers all that the server accepts at a place with a sentence, and no other', async () => {
  const { world, put, terminalId, customer } = await startFaultWorld();
  const { status, body } = await world.api.get('/dashboard/fault-names');
  expect(status).toBe(200);
  const namesAt = (at: string, member: string): string[] =>
    body[at][member].map(({ name }: { name: string }) => name);
  expect(namesAt('webhook.attempt', 'eventType')).toEqual(EVENT_TYPE_NAMES);
  expect(body['webhook.attempt'].eventType).toContainEqual({
    name: 'Customer.created',
    text: `Sent when ${whenRecorded('Customer.created')}.`,
  });
  expect(namesAt('terminal.state', 'state')).toEqual(ACTION_MACHINE_NAMES.states);
  expect(body['terminal.state'].state).toContainEqual({
    name: 'approved.printing.merchantCopy',
    text: 'It prints the copy for the merchant.',
  });
  expect(namesAt('terminal.effect', 'effect')).toEqual(ACTION_MACHINE_NAMES.effects);
  expect(body['server.commit']).toEqual({});
  expect(body['api.request'].operation).toContainEqual({
    name: 'POST /v1/customers',
    text: 'Create a customer.',
  });
  expect(namesAt('bank.settlement', 'operation')).toEqual(
    namesAt('api.request', 'operation').filter(
      (name) => /payment-sessions\/.*\/(captures?|voids?|refunds?)$/.test(name) && name.startsWith('POST'),
    ),
  );
  expect(body['message.command'].id).toEqual([
    { name: terminalId, text: expect.stringMatching(/^Terminal: .*SIM-1000\.$/) },
  ]);
  expect(body['api.request'].id).toContainEqual({ name: customer, text: 'Customer: ana@corner.example.' });
  expect(namesAt('message.command', 'message')).toContain('action.start');
  expect(namesAt('message.report', 'message')).not.toContain('action.start');
  for (const members of Object.values<Record<string, { name: string; text: string }[]>>(body))
    for (const { name, text } of Object.values(members).flat())
      expect([name, text]).toEqual([name, expect.stringMatching(/^[A-Z`].*\.$/)]);
  for (const [at, what] of [
    ['api.request', 'reset'],
    ['message.command', 'lost'],
    ['message.report', 'lost'],
  ] as const) {
    for (const member of Object.keys(body[at])) {
      for (const name of namesAt(at, member))
        expect(await put({ at, what, when: { [member]: name } })).toBeUndefined();
    }
  }
});
