import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, expect, test } from 'vitest';
import { createSystemFixture } from '../kit/system-fixture.ts';

const fixture = createSystemFixture();
const closers: (() => void)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));
afterAll(() => fixture.cleanUp());

/** Listens on loopback. Returns the address as the command takes it. */
async function listening(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onConnection(socket);
  });
  closers.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A twin that names itself as a terminal of another maker. */
async function realTerminal(): Promise<string> {
  const twin = fixture.command(['twin', 'zvt', '--tcp', '0', '--card', 'visa-contactless']);
  await twin.prints(/Ctrl-C/);
  const port = Number(/tcp:\/\/127\.0\.0\.1:(\d+)/.exec(twin.stdout)![1]);
  return listening((near) => {
    const far = createConnection({ host: '127.0.0.1', port });
    far.on('error', () => near.destroy());
    far.on('data', (bytes) =>
      near.write(Buffer.from(bytes.toString('latin1').replace('TAPBENCH TWIN', 'ACME TERM 900'), 'latin1')),
    );
    near.on('data', (bytes) => far.write(bytes));
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
}

test('doctor --json: names versions and platform, and the bytes of each step', async () => {
  const address = await realTerminal();
  const { code, stdout } = await fixture.run(['doctor', address, '--driver', 'zvt', '--json']);
  const [environment, ...steps] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(code).toBe(0);
  expect(environment).toMatchObject({
    step: 'environment',
    ok: true,
    tapbench: expect.stringMatching(/^\d+\.\d+\.\d+/),
    node: process.version,
    platform: process.platform,
    driver: 'zvt',
  });
  expect(steps.map(({ step, ok }) => [step, ok])).toEqual([
    ['open the port', true],
    ['register (06 00)', true],
    ['last receipt (06 20)', true],
    ['status enquiry (05 01)', true],
  ]);
  expect(steps[1].frames).toContainEqual({ direction: 'out', bytes: expect.stringMatching(/^0600/) });
  expect(steps[1].frames).toContainEqual({ direction: 'in', bytes: expect.stringMatching(/^060F/) });
});

test('doctor: a step that fails names the drivers that may fit, and a driver for serial ports takes no address', async () => {
  const silent = await listening(() => {});
  const unknown = await fixture.run(['doctor', silent, '--driver', 'pn532']);
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    expect.stringContaining('--driver pn532 needs a serial port'),
  ]);
  expect(unknown.stderr).toContain('over TCP: zvt, caisse-ap, ecr17');

  // Several drivers are for the network.
  const several = await fixture.run(['doctor', silent]);
  expect([several.code, several.stderr]).toEqual([
    1,
    expect.stringContaining(`${silent} may be: zvt, caisse-ap, ecr17`),
  ]);
  const closed = await listening((socket) => socket.destroy());
  const found = await fixture.run(['doctor', closed, '--driver', 'zvt']);
  expect(found.stdout).toContain('ok    open the port');
  expect(found.stdout).toContain('over TCP, without TLS');
  expect(found.code).toBe(1);
});

test('doctor: the first Ctrl-C ends it on a line that never falls silent', async () => {
  const chatty = await listening((socket) => {
    const timer = setInterval(() => socket.write(Buffer.from('04FF010A', 'hex')), 50);
    socket.on('close', () => clearInterval(timer));
  });
  const doctor = fixture.command(['doctor', chatty, '--driver', 'zvt']);
  await doctor.prints(/open the port/);
  expect(await doctor.kill('SIGINT')).toMatchObject({ code: 130, signal: null });
});

test('agent: refuses a real terminal at once, before it registers one', async () => {
  const server = await fixture.tapbench();
  const address = await realTerminal();
  const before = (await server.api('GET', '/v1/in-person/terminals')).body.items.length;
  const env = { SECRET_KEY: server.secretKey, TAPBENCH_URL: server.url, DATA_DIR: fixture.folder() };
  const { code, stdout, stderr } = await fixture.run(['agent', '--driver', 'zvt', '--port', address], {
    env,
  });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain("'ACME TERM 900' is a real payment terminal");
  expect(stderr).toContain('--allow-real-terminal');
  expect((await server.api('GET', '/v1/in-person/terminals')).body.items).toHaveLength(before);
});
