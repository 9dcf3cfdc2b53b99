import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CertificateReport } from '../../../cli/certify/report/certificate-report.ts';
import { reportCertificate } from '../../../cli/certify/report/certificate-report.ts';
import { AskedActs, NOBODY } from '../../../cli/certify/report/asked-acts.ts';
import { personOperator } from '../../../cli/certify/device/operator.ts';
import { startWorld, type World } from '../../../testing/world/world.ts';
import { VirtualClock } from '../../../world/virtual-clock.ts';
import { createCliFixture, type CliFixture } from '../cli-fixture.ts';

const CASES = ['device.payment', 'device.pin'].map((id) => ({ id, rule: `${id} is kept.` }));
const PLAN = { cases: CASES, leftOut: 3, earlier: [] };
const PATH = '/sandbox/certificates/cert_1';
const TAP = { act: 'tap', text: 'Hold a card to the device.', isAlone: false };

interface Reporting {
  cli: CliFixture;
  world: World;
  report: CertificateReport;
  /** The certificate as the server has it, once it is as wanted. */
  until(isWanted: (certificate: Json) => boolean): Promise<Json>;
  /** The server is reached no more, or another one is in its place. */
  replaceServer(other: World | undefined): void;
}

// oxlint-disable-next-line no-explicit-any -- a test looks into whatever came back
type Json = any;

async function startReporting({ isTerminal = false } = {}): Promise<Reporting> {
  const world = await startWorld();
  onTestFinished(() => world.close());
  const cli = createCliFixture();
  let server: World | undefined = world;
  const context = Object.assign(cli.context, {
    err: { ...cli.context.err, isTerminal },
    fetch: (...request: Parameters<typeof fetch>) =>
      server ? server.fetch(...request) : Promise.reject(new TypeError('fetch failed')),
  });
  const { secretKey, publicUrl: url } = world.server.services.settings;
  const report = reportCertificate(
    context,
    { url, secretKey, dataDir: 'none' },
    { kind: 'device', name: 'SIM-0001', terminalId: 'tml_1' },
  );
  return {
    cli,
    world,
    report,
    replaceServer: (other) => (server = other),
    async until(isWanted) {
      for (let turns = 0; turns < 300; turns += 1) {
        const { body } = await (server ?? world).api.get(PATH);
        if (isWanted(body)) return body;
        await cli.clock.advance(100);
      }
      throw new Error('the certificate did not become so');
    },
  };
}

