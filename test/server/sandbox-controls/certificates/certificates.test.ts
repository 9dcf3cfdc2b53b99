import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCertificates } from '../../../../server/sandbox-controls/certificates/certificates.ts';
import type { Activity } from '../../../../server/platform/activities.ts';
import type { Api } from '../../../../testing/world/api.ts';
import { startWorld, type World } from '../../../../testing/world/world.ts';
import { VirtualClock } from '../../../../world/virtual-clock.ts';

let world: World;
let api: Api;
beforeEach(async () => {
  world = await startWorld();
  api = world.api;
});
afterEach(() => world.close());

const CASES = ['device.payment', 'device.pin'].map((id) => ({
  id,
  title: `Tries ${id}`,
  rules: [{ id: 'protocol.seq.count', text: 'It counts.', document: 'docs/protocol.md#protocol.seq.count' }],
}));
const INPUT = { kind: 'device', name: 'SIM-0001', cases: CASES };
const PATH = '/sandbox/certificates/cert_1';

async function start(): Promise<void> {
  expect(await api.post('/sandbox/certificates', INPUT)).toMatchObject({
    status: 200,
    body: { id: 'cert_1' },
  });
}

test('certificates: one is shown as it grows, from its plan to its end', async () => {
  await start();
  const { body: planned } = await api.get(PATH);
  expect(planned).toMatchObject({ status: 'Running', endedTimestamp: null, act: null, casesLeftOut: 0 });
  expect(planned.cases[0]).toEqual({
    ...CASES[0],
    status: 'NotTried',
    reason: null,
    recordingId: null,
    hasTrace: false,
  });

  await api.post(`${PATH}/cases/device.payment`, { status: 'Running', recordingId: 'rec_1' });
  expect((await api.get(PATH)).body.cases[0]).toMatchObject({ status: 'Running', recordingId: 'rec_1' });
  await api.post(`${PATH}/cases/device.payment`, { status: 'Failed', reason: 'it did not end' });
  const [{ counts }] = (await api.get('/sandbox/certificates')).body.items;
  expect(counts).toEqual({ passed: 0, failed: 1, notShown: 0, running: 0, notTried: 1 });
  const {
    cases: [failed],
    counts: counted,
  } = (await api.get(PATH)).body;
  expect(counted).toEqual(counts);
  expect(failed).toMatchObject({ status: 'Failed', reason: 'it did not end', recordingId: null });

  expect((await api.post(`${PATH}/end`, { status: 'Ended' })).body.status).toBe('Ended');
});

test(
  'certificates: nothing is told of one that has ended',
  { tags: ['refusal:certificate_over'] },
  async () => {
    await start();
    await api.post(`${PATH}/cases/device.payment`, { status: 'Running' });
    const { body } = await api.post(`${PATH}/end`, { status: 'BrokenOff' });
    // It has found out nothing.
    expect(body).toMatchObject({ status: 'BrokenOff', cases: [{ status: 'NotTried' }, {}] });
    for (const [path, sent] of [
      ['cases/device.payment', { status: 'Passed' }],
      ['acts', { act: 'tap', text: 'Hold a card to it.' }],
      ['end', { status: 'Ended' }],
    ] as const)
      expect([path, (await api.post(`${PATH}/${path}`, sent)).status]).toEqual([path, 409]);
  },
);

test('certificates: what the person answers reaches the call that waits for it', async () => {
  await start();
  const asked = await api.post(`${PATH}/acts`, { act: 'tap', text: 'Hold a card to it.' });
  expect(asked.body).toMatchObject({ number: 1, act: 'tap' });
  expect((await api.get(PATH)).body.act).toEqual(asked.body);
  const waiting = api.get(`${PATH}/answers?waitSeconds=10`);
  const answered = { number: 1, done: false, reason: 'it has no reader' };
  expect(
    (await api.post(`${PATH}/acts/1/answer`, { done: false, reason: ' it has no reader ' })).body,
  ).toEqual(answered);
  expect((await waiting).body).toEqual({ items: [answered], seen: false });
  expect((await api.get(PATH)).body.act).toBe(null);
  expect((await api.get(`${PATH}/answers?after=1`)).body.items).toEqual([]);
});

test('certificates: the command hears whether a page has shown what is asked for', async () => {
  await start();
  const isSeen = async () => (await api.get(`${PATH}/answers`)).body.seen;
  const page = api.withKey(world.server.services.settings.dashboardToken);
  await page.get(PATH);
  await api.post(`${PATH}/acts`, { act: 'tap', text: 'Hold a card to it.' });
  await api.get(PATH);
  expect(await isSeen()).toBe(false);
  await page.get('/sandbox/certificates');
  expect(await isSeen()).toBe(true);
});

