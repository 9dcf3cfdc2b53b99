import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Child } from '../kit/child-command.ts';
import { waitFor } from '../kit/wait-for.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

let server: Tapbench;
let made = 0;
beforeAll(async () => {
  server = await fixture.tapbench();
});

async function register(): Promise<string> {
  const body = { serialNumber: `TILL-${++made}`, locationId: server.locationId };
  return (await server.api('POST', '/v1/in-person/terminals', body)).body.id;
}

const agent = (id: string, folder: string, ...more: string[]): Child =>
  fixture.command(['agent', '--terminal', id, ...more], {
    env: { TAPBENCH_URL: server.url, SECRET_KEY: server.secretKey, DATA_DIR: folder },
  });

/** An agent that the server knows to be online. */
async function onlineAgent(id: string, folder: string, ...more: string[]): Promise<Child> {
  const started = agent(id, folder, ...more);
  await started.prints(/Ready/);
  await waitFor('the terminal to be online', async () => {
    if (!started.running) throw new Error(started.stderr);
    return (await server.api('GET', `/sandbox/terminals/${id}`)).body.online === true;
  });
  return started;
}

const actionOf = async (id: string) => (await server.api('GET', `/v1/in-person/terminals/${id}`)).body.action;

test('agent: a second agent for a terminal is refused, also from another folder, and the current payment succeeds', async () => {
  const id = await register();
  const folder = fixture.folder();
  const first = await onlineAgent(id, folder, '--cardholder', 'none');
  await server.api('POST', `/v1/in-person/terminals/${id}/payment`, {
    amounts: { requested: 1_742 },
    currency: 'GBP',
  });

  const here = await agent(id, folder).ended;
  expect([here.code, here.stderr]).toEqual([
    1,
    `tapbench: ${id} is run by another process with this DATA_DIR: stop the process that runs it, or disconnect it with --take-over\n`,
  ]);
  const elsewhere = await agent(id, fixture.folder()).ended;
  expect([elsewhere.code, elsewhere.stderr]).toEqual([
    1,
    `tapbench: ${id}: the terminal is online: another program or device is connected as this terminal; stop the process that runs it, or disconnect it with --take-over\n`,
  ]);
  const takesOver = await agent(id, fixture.folder(), '--take-over').ended;
  expect([takesOver.code, takesOver.stderr]).toEqual([
    1,
    `tapbench: ${id}: the terminal has an action in progress: cancel it, or wait for it to end\n`,
  ]);

  expect(first.running).toBe(true);
  await waitFor('the terminal to take a card', async () => {
    const card = { card: 'visa-contactless' };
    return (await server.api('POST', `/sandbox/terminals/${id}/present-card`, card)).status === 200;
  });
  await waitFor('the payment to succeed', async () => (await actionOf(id)).status === 'Succeeded');
});

test('agent --take-over: the first agent exits with one line and its own exit code, the second takes over', async () => {
  const id = await register();
  const folder = fixture.folder();
  const first = await onlineAgent(id, folder);
  const second = await onlineAgent(id, folder, '--take-over');
  const { code, stderr } = await first.ended;
  expect(code).toBe(1);
  expect(stderr.split('\n').filter((line) => line.startsWith('tapbench: '))).toEqual([
    expect.stringMatching(`^tapbench: ${id} stops: it was paired again elsewhere$`),
  ]);
  await server.api('POST', `/v1/in-person/terminals/${id}/payment`, {
    amounts: { requested: 500 },
    currency: 'GBP',
  });
  await waitFor('the payment to succeed', async () => (await actionOf(id)).status === 'Succeeded');
  expect(second.running).toBe(true);
});

test('agent: of two with the same credentials on two machines neither gives up, and the log names the cause', async () => {
  const id = await register();
  const file = join(fixture.folder(), 'credentials.json');
  const env = { TAPBENCH_URL: server.url, SECRET_KEY: server.secretKey };
  await fixture.run(['pair', id, '--out', file], { env });
  const start = () =>
    fixture.command(['agent', '--credentials', file, '--url', server.url], {
      env: { DATA_DIR: fixture.folder() },
    });
  const agents = [start(), start()];
  await waitFor('the cause in a log', () =>
    agents.some(({ stderr }) => stderr.includes('does another program use the same client id?')),
  );
  expect(agents.map(({ running }) => running)).toEqual([true, true]);
  await agents[0]!.kill('SIGINT');
  await waitFor(
    'the other one to be online',
    async () => (await server.api('GET', `/sandbox/terminals/${id}`)).body.online === true,
  );
});

