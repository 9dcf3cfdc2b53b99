import { resolve } from 'node:path';
import { VERSION } from '../../protocol/version.ts';
import type { FirstAccounts } from '../../server/api/bootstrap/bootstrap.ts';
import { dashboardLink, type Addresses } from '../data-folder/addresses.ts';
import { coloured, printJsonLine } from '../command-line/output.ts';
import type { SeededWebhook } from './seed.ts';
import type { StartedServer } from './start-server.ts';
import type { CommandContext, Sink } from '../command-line/command-context.ts';

/** What `tapbench up` and `tapbench server` print when the server is ready. */
export interface StartupInfo {
  started: StartedServer;
  addresses: Addresses;
  locationId: string | null;
  terminals: { id: string; serialNumber: string }[];
  webhooks: SeededWebhook[];
  /** The terminal of the example command. */
  exampleTerminalId: string | undefined;
}

/** Prints that the server is ready, or passes it to the command that started it detached. */
export function announce(
  { out, starter }: Pick<CommandContext, 'out' | 'starter'>,
  announcement: StartupInfo,
  asJson: boolean,
): void {
  let text = '';
  const sink = starter
    ? { write: (more: string) => void (text += more), isTerminal: false, colours: false }
    : out;
  if (asJson) printStartupJson(sink, announcement);
  else printStartup(sink, announcement);
  if (starter) starter.ready(text);
  else if (!asJson) out.write('Ctrl-C stops. Events:\n\n');
}

/** Prints one JSON line for the program that started the server. Live keys are null. */
export function printStartupJson(out: Sink, announcement: StartupInfo): void {
  const { started, addresses, locationId, terminals, webhooks } = announcement;
  const { platformId, subAccountId }: FirstAccounts = started.accounts;
  printJsonLine(out, {
    ...addresses,
    dashboardUrl: dashboardFor(started, addresses),
    secretKey: shownKey(started, started.keys.secretKey),
    publicKey: shownKey(started, started.keys.publicKey),
    accountId: platformId,
    subAccountId,
    locationId,
    terminals,
    webhooks,
    dataDir: started.dataDir === undefined ? null : resolve(started.dataDir),
  });
}

/** With live keys the link has no token. */
function dashboardFor({ mode, keys }: StartedServer, { publicUrl }: Addresses): string {
  return mode === 'live' ? `${publicUrl}/` : dashboardLink(publicUrl, { token: keys.dashboardToken });
}

function shownKey({ mode }: StartedServer, key: string): string | null {
  return mode === 'live' ? null : key;
}

// Up to this many terminals are listed; of more only the number is shown.
const NAMED_MAX = 5;

type Fact = [name: string, value: string];

/** Prints the addresses, keys and terminals for a person, and two commands to paste. */
export function printStartup(out: Sink, announcement: StartupInfo): void {
  const { started, addresses, terminals, webhooks, exampleTerminalId } = announcement;
  const { keys, mode, dataDir } = started;
  const facts: Fact[] = [
    ['Dashboard', dashboardFor(started, addresses)],
    ['API', `${addresses.url}/v1`],
    ['Reference', `${addresses.url}/docs`],
    ['MQTT', [addresses.mqttUrl, addresses.mqttWebSocketUrl].filter(Boolean).join('  ')],
    ...keyFacts(started),
    ...terminals
      .slice(0, NAMED_MAX)
      .map(({ id, serialNumber }): Fact => ['Terminal', `${id}  ${serialNumber}`]),
  ];
  if (terminals.length > NAMED_MAX) facts.push(['', `and ${terminals.length - NAMED_MAX} more`]);
  facts.push(...webhooks.map(({ url, secret }): Fact => ['Webhook', `${url}  ${secret}`]));
  facts.push(['Data', dataDir ?? 'in memory']);
  if (started.services.settings.faults === 'off') facts.push(['Faults', 'ignored (FAULTS=off)']);
  out.write(`${coloured(out, 'bold', `Tapbench ${VERSION}`)}  ${mode}\n\n`);
  for (const [name, value] of facts) out.write(`  ${name.padEnd(12)}${value}\n`);
  out.write('\n');
  if (exampleTerminalId !== undefined && mode === 'sandbox') {
    const terminal = `${addresses.url}/v1/in-person/terminals/${exampleTerminalId}`;
    const key = `-H 'Authorization: ${keys.secretKey}'`;
    out.write(`Take a payment of 17.42:\n\n  curl ${terminal}/payment ${key} -d '${PAYMENT}'\n\n`);
    out.write(`Get the outcome:\n\n  curl ${terminal} ${key}\n\n`);
  }
}

/** Prints the webhooks that a seed file created, with their secrets. A secret is shown only here. */
export function printSeededWebhooks(out: Sink, webhooks: SeededWebhook[], asJson: boolean): void {
  if (asJson) return printJsonLine(out, { webhooks });
  for (const { url, secret } of webhooks) out.write(`  ${'Webhook'.padEnd(12)}${url}  ${secret}\n`);
}

const PAYMENT = JSON.stringify({ amounts: { requested: 1742 }, currency: 'GBP' });

function keyFacts({ keys, mode }: StartedServer): Fact[] {
  if (mode === 'live') {
    return [
      ['Keys', 'live, from SECRET_KEY and PUBLIC_KEY: no /sandbox, no simulated terminals'],
      ['', "the dashboard prompts for the secret key; 'tapbench open' opens it without one"],
    ];
  }
  return [
    ['Secret key', keys.secretKey],
    ['Public key', keys.publicKey],
  ];
}
