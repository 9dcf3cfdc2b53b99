import { Fault } from '../../protocol/failures.ts';
import { keyForm } from '../../server/platform/key-form.ts';
import { createApi, httpTransport, pause, type ServerApi } from '../client/api-client.ts';
import { command } from '../command-line/command.ts';
import { SETTINGS } from '../command-line/config.ts';
import { readKeys } from '../data-folder/data-folder.ts';
import { integerOption } from '../command-line/option.ts';
import { startProgress } from '../command-line/progress.ts';
import { onlineTerminals } from './terminals.ts';

const POLL_MS = 100;

export const wait = command({
  name: 'wait',
  details:
    'Ready means that /healthz returns 200 and that enough terminals are online. With live keys only /healthz is checked.',
  parameters: {},
  options: {
    terminals: integerOption(
      { min: 0, max: 100_000 },
      { flag: '--terminals <number>', description: 'Terminals that must be online', defaultValue: '1' },
    ),
    timeout: integerOption(
      { min: 1, max: 86_400 },
      { flag: '--timeout <seconds>', description: 'Give up after this long', defaultValue: '30' },
    ),
    url: SETTINGS.url,
    secretKey: SETTINGS.secretKey,
    dataDir: SETTINGS.dataDir,
  },
  examples: [
    {
      line: 'tapbench up & tapbench wait && npm run e2e',
      description: 'starts the tests when the server is ready',
    },
  ],
  async run({ context, options, optionsNow }) {
    const { terminals: wanted, timeout } = options;
    let { url } = options;
    const deadlineMs = context.clock.nowMs() + timeout * 1000;
    const progress = startProgress(context, `Waiting for ${url}`);
    try {
      for (;;) {
        // Read again each time: a server that is starting may not have written its keys and its address yet.
        const secretKey = options.secretKey ?? readKeys(options.dataDir).secretKey;
        const server = optionsNow();
        url = server.url;
        const api = createApi(context, httpTransport(context, server), { url, secretKey: secretKey ?? '' });
        const missing = await whatIsMissing(api, secretKey, wanted);
        if (missing === undefined) return;
        progress.show(`Waiting for ${url}: ${missing}`);
        if (context.clock.nowMs() >= deadlineMs) {
          throw new Fault('timed_out', `${url} is not ready after ${timeout} s: ${missing}`);
        }
        await pause(context, POLL_MS);
      }
    } finally {
      progress.end();
    }
  },
});

async function whatIsMissing(
  api: ServerApi,
  secretKey: string | undefined,
  wanted: number,
): Promise<string | undefined> {
  const health = await answerOf(api);
  if (health !== 200) return health === undefined ? 'it cannot be reached' : `/healthz returns ${health}`;
  if (wanted === 0) return undefined;
  if (secretKey === undefined) return 'SECRET_KEY is not set and DATA_DIR/keys.json is not there';
  if (keyForm(secretKey)?.mode === 'live') return undefined;
  const online = await onlineTerminals(api);
  if (online === undefined) return 'the server does not accept the key';
  return online.size >= wanted ? undefined : `${online.size} of ${wanted} terminals online`;
}

async function answerOf(api: ServerApi): Promise<number | undefined> {
  try {
    return (await api.answer('GET /healthz')).status;
  } catch (error) {
    if (error instanceof Fault && error.code === 'transport') return undefined;
    throw error;
  }
}
