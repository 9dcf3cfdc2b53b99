import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { serverCredentials, terminalCredentials } from '../server/platform/broker/terminal-credentials.ts';
import { startAdmittingBroker } from '../test/system/stores/external-engines.ts';
import { findPrograms, startPostgres } from '../test/system/stores/postgres-server.ts';

const PAIRING_SECRET = 'a pairing secret of the bench, long enough';
// That of a terminal that is paired for the first time.
const FIRST_GENERATION = 1;

/** A PostgreSQL that syncs what it commits, and a mosquitto with the users and rules of `tapbench broker-acl`. */
interface ExternalEngines {
  /** Settings of the server that uses them. */
  settings: Record<string, string>;
  /** Lets terminals connect to mosquitto. */
  admit(terminalIds: string[]): Promise<void>;
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
  const broker = await startAdmittingBroker(serverCredentials(PAIRING_SECRET, 'bench')).catch(
    async (error: unknown) => {
      await postgres.stop();
      throw error;
    },
  );
  return {
    settings: { DATABASE_URL: postgres.url, MQTT_URL: broker.url, PAIRING_SECRET },
    async admit(terminalIds) {
      const users = terminalIds.map((id) => terminalCredentials(PAIRING_SECRET, id, FIRST_GENERATION));
      await Promise.all(users.map((user) => broker.admit(user)));
    },
    async stop() {
      await broker.stop();
      await postgres.stop();
    },
  };
}