test(
  'certificates: an act is answered once, and not after another was asked for',
  { tags: ['refusal:act_not_asked'] },
  async () => {
    await start();
    const act = { act: 'tap', text: 'Hold a card to it.' };
    await api.post(`${PATH}/acts`, act);
    await api.post(`${PATH}/acts`, act);
    const statusOf = async (number: number) =>
      (await api.post(`${PATH}/acts/${number}/answer`, { done: true })).status;
    expect([await statusOf(1), await statusOf(2), await statusOf(2)]).toEqual([409, 200, 409]);
  },
);

test('certificates: the end of a case ends what was asked for in it', async () => {
  await start();
  await api.post(`${PATH}/acts`, { act: 'tap', text: 'Hold a card to it.' });
  await api.post(`${PATH}/cases/device.payment`, { status: 'NotShown', reason: 'no card' });
  expect((await api.get(PATH)).body.act).toBe(null);
});

test.each([
  [{ ...INPUT, cases: [...CASES, CASES[0]] }, 'cases.2.id is that of an earlier case'],
  [{ ...INPUT, cases: [] }, 'cases '],
  [{ ...INPUT, cases: [{ ...CASES[0], id: 'a b' }] }, 'cases.0.id '],
  [{ ...INPUT, cases: [{ ...CASES[0], status: 'Won' }] }, 'cases.0.status '],
  [
    { ...INPUT, cases: [{ ...CASES[0], rules: [{ text: 'It is.', document: '//evil.example' }] }] },
    'cases.0.rules.0.document ',
  ],
])(
  'certificates: a plan that is not right is refused by the name of the field: %#',
  async (input, message) => {
    const { status, body } = await api.post('/sandbox/certificates', input);
    expect([status, body.errors[0].message]).toEqual([400, expect.stringContaining(message)]);
  },
);

test('certificates: there is no case and no certificate of another id', async () => {
  await start();
  for (const path of ['cert_7', 'cert_1/cases/device.pin/trace', 'cert_1/answers/'])
    expect([path, (await api.get(`/sandbox/certificates/${path}`)).status]).toEqual([path, 404]);
  expect((await api.post(`${PATH}/cases/device.none`, { status: 'Passed' })).status).toBe(404);
});

test('certificates: what it is told is shown without secrets and card numbers', async () => {
  await start();
  const { secretKey } = world.server.services.settings;
  const reason = `it sent 4242 4242 4242 4242 and ${secretKey}`;
  await api.post(`${PATH}/cases/device.payment`, { status: 'Failed', reason });
  const { body } = await api.get(PATH);
  expect(body.cases[0].reason).toMatch(/^it sent /);
  expect(JSON.stringify(body)).not.toMatch(/4242 4242|sk_sandbox_[a-z0-9]{8}/);
});

test(
  'certificates: ten are held, those that are over go first, and no more are under way',
  { tags: ['refusal:too_many_certificates'] },
  async () => {
    for (let count = 0; count < 10; count += 1) await api.post('/sandbox/certificates', INPUT);
    const { status, body } = await api.post('/sandbox/certificates', INPUT);
    expect([status, body.errors[0].message]).toEqual([
      409,
      '10 certificates of the sandbox are under way: wait until one has ended',
    ]);
    await api.post('/sandbox/certificates/cert_4/end', { status: 'Ended' });
    expect((await api.post('/sandbox/certificates', INPUT)).body.id).toBe('cert_11');
    const { items } = (await api.get('/sandbox/certificates')).body;
    expect([items.length, (await api.get('/sandbox/certificates/cert_4')).status]).toEqual([10, 404]);
  },
);

test('certificates: the trace of a case is held, and shown as a file', async () => {
  await start();
  const content = Buffer.from([31, 139, 8, 0, 255]);
  const path = `${PATH}/cases/device.payment/trace`;
  const type = { 'content-type': 'application/gzip' };
  expect((await api.raw('POST', path, content, type)).body).toEqual({ id: 'device.payment', bytes: 5 });
  expect((await api.get(PATH)).body.cases.map(({ hasTrace }: { hasTrace: boolean }) => hasTrace)).toEqual([
    true,
    false,
  ]);
  expect((await api.get(path)).headers['content-length']).toBe('5');
  const large = await api.raw('POST', path, Buffer.alloc(16_000_001), type);
  expect([large.status, large.body.errors[0].message]).toEqual([413, 'the body is larger than 16 MB']);
});

test('certificates: the oldest traces are forgotten where they are too many', () => {
  const certificates = createCertificates(world.server.services);
  const certificate = certificates.start(INPUT);
  const ids = ['a', 'b', 'c', 'd', 'e'];
  for (const id of ids) certificates.keepTrace(certificate, id, Buffer.alloc(15_000_000));
  expect(ids.filter((id) => certificates.traceOf(certificate, id))).toEqual(['b', 'c', 'd', 'e']);
});

