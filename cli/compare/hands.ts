import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../protocol/system/replace-file.ts';
import type { ServerApi } from '../client/api-client.ts';
import type { CommandContext } from '../command-line/command-context.ts';
import { printLine } from '../command-line/output.ts';
import {
  accountLinkIn,
  challengeIn,
  challengePage,
  completeAccount,
  passChallenge,
} from './browser-hands.ts';

/** Whether somebody can be asked: both what is printed and what is typed is at a terminal. */
export function canAsk({ err, streams: { input } }: Pick<CommandContext, 'err' | 'streams'>): boolean {
  return err.isTerminal && 'isTTY' in input && input.isTTY === true;
}

/** Prints a question and resolves with the line that is typed. Rejects when the command is interrupted. */
export function askLine(
  { err, keyboard, interrupted, keepRunning }: CommandContext,
  question: string,
): Promise<string> {
  printLine(err, question);
  return new Promise((resolve, reject) => {
    interrupted.throwIfAborted();
    const release = keepRunning();
    const end = () => {
      stop();
      release();
      interrupted.removeEventListener('abort', abort);
    };
    const abort = () => {
      end();
      reject(interrupted.reason instanceof Error ? interrupted.reason : new Error('interrupted'));
    };
    const stop = keyboard.onLine((line) => {
      end();
      resolve(line);
    });
    interrupted.addEventListener('abort', abort, { once: true });
  });
}

/** Name of the page that leads to a challenge, while a person passes it. */
const CHALLENGE_PAGE = 'challenge.html';

/**
 * Asks a person to act at the other server, and waits until that is done.
 * @param folder where a page may be put for them
 */
export async function askPerson(context: CommandContext, text: string, folder: string): Promise<boolean> {
  const challenge = challengeIn(text);
  if (!challenge) {
    await askLine(context, `${text} Then press Enter.`);
    return true;
  }
  const page = join(folder, CHALLENGE_PAGE);
  replaceFile(page, challengePage(challenge));
  try {
    await askLine(context, `Open ${page} in a browser, and pass the challenge. Then press Enter.`);
  } finally {
    rmSync(page, { force: true });
  }
  return true;
}

const CARD = 'visa-contactless';

/** What a person would do at our terminal, by the words of the scenario. */
const ACTS: {
  words: RegExp;
  act(api: ServerApi, id: string, waitOnline: () => Promise<void>): Promise<unknown>;
}[] = [
  { words: /^(Present no card|Leave terminal|Terminal )/, act: () => Promise.resolve() },
  { words: /^Switch terminal .* off/, act: (api, id) => power(api, id, 'off') },
  {
    words: /^Switch terminal .* on again/,
    async act(api, id, waitOnline) {
      await power(api, id, 'on');
      await waitOnline();
    },
  },
  {
    words: /^Tap a card/,
    act: (api, id) =>
      api.call('POST /sandbox/terminals/{id}/present-card', { params: { id }, body: { card: CARD } }),
  },
  {
    words: /^Press the cancel key/,
    act: (api, id) =>
      api.call('POST /sandbox/terminals/{id}/press-keys', { params: { id }, body: { keys: ['cancel'] } }),
  },
];

const power = (api: ServerApi, id: string, state: 'on' | 'off') =>
  api.call('POST /sandbox/terminals/{id}/power', { params: { id }, body: { state } });

/** A simulated terminal of our sandbox. */
interface OwnTerminal {
  id: string;
  /** Resolves when it is connected. */
  waitOnline(): Promise<void>;
}

/** Does in our sandbox what a scenario asks a person for; false where that cannot be done without one. */
export async function actInSandbox(
  { fetch }: Pick<CommandContext, 'fetch'>,
  { api, terminal }: { api: ServerApi; terminal: OwnTerminal | undefined },
  text: string,
): Promise<boolean> {
  const challenge = challengeIn(text);
  if (challenge) return passChallenge(fetch, challenge);
  const link = accountLinkIn(text);
  if (link !== undefined) return completeAccount(fetch, link);
  const known = ACTS.find(({ words }) => words.test(text));
  if (!known || !terminal) return false;
  return known.act(api, terminal.id, terminal.waitOnline).then(
    () => true,
    // Such as a card that is still at the reader.
    () => false,
  );
}
