import type { Json } from '../kit/http-call.ts';
import type { SystemFixture } from '../kit/system-fixture.ts';
import type { Tapbench } from '../kit/tapbench.ts';
import { waitFor } from '../kit/wait-for.ts';
import { createProject, type Project } from './project.ts';

/** Where one example runs: a project, and a sandbox of its own on the server of the examples. */
export interface Stage extends Project, Till {
  fixture: SystemFixture;
  server: Tapbench;
  sandbox: Json;
  /** Calls the API with the key of the sandbox. @throws unless it succeeds */
  api(method: string, path: string, body?: unknown): Promise<Json>;
  /** Lets an event happen, and returns it. */
  trigger(eventType: string): Promise<Json>;
}

/** The simulated terminal of the sandbox. */
interface Till {
  /** Does something at it. */
  act(name: string, body?: object): Promise<Json>;
  /** Starts a payment of 17.42. */
  startPayment(more?: object): Promise<Json>;
  /** Takes a payment of 17.42, and returns the id of its session. */
  payAtTerminal(): Promise<string>;
}

/** Creates the sandbox of an example, and the project in which its line runs, `alone` without the data folder of the server. */
export async function openStage(fixture: SystemFixture, server: Tapbench, alone: boolean): Promise<Stage> {
  const sandbox = await openSandbox(server);
  const variables = alone
    ? { PORT: '0', MQTT_PORT: '0' }
    : { DATA_DIR: server.dataDir!, TAPBENCH_SANDBOX: sandbox.name as string };
  const api: Stage['api'] = async (method, path, body) => {
    const answer = await server.api(method, path, body, { authorization: sandbox.secretKey });
    if (answer.status < 200 || answer.status > 299)
      throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const project = createProject(fixture, variables);
  return {
    ...project,
    ...openTill(api, sandbox.terminals[0].id),
    fixture,
    server,
    sandbox,
    api,
    trigger: async (eventType) =>
      JSON.parse((await project.run(`tapbench trigger ${eventType} --json`)).stdout),
  };
}

function openTill(api: Stage['api'], id: string): Till {
  const path = `/v1/in-person/terminals/${id}`;
  const till: Till = {
    act: (name, body) => api('POST', `/sandbox/terminals/${id}/${name}`, body),
    startPayment: (more) =>
      api('POST', `${path}/payment`, { amounts: { requested: 1742 }, currency: 'GBP', ...more }),
    async payAtTerminal() {
      await till.act('cardholder', { script: 'tap', delayMs: 0 });
      const { action } = await till.startPayment();
      await waitFor(
        'the payment to end',
        async () => (await api('GET', path)).action.status !== 'InProgress',
      );
      return action.transaction.paymentSessionId;
    },
  };
  return till;
}

/** Creates a sandbox whose terminal is online. */
async function openSandbox(server: Tapbench): Promise<Json> {
  const { body } = await server.api('POST', '/sandboxes', {});
  const key = { authorization: body.secretKey as string };
  await waitFor('the terminal to be online', async () => {
    const { items } = (await server.api('GET', '/sandbox/terminals', undefined, key)).body;
    return items.some(({ online }: Json) => online);
  });
  return body;
}