test('agent: the log is lines for people, or JSON where LOG_FORMAT asks for it', async () => {
  const logOf = async (env: Record<string, string>) => {
    const id = await register();
    const started = fixture.command(['agent', '--terminal', id, '--mqtt', 'mqtt://127.0.0.1:9'], {
      env: { TAPBENCH_URL: server.url, SECRET_KEY: server.secretKey, DATA_DIR: fixture.folder(), ...env },
    });
    await waitFor('a line of the log', () => started.stderr.includes('no connection to the broker'));
    await started.kill('SIGKILL');
    return started.stderr.split('\n').find((line) => line.includes('no connection to the broker'))!;
  };
  expect(await logOf({})).toMatch(/^\d\d:\d\d:\d\d {2}warn {6}no connection to the broker {2}\S/);
  expect(JSON.parse(await logOf({ LOG_FORMAT: 'json' }))).toMatchObject({ level: 40 });
});

/** The one line with which an agent ends whose terminal is not let in any more. */
async function lastWord(started: Child): Promise<string> {
  const { code, stdout, stderr } = await started.ended;
  expect([code, stdout.includes('tapbench: ')]).toEqual([1, false]);
  const words = stderr.split('\n').filter((line) => line.startsWith('tapbench: '));
  expect(words).toHaveLength(1);
  return words[0]!;
}

test('agent: exits with one line when its terminal is deleted, also with credentials from a file', async () => {
  const paired = await register();
  const file = join(fixture.folder(), 'credentials.json');
  const given = await register();
  const env = { TAPBENCH_URL: server.url, SECRET_KEY: server.secretKey };
  await fixture.run(['pair', given, '--out', file], { env });
  const agents = [
    await onlineAgent(paired, fixture.folder()),
    await onlineAgent(given, fixture.folder(), '--credentials', file),
  ];
  for (const [index, id] of [paired, given].entries()) {
    expect((await server.api('DELETE', `/v1/in-person/terminals/${id}`)).status).toBe(200);
    expect(await lastWord(agents[index]!)).toBe(`tapbench: ${id} stops: it was deleted`);
  }
});

test('agent: with credentials and no secret key it says so, takes payments, and ends when the server refuses it', async () => {
  const id = await register();
  const file = join(fixture.folder(), 'credentials.json');
  const env = { TAPBENCH_URL: server.url, SECRET_KEY: server.secretKey };
  await fixture.run(['pair', id, '--out', file], { env });
  const started = fixture.command(['agent', '--credentials', file, '--url', server.url], {
    env: { DATA_DIR: fixture.folder() },
  });
  await waitFor(
    'the terminal to be online',
    async () => (await server.api('GET', `/sandbox/terminals/${id}`)).body.online === true,
  );
  await server.api('POST', `/v1/in-person/terminals/${id}/payment`, {
    amounts: { requested: 500 },
    currency: 'GBP',
  });
  await waitFor('the payment to succeed', async () => (await actionOf(id)).status === 'Succeeded');
  expect(started.stderr).toMatch(
    /warn +no control link: \/sandbox calls do not reach these terminals +problem=SECRET_KEY is not set/,
  );
  expect(started.stderr).not.toContain('/pairing/simulators');
  expect((await server.api('DELETE', `/v1/in-person/terminals/${id}`)).status).toBe(200);
  expect(await lastWord(started)).toBe(
    `tapbench: ${id} stops: the server refuses it (Connection refused: Bad username or password); it was paired again elsewhere, or deleted`,
  );
});

test('agent: exits with one line when the sandbox is reset', async () => {
  const reset = await fixture.tapbench();
  const body = { serialNumber: 'TILL-R', locationId: reset.locationId };
  const { id } = (await reset.api('POST', '/v1/in-person/terminals', body)).body;
  const env = { TAPBENCH_URL: reset.url, SECRET_KEY: reset.secretKey, DATA_DIR: fixture.folder() };
  const started = fixture.command(['agent', '--terminal', id], { env });
  await waitFor(
    'the terminal to be online',
    async () => (await reset.api('GET', `/sandbox/terminals/${id}`)).body.online === true,
  );
  expect((await reset.api('POST', '/sandbox/reset')).status).toBe(200);
  expect(await lastWord(started)).toBe(`tapbench: ${id} stops: it was deleted`);
});
