import type { Clock } from '../../protocol/clock.ts';
import type { Connector } from '../../protocol/link.ts';
import type { Log } from '../../protocol/log.ts';
import { mqttConnector } from '../../protocol/mqtt-link.ts';
import { brokerUrl } from './terminal-options.ts';
import type { CommandContext } from '../command-line/command-context.ts';

/** A broker that reads its new users lets the terminals in within this time; a minute would look as if it did not. */
const MAX_REFUSED_RECONNECT_MS = 10_000;

interface ConnectorParts {
  options: Parameters<typeof brokerUrl>[0];
  clock: Clock;
  log: Log;
}

/** Returns what connects the terminals of a command to its broker: the one of `--mqtt`, or the server's. */
export function commandConnector(
  { random }: CommandContext,
  { options, clock, log }: ConnectorParts,
): Connector {
  return mqttConnector({
    url: brokerUrl(options),
    clock,
    random,
    log,
    maxRefusedReconnectMs: MAX_REFUSED_RECONNECT_MS,
  });
}
