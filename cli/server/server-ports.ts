import { Fault, messageOf } from '../../protocol/failures.ts';
import type { Log } from '../../protocol/log.ts';
import type { Server } from '../../server/app.ts';
import type { ServerSettings } from '../../server/platform/settings.ts';
import type { CommandContext } from '../command-line/command-context.ts';
import { writeAddress } from '../command-line/server-address.ts';
import {
  addressOf,
  connectableUrl,
  mqttOverWebSocket,
  withoutCredentials,
  type Addresses,
} from '../data-folder/addresses.ts';
import type { InProcess } from './sandbox-hosting.ts';
import type { ServerOptions } from './server-options.ts';

interface ListenParts {
  options: ServerOptions;
  /** Gets the public address and the rate limit, which hold from now on. */
  settings: ServerSettings;
  dataDir: string | undefined;
  log: Log;
  /** Gets the address too. */
  inProcess: Partial<InProcess>;
}

/**
 * Opens the ports of a server, and writes its address into the data folder.
 * @throws Fault `port_in_use` or `bad_setting`, naming the setting.
 */
export async function listen(
  context: Pick<CommandContext, 'fetch'>,
  server: Server,
  { options, settings, dataDir, log, inProcess }: ListenParts,
): Promise<Addresses> {
  const addresses = await openPorts(context, server, options);
  if (dataDir !== undefined) announce(dataDir, addresses.url, log);
  inProcess.url = addresses.url;
  settings.publicUrl = addresses.publicUrl;
  settings.rateLimit = options.rateLimit;
  return addresses;
}

async function openPorts(
  context: Pick<CommandContext, 'fetch'>,
  server: Server,
  options: ServerOptions,
): Promise<Addresses> {
  const { host, port, mqttHost = host, mqttPort, mqttUrl } = options;
  // Waits for both even when one fails: a port that opens after the stop would keep the process alive.
  const [http, broker] = await Promise.allSettled([
    server.listen({ host, port }),
    server.broker?.listen({ host: mqttHost, port: mqttPort }),
  ]);
  if (http.status === 'rejected') throw await portFault(context, http.reason, { host, port });
  if (broker.status === 'rejected') throw broker.reason;
  const { url } = http.value;
  const mqtt = broker.value;
  const shown = connectableUrl(url);
  const { publicUrl = shown } = options;
  if (!mqtt) return { url: shown, publicUrl, mqttUrl: withoutCredentials(mqttUrl!), mqttWebSocketUrl: null };
  return {
    url: shown,
    publicUrl,
    mqttUrl: connectableUrl(addressOf('mqtt', mqttHost, mqtt.port)),
    mqttWebSocketUrl: mqttOverWebSocket(shown),
  };
}

/** Writes the address of the server into its folder. Without it the server works, but commands need TAPBENCH_URL. */
function announce(dataDir: string, url: string, log: Log): void {
  try {
    writeAddress(dataDir, url);
  } catch (thrown) {
    log.warn(
      { dataDir, reason: messageOf(thrown) },
      'the address of the server could not be written: commands need TAPBENCH_URL',
    );
  }
}

const ANSWER_MS_MAX = 1000;

/**
 * Returns the error of a server that cannot listen. Where another Tapbench server has the port, it names that one and
 * what to do.
 */
async function portFault(
  { fetch }: Pick<CommandContext, 'fetch'>,
  thrown: unknown,
  { host, port }: { host: string; port: number },
): Promise<unknown> {
  if (!(thrown instanceof Fault) || thrown.code !== 'port_in_use') return thrown;
  const url = connectableUrl(addressOf('http', host, port));
  if (!(await isTapbench(fetch, url))) return thrown;
  return new Fault(
    'port_in_use',
    `PORT: port ${port} is in use on ${host} by the Tapbench server at ${url}: use that one, or stop it, or set PORT and MQTT_PORT to other ports, or to 0 for free ones`,
    { cause: thrown },
  );
}

/** Whether a Tapbench server replies, one that is not ready included. */
async function isTapbench(fetch: CommandContext['fetch'], url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
    const body = (await answer.json()) as { broker?: unknown; errors?: { code?: unknown }[] };
    return body.broker === 'ok' || body.errors?.[0]?.code === 'not_ready';
  } catch {
    return false;
  }
}
