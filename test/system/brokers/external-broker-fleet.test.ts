import { afterAll, expect, test } from 'vitest';
import { freePort } from '../../kit/free-port.ts';
import type { Child } from '../kit/child-command.ts';
import type { Json } from '../kit/http-call.ts';
import { startMosquitto, type Mosquitto } from './mosquitto-server.ts';
import { createSystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { waitFor } from '../kit/wait-for.ts';
import { writtenAcl } from './written-acl.ts';

const fixture = createSystemFixture();
afterAll(() => fixture.cleanUp());

interface Stack {
  server: Tapbench;
  mosquitto: Mosquitto;
  /** Runs `broker-acl`, and has mosquitto read what it wrote. */
  readUsers(): Promise<void>;
  /** Starts a command of a terminal at mosquitto. */
  terminals(args: string[]): Child;
}

async function stackOnMosquitto(): Promise<Stack> {
  const port = await freePort();
  const url = `mqtt://127.0.0.1:${port}`;
  const dataDir = fixture.folder();
  const server = await fixture.tapbench({ command: 'server', dataDir, env: { MQTT_URL: url } });
  const files = async () => (await writtenAcl(fixture, { DATA_DIR: dataDir })).files;
  const mosquitto = await startMosquitto(await files(), port);
  fixture.onCleanUp(() => mosquitto.stop());
  return {
    server,
    mosquitto,
    readUsers: async () => mosquitto.reload(await files()),
    terminals: (args) =>
      fixture.command([...args, '--mqtt', url], {
        env: { TAPBENCH_URL: server.url, SECRET_KEY: server.secretKey, DATA_DIR: fixture.folder() },
      }),
  };
}

async function payAt({ api }: Tapbench, terminalId: string): Promise<void> {
  const till = `/v1/in-person/terminals/${terminalId}`;
  const body = { amounts: { requested: 1742 }, currency: 'GBP' };
  expect((await api('POST', `${till}/payment`, body)).status).toBe(200);
  await waitFor(
    'the payment to succeed',
    async () => (await api('GET', till)).body.action.status === 'Succeeded',
  );
}

test('sim and agent: wait until mosquitto has read their users; only a terminal that was deleted ends', async () => {
  const { server, readUsers, terminals } = await stackOnMosquitto();
  const sim = terminals(['sim', '--terminals', '3', '--json']);
  await waitFor('the reason', () => sim.stderr.includes('the broker refuses the terminals'));
  expect(sim.stderr).toContain('trying again for 300 s: run `tapbench broker-acl` again');
  await readUsers();
  const [line] = await sim.prints(/^\{.*\}$/m);
  const ids: string[] = JSON.parse(line).terminals.map(({ id }: Json) => id);
  await payAt(server, ids[0]!);
  await waitFor('the simulator to be in control', async () => {
    const { status } = await server.api('POST', `/sandbox/terminals/${ids[0]}/paper`, { sheets: 7 });
    return status === 200;
  });

  const own = {
    serialNumber: 'TILL-1',
    locationId: (await server.api('GET', '/v1/in-person/locations')).body.items[0].id,
  };
  const { id } = (await server.api('POST', '/v1/in-person/terminals', own)).body;
  const agent = terminals(['agent', '--terminal', id]);
  await waitFor('the reason', () => agent.stderr.includes('the broker refuses the terminals'));
  await readUsers();
  await waitFor('the agent to be online', async () => {
    return (await server.api('GET', `/sandbox/terminals/${id}`)).body.online === true;
  });
  await payAt(server, id);

  expect((await server.api('DELETE', `/v1/in-person/terminals/${ids[2]}`)).status).toBe(200);
  await readUsers();
  await waitFor('the deleted terminal to end', () =>
    sim.stderr.includes(`${ids[2]} stops: it was deleted; 2 others go on`),
  );
  await payAt(server, ids[1]!);
  expect([sim.running, agent.running]).toEqual([true, true]);
});

test('agent: gives up after --broker-wait when the broker never reads its user', async () => {
  const { server, terminals } = await stackOnMosquitto();
  await server.api('POST', '/sandbox/fleets', { terminals: 1 });
  const { code, stderr } = await terminals(['agent', '--broker-wait', '1']).ended;
  expect(code).toBe(1);
  expect(stderr.split('\n').filter((line) => line.startsWith('tapbench: '))).toEqual([
    'tapbench: no terminal came online in 1 s: the broker refuses them (Connection refused: Not authorized); run `tapbench broker-acl` again and have the broker read its files (docs/protocol.md)',
  ]);
});

test('sim: a fleet comes back after each of five restarts of the server', async () => {
  const server = await fixture.tapbench({ command: 'server' });
  const sim = fixture.command(['sim', '--terminals', '3', '--json'], {
    env: { TAPBENCH_URL: server.url, SECRET_KEY: server.secretKey },
  });
  await sim.prints(/^\{.*\}$/m);
  for (let restarted = 0; restarted < 5; restarted += 1) {
    await server.kill('SIGKILL');
    await server.restart();
    await waitFor('all to be online', async () => {
      if (!sim.running) throw new Error(sim.stderr);
      const { items } = (await server.api('GET', '/sandbox/terminals')).body;
      return items.length === 3 && items.every(({ online }: Json) => online);
    });
  }
  expect(sim.running).toBe(true);
});
