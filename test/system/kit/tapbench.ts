import { freePort } from '../../kit/free-port.ts';
import { call, type Answer } from './http-call.ts';
import { startCommand, type Child, type Ended } from './child-command.ts';

/** The JSON line of `up` and `server`. */
interface StartupOutput {
  url: string;
  publicUrl: string;
  /** The link that opens the dashboard, its token in it. */
  dashboardUrl: string;
  mqttUrl: string;
  mqttWebSocketUrl: string | null;
  secretKey: string;
  publicKey: string;
  accountId: string;
  subAccountId: string;
  locationId: string;
  terminals: { id: string; serialNumber: string }[];
  dataDir: string | null;
}

export interface StartOptions {
  command?: 'up' | 'server';
  args?: string[];
  env?: Record<string, string>;
}

/** A running `tapbench` process. */
export interface Tapbench extends StartupOutput {
  readonly child: Child;
  /** Calls the API with the secret key, unless `headers` has another. */
  api(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Ends the process; by `kill -9` unless another signal is named. */
  kill(signal?: NodeJS.Signals): Promise<Ended>;
  /** Starts the command again as it was, on the same folder and ports. */
  restart(): Promise<void>;
}

/** Starts the command on a data folder and resolves when it is ready. */
export async function startTapbench(dataDir: string, options: StartOptions = {}): Promise<Tapbench> {
  const args = [options.command ?? 'up', '--json', ...(options.args ?? [])];
  // Not any that is free: nobody else takes them while it is restarted.
  const ports = { PORT: String(await freePort()), MQTT_PORT: String(await freePort()) };
  const start = () =>
    startCommand(args, { env: { RATE_LIMIT: 'off', DATA_DIR: dataDir, ...ports, ...options.env } });

  let child = start();
  const startup = await readStartupOutput(child);
  return {
    ...startup,
    get child() {
      return child;
    },
    api: callerOf(startup),
    kill: (signal) => child.kill(signal),
    async restart() {
      child = start();
      await readStartupOutput(child);
    },
  };
}

/** Returns a function that calls the API of a server with its secret key. */
export function callerOf({ url, secretKey }: Pick<StartupOutput, 'url' | 'secretKey'>): Tapbench['api'] {
  return (method, path, body, headers) =>
    call({
      method,
      url: url + path,
      headers: { authorization: secretKey, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
}

/** Reads the line that `--json` prints when the server is ready. @throws when the process ends before; it is killed then */
export async function readStartupOutput(child: Child): Promise<StartupOutput> {
  try {
    const [line] = await child.prints(/^\{.*\}$/m);
    return JSON.parse(line) as StartupOutput;
  } catch (error) {
    await child.kill();
    throw error;
  }
}

export function portOf(url: string): string {
  return new URL(url).port;
}
