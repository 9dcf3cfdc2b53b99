import { Fault } from '../../protocol/failures.ts';
import { addressOf, connectableUrl } from '../data-folder/addresses.ts';
import type { CommandContext } from '../command-line/command-context.ts';

const ANSWER_MS_MAX = 1000;

/**
 * Returns the error of a server that cannot listen. Where another Tapbench server has the port, it names that one and
 * what to do.
 */
export async function portFault(
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
