import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { serverCredentials, terminalCredentials } from '../server/platform/broker/terminal-credentials.ts';
import { startAdmittingBroker } from '../test/system/stores/external-engines.ts';
import { cpuMsWithChildren } from './process-usage.ts';
import { findPrograms, startPostgres } from '../test/system/stores/postgres-server.ts';

const PAIRING_SECRET = 'a pairing secret of the bench, long enough';
// That of a terminal that is paired for the first time.
const FIRST_GENERATION = 1;
// Of the second server, as `tapbench broker-acl --instances 2` names it.
const SECOND_USER = { username: 'server-2', password: '' };

/** A PostgreSQL that syncs what it commits, and a mosquitto with the users and rules of `tapbench broker-acl`. */
export interface ExternalEngines {
  /** Settings of the server that uses them. */
  settings: Record<string, string>;
  /** Settings of a second server beside it. */
  secondSettings: Record<string, string>;
  /** Lets terminals connect to mosquitto. */
  admit(terminalIds: string[]): Promise<void>;
  /** Returns the CPU time of all processes of PostgreSQL since its start, milliseconds. */
  databaseCpuMs(): number;
  stop(): Promise<void>;
}

/** Returns what is not installed, in the words of the command that installs it. */
export async function missingEngines(): Promise<string[]> {
  const isThere = async (found: Promise<unknown>) => found.then(() => true).catch(() => false);
  const mosquitto = promisify(execFile)('sh', ['-c', 'command -v mosquitto']);
  return [
    ...((await isThere(findPrograms())) ? [] : ['postgresql']),
    ...((await isThere(mosquitto)) ? [] : ['mosquitto']),
  ];
}

export async function startExternalEngines(): Promise<ExternalEngines> {
  const postgres = await startPostgres({ durable: true });
  const servers = [
    serverCredentials(PAIRING_SECRET, 'bench'),
    serverCredentials(PAIRING_SECRET, 'bench', SECOND_USER),
  ] as const;
  const broker = await startAdmittingBroker(...servers).catch(async (error: unknown) => {
    await postgres.stop();
    throw error;
  });
  const settings = { DATABASE_URL: postgres.url, MQTT_URL: broker.url, PAIRING_SECRET };
  const secondUrl = broker.url.replace('://', `://${SECOND_USER.username}@`);
  return {
    settings,
    secondSettings: { ...settings, MQTT_URL: secondUrl },
    async admit(terminalIds) {
      const users = terminalIds.map((id) => terminalCredentials(PAIRING_SECRET, id, FIRST_GENERATION));
      await Promise.all(users.map((user) => broker.admit(user)));
    },
    databaseCpuMs: () => cpuMsWithChildren(postgres.pid()),
    async stop() {
      await broker.stop();
      await postgres.stop();
    },
  };
}
