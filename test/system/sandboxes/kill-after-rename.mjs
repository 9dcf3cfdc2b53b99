// Loaded into a server by --import: it is killed when it has given a file or folder the name that KILL_AFTER_RENAME, a
// regular expression, matches.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const name = new RegExp(process.env.KILL_AFTER_RENAME);
const { rename } = fs.promises;
fs.promises.rename = async (from, to) => {
  await rename(from, to);
  if (!name.test(to)) return;
  process.kill(process.pid, 'SIGKILL');
  await new Promise(() => {});
};
syncBuiltinESMExports();