test('certificate report: the server has the plan, what runs, each verdict with its trace, and the end', async () => {
  const { report, world, until } = await startReporting();
  const folder = mkdtempSync(join(tmpdir(), 'tapbench-report-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'a.tapbench'), 'a trace');
  report.begin(PLAN);
  report.caseBegan('device.payment', 'rec_1');
  const running = await until(({ cases }) => cases?.[0].status === 'Running');
  expect(running).toMatchObject({ kind: 'device', name: 'SIM-0001', terminalId: 'tml_1', casesLeftOut: 3 });
  expect(running.cases[0]).toMatchObject({
    title: 'device.payment',
    rules: [{ id: null, text: 'device.payment is kept.', document: null }],
    recordingId: 'rec_1',
  });
  const ended = { ...CASES[0]!, verdict: 'failed', reason: 'it did not end', trace: 'a.tapbench' } as const;
  report.caseEnded(ended, folder);
  await report.end('Ended');
  const { body } = await world.api.get(PATH);
  expect(body).toMatchObject({ status: 'Ended', cases: [{ status: 'Failed', hasTrace: true }, {}] });
});

test('certificate report: a resumed certificate has the results of the run before', async () => {
  const { report, until } = await startReporting();
  const earlier = [{ ...CASES[0]!, verdict: 'passed', reason: 'captured', trace: null }] as const;
  report.begin({ ...PLAN, earlier });
  const { cases } = await until(({ status }) => status === 'Running');
  expect(cases[0]).toMatchObject({ status: 'Passed', reason: 'captured' });
  await report.end('Ended');
});

test('certificate report: an answer in the dashboard reaches the person who is asked at the terminal window too', async () => {
  const { report, world, cli, until } = await startReporting({ isTerminal: true });
  report.begin(PLAN);
  const operator = personOperator(cli.context, { pin: '1234', dashboard: report });
  const done = operator.act('pin', '1234');
  const { act } = await until((certificate) => certificate.act);
  expect(act.text).toBe('Type the PIN of the card once the device asks for it, and confirm it.');
  await world.api.post(`${PATH}/acts/1/answer`, { done: true });
  await done;
  expect(cli.err).toContain('Type the PIN 1234 once the device asks for it');
  expect(cli.err).toContain('The dashboard says: done.');
  const wrong = operator.act('pin', '9999');
  const { act: second } = await until((certificate) => certificate.act);
  expect(second).toMatchObject({
    number: 2,
    text: 'Type a wrong PIN of as many digits once the device asks for it, and confirm it.',
  });
  await world.api.post(`${PATH}/acts/2/answer`, { done: false, reason: 'no keypad' });
  await expect(wrong).rejects.toThrow(
    /^it was not done: Type a wrong PIN of as many digits .* \(no keypad\)$/,
  );
  await report.end('Ended');
});

test('certificate report: what is answered at the terminal window is asked in the dashboard no more', async () => {
  const { report, cli, until } = await startReporting({ isTerminal: true });
  report.begin(PLAN);
  const operator = personOperator(cli.context, { pin: '1234', dashboard: report });
  const done = operator.act('tap');
  await until(({ act }) => act);
  cli.type('');
  await done;
  await until(({ act }) => act === null);
  await report.end('Ended');
});

test('certificate report: a server that cannot be reached is said once, and ends nothing', async () => {
  const { report, cli, replaceServer, until, world } = await startReporting();
  replaceServer(undefined);
  report.begin(PLAN);
  report.caseBegan('device.payment', undefined);
  for (let turns = 0; turns < 30; turns += 1) await cli.clock.advance(1_000);
  expect(cli.err).toMatch(/^the dashboard does not show how the certificate goes on: .*\n$/);
  replaceServer(world);
  await until(({ cases }) => cases?.[0].status === 'Running');
  await report.end('Ended');
});

test('certificate report: the end of the command does not wait long for a server that cannot be reached', async () => {
  const cli = createCliFixture();
  const report = reportCertificate(
    cli.context,
    { url: 'http://127.0.0.1:1', secretKey: 'sk_sandbox_test', dataDir: 'none' },
    { kind: 'device', name: 'SIM-0001' },
  );
  report.begin(PLAN);
  let isOver = false;
  const end = report.end('BrokenOff').then(() => (isOver = true));
  await cli.clock.advance(2_000);
  expect(isOver).toBe(false);
  await cli.clock.advance(2_000);
  await end;
});

test('certificate report: a server that was started again has the certificate with what came of it so far', async () => {
  const { report, world, replaceServer, until } = await startReporting();
  report.begin(PLAN);
  await until(({ status }) => status === 'Running');
  const other = await startWorld();
  onTestFinished(() => other.close());
  report.caseEnded({ ...CASES[0]!, verdict: 'passed', reason: 'captured', trace: null }, 'none');
  const asked = report.ask(TAP);
  await until(({ act }) => act);
  replaceServer(other);
  // It ends what waits for answers there.
  await world.api.post(`${PATH}/end`, { status: 'BrokenOff' });
  report.caseBegan('device.pin', undefined);
  const { cases } = await until(
    (certificate) => certificate.act && certificate.cases[1].status === 'Running',
  );
  expect(cases[0]).toMatchObject({ status: 'Passed', reason: 'captured' });
  await other.api.post(`${PATH}/acts/1/answer`, { done: true });
  const answer = await Promise.race([asked.answer, until(() => false)]);
  expect(answer).toEqual({ done: true, reason: null });
  await report.end('Ended');
});

test('asked acts: one that no page shows is not done after a while, and later ones sooner', async () => {
  const clock = new VirtualClock(0);
  let count = 0;
  const acts = new AskedActs(clock, { post: (_act, onNumber) => onNumber((count += 1)), settle: () => {} });
  const answers: boolean[] = [];
  const ask = (isAlone: boolean) =>
    void acts.ask({ ...TAP, isAlone }).answer.then(({ done }) => answers.push(done));
  const wait = async (ms: number, seen = false) => {
    await clock.advance(ms);
    acts.hear({ items: [], seen });
    await Promise.resolve();
    return answers.length;
  };
  ask(true);
  expect([await wait(119_000), await wait(2_000)]).toEqual([0, 1]);
  ask(true);
  expect([await wait(9_000), await wait(2_000)]).toEqual([1, 2]);
  ask(true);
  expect([await wait(9_000, true), await wait(900_000, true), await wait(119_000)]).toEqual([2, 2, 2]);
  acts.hear({ items: [{ number: 3, done: true, reason: null }], seen: false });
  // One that is asked at a terminal window too waits for it.
  ask(false);
  expect([await wait(900_000), answers]).toEqual([3, [false, false, true]]);
});

test('certificate report: an act that nobody else is asked for ends when the server stays away', async () => {
  const { report, cli, world, replaceServer, until } = await startReporting();
  report.begin(PLAN);
  const { answer } = report.ask({ ...TAP, isAlone: true });
  await until(({ act }) => act);
  replaceServer(undefined);
  // It ends what waits for answers there.
  await world.api.post(`${PATH}/end`, { status: 'BrokenOff' });
  let answered: unknown;
  void answer.then((one) => (answered = one));
  for (let turns = 0; turns < 70 && !answered; turns += 1) await cli.clock.advance(2_000);
  expect(answered).toEqual({ done: false, reason: NOBODY });
  replaceServer(world);
  await report.end('BrokenOff');
});

test('asked acts: what a page has shown waits for the server that is away, and anew for one that knows of none', async () => {
  const clock = new VirtualClock(0);
  const acts = new AskedActs(clock, { post: (_act, onNumber) => onNumber(1), settle: () => {} });
  let isAnswered = false;
  void acts.ask({ ...TAP, isAlone: true }).answer.then(() => (isAnswered = true));
  const isAnsweredAfter = async (ms: number) => {
    await clock.advance(ms);
    acts.hearNothing();
    await Promise.resolve();
    return isAnswered;
  };
  await clock.advance(100_000);
  acts.hear({ items: [], seen: true });
  expect([await isAnsweredAfter(100_000), await isAnsweredAfter(19_000)]).toEqual([false, false]);
  acts.askAgain();
  expect([await isAnsweredAfter(119_000), await isAnsweredAfter(2_000)]).toEqual([false, true]);
});

test('asked acts: one whose page was closed is not done a while after it', async () => {
  const clock = new VirtualClock(0);
  const acts = new AskedActs(clock, { post: (_act, onNumber) => onNumber(1), settle: () => {} });
  const { answer } = acts.ask({ ...TAP, isAlone: true });
  acts.hear({ items: [], seen: true });
  await clock.advance(120_000);
  acts.hear({ items: [], seen: false });
  expect(await Promise.race([answer, Promise.resolve('not answered')])).toMatchObject({ done: false });
});

test('asked acts: an answer that comes before the number of its act is not lost', async () => {
  let tellNumber!: (number: number) => void;
  const calls = {
    post: (_act: unknown, onNumber: typeof tellNumber) => (tellNumber = onNumber),
    settle: () => {},
  };
  const acts = new AskedActs(new VirtualClock(0), calls);
  const { answer } = acts.ask(TAP);
  acts.hear({ items: [{ number: 1, done: true, reason: null }], seen: true });
  tellNumber(1);
  expect(await answer).toEqual({ done: true, reason: null });
});

test('certificate report: a server that has no certificates is said once, and nobody is there to ask', async () => {
  const cli = createCliFixture();
  cli.answer('POST /sandbox/certificates', {
    status: 404,
    body: { errors: [{ message: 'there is no such path' }] },
  });
  const report = reportCertificate(
    cli.context,
    { url: 'http://127.0.0.1:1', secretKey: 'sk_sandbox_test', dataDir: 'none' },
    { kind: 'device', name: 'SIM-0001' },
  );
  report.begin(PLAN);
  report.caseBegan('device.payment', undefined);
  const { answer } = report.ask({ ...TAP, isAlone: true });
  expect((await answer).done).toBe(false);
  await report.end('Ended');
  expect(cli.err).toBe('the dashboard does not show how the certificate goes on: there is no such path\n');
});
