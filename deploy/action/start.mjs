// @ts-check
// Starts `tapbench up` for the other steps of a job, and ends when it is ready. The server goes on until the action
// `stop` or the runner ends it.
import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_INTERVAL_MS = 50;

const {
  RUNNER_TEMP = '',
  GITHUB_OUTPUT = '',
  TAPBENCH_COMMAND = '',
  TAPBENCH_IMAGE = '',
  INPUT_ARGUMENTS = '',
  INPUT_LOG = '',
} = process.env;
const timeoutMs = Number(process.env['INPUT_TIMEOUT']) * 1000;
const log = resolve(INPUT_LOG);
const printed = join(mkdtempSync(join(RUNNER_TEMP, 'tapbench-')), 'startup.json');

const words = INPUT_ARGUMENTS.split(/\s+/).filter((word) => word !== '');
const [program = '', ...first] =
  TAPBENCH_IMAGE === '' ? [process.execPath, TAPBENCH_COMMAND] : containerCommand(TAPBENCH_IMAGE);
const server = spawn(program, [...first, 'up', '--ephemeral', '--json', ...words], {
  // Free ports unless the step sets them, so that jobs on one machine do not collide.
  env: { PORT: '0', MQTT_PORT: '0', RATE_LIMIT: 'off', ...process.env },
  // Its files outlive this process, as pipes would not. What it prints has keys.
  stdio: ['ignore', openSync(printed, 'w', 0o600), openSync(log, 'w')],
  detached: true,
});
const startup = await startupLine();
const { url, secretKey, publicKey, dashboardUrl, accountId, terminals, mqttUrl, webhooks } =
  JSON.parse(startup);
const dashboardToken = new URL(dashboardUrl).hash.replace('#token=', '');
const secrets = [secretKey, publicKey, dashboardToken, ...webhooks.map(({ secret }) => secret)];
for (const secret of secrets) console.log(`::add-mask::${secret}`);

const outputs = {
  url,
  'secret-key': secretKey,
  'public-key': publicKey,
  account: accountId,
  terminal: terminals[0]?.id ?? '',
  'mqtt-url': mqttUrl,
  startup,
  log,
  pid: server.pid,
};
for (const [name, value] of Object.entries(outputs)) appendFileSync(GITHUB_OUTPUT, `${name}=${value}\n`);
console.log(`Tapbench is ready at ${url}`);
server.unref();

/**
 * Returns the words that run a server in a container, before those of `up`. The client of Docker stays, and passes SIGTERM on. The
 * server has the network of the machine, where its port is free, and reads the files of the job.
 * @param {string} image
 */
function containerCommand(image) {
  const settings = ['HOST=127.0.0.1', 'PORT', 'MQTT_PORT', 'RATE_LIMIT'].flatMap((name) => ['--env', name]);
  const files = ['--volume', `${process.cwd()}:/job:ro`, '--workdir', '/job'];
  return ['docker', 'run', '--rm', '--network', 'host', ...settings, ...files, image];
}

/** Waits until the server has printed its line, and returns it. */
async function startupLine() {
  for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs += POLL_INTERVAL_MS) {
    const [line = '', rest] = readFileSync(printed, 'utf8').split('\n');
    if (rest !== undefined) return line;
    if (server.exitCode !== null || server.signalCode !== null) fail('Tapbench ended before it was ready');
    await delay(POLL_INTERVAL_MS);
  }
  server.kill();
  return fail('Tapbench was not ready in time');
}

/**
 * Prints the log and an error, and ends this process.
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  console.log(readFileSync(log, 'utf8'));
  console.log(`::error title=${message}::${message}: see the log above`);
  process.exit(1);
}
