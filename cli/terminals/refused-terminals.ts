import { after, type Timer } from '../../protocol/clock.ts';
import { Fault } from '../../protocol/failures.ts';
import type { SandboxApi } from '../../simulator/pairing.ts';
import type { CommandContext } from '../command-line/command-context.ts';
import { integerOption } from '../command-line/option.ts';
import { printLine } from '../command-line/output.ts';

/** Option of the commands that run terminals at a broker. */
export const brokerWait = integerOption(
  { min: 1, max: 86_400 },
  {
    flag: '--broker-wait <seconds>',
    description:
      'How long to try again at the start while an external broker refuses the new passwords, because it has not read its new users',
    defaultValue: '300',
  },
);

/** While a terminal is refused, the server is asked about it once in this time: a fleet is refused many times a second. */
const ASK_EVERY_MS = 30_000;

const ADVICE = 'run `tapbench broker-acl` again and have the broker read its files (docs/protocol.md)';

interface RefusedTerminalsParts {
  /** The values of `--mqtt` and `--broker-wait`. Without the first the broker is the server's: its refusal is certain. */
  options: { mqtt: string | undefined; brokerWait: number };
  /** The server that pairs the terminals. */
  api: SandboxApi;
  /** Ends a terminal for the reason. When it throws, the command ends. */
  end(terminalId: string, reason: string): void;
}

/** What a command does about terminals that the broker refuses. */
interface RefusedTerminals {
  /** The API through which the terminals are paired. */
  api: SandboxApi;
  refused(terminalId: string, reason: string): void;
  online(terminalId: string): void;
  /** Rejects when the command ends: `end` threw, or no terminal came online in time. */
  readonly failed: Promise<never>;
  close(): void;
}

/**
 * Ends the terminals whose passwords no longer hold, and lets all others try again. Whether a password holds is the
 * server's answer: an external broker also refuses one that it has not read yet. When the server cannot be asked, or
 * does not answer, a terminal tries again. The command ends when no terminal has been online within the wait.
 */
export function createRefusedTerminals(
  { clock, err }: Pick<CommandContext, 'clock' | 'err'>,
  { api, options: { mqtt, brokerWait: waitSeconds }, end }: RefusedTerminalsParts,
): RefusedTerminals {
  const { watched, passwords } = rememberPasswords(api);
  const askedAtMs = new Map<string, number>();
  let wait: Timer | undefined;
  let hasBeenOnline = false;
  let isOver = false;
  let reject!: (reason: unknown) => void;
  const failed = new Promise<never>((_, fail) => (reject = fail));
  // Avoids an unhandled rejection when nothing awaits it yet.
  failed.catch(() => {});

  const endFor = (terminalId: string, reason: string) => {
    if (isOver) return;
    try {
      end(terminalId, reason);
    } catch (error) {
      reject(error);
    }
  };
  const beginToWait = (reason: string) => {
    if (hasBeenOnline || wait || isOver) return;
    printLine(
      err,
      `the broker refuses the terminals (${reason}); trying again for ${waitSeconds} s: ${ADVICE}`,
    );
    wait = after(clock, waitSeconds * 1000, () => {
      const problem = `no terminal came online in ${waitSeconds} s: the broker refuses them (${reason})`;
      reject(new Fault('transport', `${problem}; ${ADVICE}`));
    });
  };
  const ask = async (terminalId: string, reason: string) => {
    const verdict = await askServer(api, terminalId, passwords.get(terminalId));
    if (verdict === 'deleted') endFor(terminalId, 'it was deleted');
    else if (verdict === 'replaced') endFor(terminalId, 'it was paired again elsewhere');
    else if (verdict === 'no key' && mqtt === undefined)
      endFor(terminalId, `the server refuses it (${reason}); it was paired again elsewhere, or deleted`);
    else beginToWait(reason);
  };
  return {
    api: watched,
    failed,
    refused(terminalId, reason) {
      if (clock.nowMs() - (askedAtMs.get(terminalId) ?? -ASK_EVERY_MS) < ASK_EVERY_MS) return;
      askedAtMs.set(terminalId, clock.nowMs());
      void ask(terminalId, reason);
    },
    online(terminalId) {
      askedAtMs.delete(terminalId);
      hasBeenOnline = true;
      wait?.cancel();
    },
    close() {
      isOver = true;
      wait?.cancel();
    },
  };
}

/** Keeps the passwords of the terminals that are paired through an API. */
function rememberPasswords(api: SandboxApi): { watched: SandboxApi; passwords: ReadonlyMap<string, string> } {
  const passwords = new Map<string, string>();
  const watched: SandboxApi = {
    async request(method, path, body) {
      const reply = await api.request(method, path, body);
      const terminalId = /^\/pairing\/terminals\/([^/]+)$/.exec(path)?.[1];
      const { password } = (reply.body ?? {}) as { password?: unknown };
      if (terminalId !== undefined && typeof password === 'string')
        passwords.set(decodeURIComponent(terminalId), password);
      return reply;
    },
  };
  return { watched, passwords };
}

type Verdict = 'current' | 'replaced' | 'deleted' | 'no key' | 'unknown';

async function askServer(
  api: SandboxApi,
  terminalId: string,
  password: string | undefined,
): Promise<Verdict> {
  if (password === undefined) return 'unknown';
  try {
    const path = `/pairing/terminals/${encodeURIComponent(terminalId)}/check`;
    const { status, body } = await api.request('POST', path, { password });
    if (status === 404) return 'deleted';
    if (status !== 200) return 'unknown';
    return (body as { current?: unknown } | undefined)?.current === false ? 'replaced' : 'current';
  } catch (error) {
    return error instanceof Fault && error.code === 'bad_setting' ? 'no key' : 'unknown';
  }
}

/** Ends a command that runs one terminal. @throws Fault `transport` with the reason */
export function endAgent(terminalId: string, reason: string): never {
  throw new Fault('transport', `${terminalId} stops: ${reason}`);
}
