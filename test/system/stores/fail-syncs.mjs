// Loaded into a server by --import: from when the file named by FAIL_SYNCS_FILE is there, fdatasync(2) fails.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { fdatasync, existsSync } = fs;
fs.fdatasync = (file, done) => {
  if (!existsSync(process.env.FAIL_SYNCS_FILE)) return fdatasync(file, done);
  setImmediate(done, Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' }));
};
syncBuiltinESMExports();
