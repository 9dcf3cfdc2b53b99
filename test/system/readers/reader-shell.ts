import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SystemFixture } from '../kit/system-fixture.ts';
import { typeLine } from '../kit/terminal-window.ts';
import { waitFor } from '../kit/wait-for.ts';

/** What a server prints once it is ready. */
const READY = /API +(\S+)\/v1[\s\S]*Ctrl-C stops/;
/** Longest that a clone and its dependencies take before the server starts. */
const INSTALLED_WITHIN_MS = 180_000;

/** A line of a document that was typed, and what it printed. */
export interface Typed {
  /** Standard output and standard error, one after the other. */
  output: string;
}

/** A shell in which commands of the documentation are typed as they are there. */
interface ReaderShell {
  /** An empty folder. */
  home: string;
  /** Folder of the log files that npm writes. */
  npmLogs: string;
  /** Runs commands to their end. @throws with what they printed when one fails */
  type(commands: string, folder: string): Promise<Typed>;
  /**
   * Runs commands of which the last starts a server, on free ports, and presses Control-C once it is ready and
   * `meanwhile` has resolved, which is given the server's address.
   */
  serve(commands: string, folder: string, meanwhile?: (url: string) => Promise<void>): Promise<Typed>;
}

export function createReaderShell(fixture: SystemFixture): ReaderShell {
  const home = fixture.folder();
  const npmLogs = join(fixture.folder(), 'logs');
  const installed = join(fixture.folder(), 'installed');
  mkdirSync(installed);
  const globalconfig = execFileSync('npm', ['config', 'get', 'globalconfig'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
  const env = {
    PATH: `${join(installed, 'bin')}:${process.env['PATH']}`,
    npm_config_prefix: installed,
    // npm looks for the settings of the machine below the prefix.
    npm_config_globalconfig: globalconfig,
    npm_config_logs_dir: npmLogs,
    npm_config_logs_max: '100',
    NO_COLOR: '1',
    PORT: '0',
    MQTT_PORT: '0',
  };
  const start = (commands: string, folder: string) => typeLine(fixture, commands, { cwd: folder, env });
  return {
    home,
    npmLogs,
    async type(commands, folder) {
      const { code, stdout, stderr } = await start(commands, folder).child.ended;
      if (code !== 0) throw new Error(`${commands.trim()}: ended with ${code}: ${stdout}${stderr}`);
      return { output: stdout + stderr };
    },
    async serve(commands, folder, meanwhile = async () => {}) {
      const { child, signal } = start(commands, folder);
      const [, url] = await waitFor(
        `${commands.trim()} to start a server`,
        () => {
          const ready = READY.exec(child.stdout);
          if (!ready && !child.running) throw new Error(`${commands.trim()}: ended: ${child.stderr}`);
          return ready;
        },
        INSTALLED_WITHIN_MS,
      );
      await meanwhile(url!);
      signal('SIGINT');
      const { stdout, stderr } = await child.ended;
      return { output: stdout + stderr };
    },
  };
}
