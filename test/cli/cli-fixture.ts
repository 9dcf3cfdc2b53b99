import { PassThrough } from 'node:stream';
import { VirtualClock } from '../../world/virtual-clock.ts';
import { seededRandom } from '../../protocol/ids.ts';
import { keyboardOf } from '../../cli/process/keyboard.ts';
import { runProgram } from '../../cli/program.ts';
import type { CommandContext } from '../../cli/command-line/command-context.ts';

/** A response of the fake server: a status and a JSON body. */
type Answer = { status: number; body?: unknown; retryAfter?: string };

interface Request {
  method: string;
  path: string;
  authorization: string | undefined;
  account: string | undefined;
  body: unknown;
}

/** Runs commands with a fake environment, fake streams and a fake server. */
export interface CliFixture {
  context: CommandContext;
  clock: VirtualClock;
  /** Standard output and standard error so far. */
  readonly out: string;
  readonly err: string;
  /** Requests to the server, in order. */
  readonly requests: Request[];
  /** URLs opened in the browser, which exists where `DISPLAY` is set. */
  readonly opened: string[];
  /** Sets the responses to a call, returned one after the other; the last one repeats. */
  answer(call: `${string} ${string}`, ...answers: Answer[]): void;
  /** Runs a command line to its end and returns its exit code. */
  run(...argv: string[]): Promise<number>;
  interrupt(): void;
  /** Types a line, with enter at its end. */
  type(line: string): void;
}

export const KEY = 'sk_sandbox_test';

export function createCliFixture(variables: Record<string, string> = { SECRET_KEY: KEY }): CliFixture {
  // Not the folder of a server that runs in the working directory.
  const env: Record<string, string> = { DATA_DIR: 'no-data-folder', ...variables };
  const clock = new VirtualClock(Date.UTC(2026, 0, 5, 9, 30));
  const written = { out: '', err: '' };
  const requests: Request[] = [];
  const opened: string[] = [];
  const answers = new Map<string, Answer[]>();
  const interrupted = new AbortController();
  const typed = new PassThrough();
  const sink = (name: 'out' | 'err') => ({
    write: (text: string) => void (written[name] += text),
    isTerminal: false,
    colours: false,
  });

  const fetch = async (input: string | URL | globalThis.Request, init: RequestInit = {}) => {
    const { pathname, search } = new URL(String(input));
    const headers = new Headers(init.headers);
    requests.push({
      method: init.method ?? 'GET',
      path: pathname + search,
      authorization: headers.get('authorization') ?? undefined,
      account: headers.get('account') ?? undefined,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
    });
    const queue = answers.get(`${init.method ?? 'GET'} ${pathname}`);
    if (!queue) throw new TypeError('fetch failed');
    const { status, body, retryAfter } = queue.length > 1 ? queue.shift()! : queue[0]!;
    return new Response(body === undefined ? '' : JSON.stringify(body), {
      status,
      headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
    });
  };

  const context: CommandContext = {
    env,
    out: sink('out'),
    err: sink('err'),
    keyboard: keyboardOf(typed as unknown as NodeJS.ReadStream, () => interrupted.abort()),
    streams: { input: typed, output: new PassThrough() },
    fetch,
    importModule: (specifier) => import(/* @vite-ignore */ specifier),
    startDetached: () => Promise.reject(new Error('no process is started')),
    keepRunning: () => () => {},
    async openBrowser(url) {
      opened.push(url);
      return env['DISPLAY'] !== undefined;
    },
    clock,
    random: seededRandom('stage'),
    interrupted: interrupted.signal,
  };

  return {
    context,
    clock,
    get out() {
      return written.out;
    },
    get err() {
      return written.err;
    },
    requests,
    opened,
    answer: (call, ...given) => void answers.set(call, given),
    async run(...argv) {
      let code: number | undefined;
      const ended = runProgram(argv, context, '1.2.3').then((exit) => (code = exit));
      // Commands wait on this clock only: it is advanced whenever nothing else happens, until they end.
      while (code === undefined) {
        await idle(() => requests.length + written.out.length + written.err.length);
        const next = clock.due[0];
        if (code === undefined && next !== undefined) await clock.advance(Math.max(next - clock.nowMs(), 0));
      }
      return ended;
    },
    interrupt: () => interrupted.abort(new Error('interrupted')),
    type: (line) => void typed.write(`${line}\n`),
  };
}

// Reading a Response takes a few turns of the event loop.
const QUIET_TURNS = 10;

async function idle(activity: () => number): Promise<void> {
  let before = -1;
  for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
    if (activity() !== before) quiet = 0;
    before = activity();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The error envelope of the API. */
export function refusal(status: number, message: string): Answer {
  return { status, body: { requestId: 'r', code: String(status), errors: [{ code: 'x', message }] } };
}

/** A terminal as the API returns it, with an action in this state. */
export function terminal(
  action: Partial<{ status: string; code: string; merchant: string; customer: string; id: string }> | null,
) {
  return {
    id: 'tml_1',
    name: 'Till 1',
    location: { id: 'iploc_1' },
    device: { type: 'A920Pro', serialNumber: 'SIM-0001' },
    action: action && {
      type: 'Transaction',
      id: action.id ?? 'tmlact_1',
      status: action.status ?? 'InProgress',
      error: action.code === undefined ? null : { code: action.code },
      transaction: {
        type: 'Payment',
        paymentSessionId: 'ps_1',
        amounts: { requested: 1742 },
        currency: 'GBP',
        receiptDetail: {
          merchantCopy: { status: action.merchant ?? 'NotRequired' },
          customerCopy: { status: action.customer ?? 'NotRequired' },
        },
        settings: { receiptPrintingSource: 'Terminal' },
      },
      createdTimestamp: 1,
    },
    metadata: {},
    createdTimestamp: 1,
    lastUpdatedTimestamp: 1,
  };
}
