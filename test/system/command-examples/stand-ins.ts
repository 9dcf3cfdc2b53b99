import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const WRITE_DOWN = 'echo "$(basename "$0") $*" >> "$CALLS"';

/** Programs that change the machine, or that it need not have. Each writes down how it was called. */
const STAND_INS: Record<string, string> = {
  'xdg-open': '',
  udevadm: '',
  // Runs the rest of the line as the same user.
  sudo: 'exec "$@"',
  // A coding agent, which starts the server of `claude mcp add NAME -- COMMAND` and speaks to it.
  claude: 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"',
};

/** Writes the programs into a folder, and returns the folder that belongs on PATH. */
export function installStandIns(folder: string): string {
  const bin = join(folder, 'stand-ins');
  mkdirSync(bin);
  for (const [name, rest] of Object.entries(STAND_INS))
    writeFileSync(join(bin, name), `#!/bin/sh\n${WRITE_DOWN}\n${rest}\n`, { mode: 0o755 });
  return bin;
}