test('certificates: one whose command is silent is broken off, and goes on when it calls again', async () => {
  const { activities, settings } = world.server.services;
  const seen: Activity['kind'][] = [];
  activities.listen('test', ({ kind }) => seen.push(kind));
  const realClock = new VirtualClock(0);
  const certificates = createCertificates({ activities, settings, realClock });
  const certificate = certificates.start(INPUT);
  certificate.progress('device.payment', { status: 'Running' });
  await realClock.advance(19_000);
  expect([certificate.summary().status, seen]).toEqual(['Running', []]);
  await realClock.advance(2_000);
  expect([certificate.summary().status, seen]).toEqual(['BrokenOff', ['certificate.broken-off']]);
  expect(certificate.summary().counts).toMatchObject({ notTried: 2, running: 0 });
  certificate.progress('device.payment', { status: 'Passed' });
  expect(certificate.summary()).toMatchObject({ status: 'Running', endedTimestamp: null });
});

test('certificates: what is under way and asked for is hidden while its command is silent, and goes on after it', async () => {
  const realClock = new VirtualClock(0);
  const certificate = createCertificates({ ...world.server.services, realClock }).start(INPUT);
  certificate.progress('device.payment', { status: 'Running', recordingId: 'rec_1' });
  const act = certificate.ask({ act: 'tap', text: 'Hold a card to it.' });
  const shown = () => certificate.reply(() => false);
  await realClock.advance(20_000);
  expect(shown()).toMatchObject({ status: 'BrokenOff', act: null });
  expect(shown().cases[0]).toMatchObject({ status: 'NotTried', recordingId: null });
  expect(() => certificate.answer(1, { done: true })).toThrow('has ended');
  certificate.heard();
  expect(shown()).toMatchObject({ status: 'Running', act });
  expect(shown().cases[0]).toMatchObject({ status: 'Running', recordingId: 'rec_1' });
  expect(certificate.answer(1, { done: true })).toMatchObject({ number: 1, done: true });
});

test('certificates: nothing is waited for once the sandbox has ended', async () => {
  const { activities, settings } = world.server.services;
  const seen: Activity['kind'][] = [];
  activities.listen('test', ({ kind }) => seen.push(kind));
  const realClock = new VirtualClock(0);
  const certificates = createCertificates({ activities, settings, realClock });
  const certificate = certificates.start(INPUT);
  const waiting = certificate.answersAfter(0, 8_000);
  certificates.stop();
  expect(await waiting).toEqual([]);
  expect(await certificate.answersAfter(0, 8_000)).toEqual([]);
  await realClock.advance(60_000);
  expect(seen).toEqual([]);
});

test.each(['stop', 'kill'] as const)('certificates: the %s of a server ends those that wait', async (way) => {
  const { server } = await startWorld();
  const waiting = server.services.certificates!.start(INPUT).answersAfter(0, 3_600_000);
  await server[way]();
  expect(await waiting).toEqual([]);
});

test('certificates: one that made room for another keeps no trace, and is waited for no more', async () => {
  const { activities, settings } = world.server.services;
  const seen: Activity['kind'][] = [];
  activities.listen('test', ({ kind }) => seen.push(kind));
  const realClock = new VirtualClock(0);
  const certificates = createCertificates({ activities, settings, realClock });
  const first = certificates.start(INPUT);
  await realClock.advance(20_000);
  for (let count = 0; count < 10; count += 1) certificates.start(INPUT).end('Ended');
  expect(certificates.find(first.id)).toBe(undefined);
  first.heard();
  certificates.keepTrace(first, 'device.payment', Buffer.alloc(1));
  expect(certificates.traceOf(first, 'device.payment')).toBe(undefined);
  await realClock.advance(60_000);
  expect(seen).toEqual(['certificate.broken-off']);
});

test('certificates: an act counts as seen while a page reads it', async () => {
  const realClock = new VirtualClock(0);
  const certificate = createCertificates({ ...world.server.services, realClock }).start(INPUT);
  certificate.ask({ act: 'tap', text: 'Hold a card to it.' });
  certificate.shown();
  await realClock.advance(14_000);
  expect(certificate.isActSeen).toBe(true);
  certificate.shown();
  await realClock.advance(14_000);
  expect(certificate.isActSeen).toBe(true);
  await realClock.advance(1_000);
  expect(certificate.isActSeen).toBe(false);
});

test('certificates: a call that waits for an answer gets none once its time has passed', async () => {
  const realClock = new VirtualClock(0);
  const certificate = createCertificates({ ...world.server.services, realClock }).start(INPUT);
  const waiting = certificate.answersAfter(0, 5_000);
  await realClock.advance(5_000);
  expect(await waiting).toEqual([]);
});
