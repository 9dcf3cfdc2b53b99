// @ts-check
// Asks the server of an earlier step to stop, and waits until it has ended. Windows has no SIGTERM: there it ends at once.
import { setTimeout as delay } from 'node:timers/promises';

const LIMIT_MS = 10_000;
const POLL_INTERVAL_MS = 50;

const pid = Number(process.env['PID']);
// A process id of 0 would be the group of this process.
if (!(pid > 0) || !signal('SIGTERM')) fail('Tapbench had ended before');
for (let waitedMs = 0; signal(0); waitedMs += POLL_INTERVAL_MS) {
  if (waitedMs >= LIMIT_MS) fail('Tapbench did not stop in ten seconds');
  await delay(POLL_INTERVAL_MS);
}

/**
 * Sends a signal to the server; 0 only asks for it. Returns false when there is no such process.
 * @param {'SIGTERM' | 0} name
 */
function signal(name) {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** @param {string} message */
function fail(message) {
  console.log(`::error::${message}`);
  process.exit(1);
}
