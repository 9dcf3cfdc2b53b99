import { Fault } from '../../protocol/failures.ts';
import type { Action } from '../../server/api/in-person/action.schema.ts';
import type { Terminal } from '../../server/api/in-person/terminal.schema.ts';
import type { Api } from '../api-client.ts';
import { terminalPath } from '../terminal-choice.ts';
import { controlsPath } from './terminal-tools.ts';
import type { ToolContext } from './tool.ts';

const POLL_MS = 500;

interface Cardholder {
  /** Name of the card to present; undefined when a simulated cardholder presents one. */
  card?: string | undefined;
  entryMode?: string | undefined;
  /** Digits to type when the terminal asks for the PIN. */
  pin?: string | undefined;
}

interface AttendedAction {
  /** The action as it stands at the end; undefined when the terminal has begun another since. */
  action: Action | undefined;
  /** Why the card was not presented or the PIN not typed, where that was so. */
  problems: string[];
}

/**
 * Acts as the cardholder of an action until it has ended or the time is over. A card is presented only where the
 * terminal asks for one, so that it can be called again for the same action.
 */
export async function attendAction(
  context: ToolContext,
  api: Api,
  { id: terminalId, action: started }: Terminal,
  cardholder: Cardholder,
  waitMs: number,
): Promise<AttendedAction> {
  const endMs = context.nowMs() + waitMs;
  const controls = controlsPath(terminalId);
  const problems: string[] = [];
  const { card, entryMode, pin } = cardholder;
  const acts = [
    card !== undefined && {
      state: 'awaitingCard',
      act: 'present-card',
      body: { card, ...(entryMode && { entryMode }) },
    },
    pin !== undefined && { state: 'awaitingPin', act: 'press-keys', body: { keys: [...pin, 'enter'] } },
  ].filter((act) => act !== false);

  for (;;) {
    const { action } = await api.get<Terminal>(terminalPath(terminalId));
    if (action?.id !== started!.id) return { action: undefined, problems };
    if (action.status !== 'InProgress' || context.nowMs() >= endMs) return { action, problems };
    const { state } = await api.get<{ state: string | null }>(controls);
    const due = acts.findIndex((act) => (state ?? '').split('.').includes(act.state));
    if (due >= 0) {
      const [act] = acts.splice(due, 1);
      const problem = await refusalOf(api.post(`${controls}/${act!.act}`, act!.body));
      if (problem !== undefined) problems.push(problem);
    }
    await context.pause(POLL_MS);
  }
}

/** Returns the message of a call that the server refuses; undefined when it succeeds. */
async function refusalOf(call: Promise<unknown>): Promise<string | undefined> {
  try {
    await call;
    return undefined;
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === 'server_answer') return thrown.message;
    throw thrown;
  }
}
