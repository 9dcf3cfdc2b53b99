import { CancelAction, DecideAction, EndAction } from '../../protocol/messages/action.messages.ts';
import { brokenProtocolRules } from './protocol-rules/terminal-rules.ts';
import { NOW_MS } from './fixtures.ts';
import { snapshotOf, type TerminalInput, type TerminalState, type Trace } from './terminal-model.ts';

/** Rules of one step, which cannot be seen in states that have forgotten when they were entered. */
export function brokenRules(
  before: TerminalState,
  after: TerminalState,
  { input, trace }: { input: TerminalInput; trace: Trace },
): string[] {
  const broken = brokenProtocolRules(before, after, { input, trace });
  const action = after.host?.action;
  if (!action) return broken;
  const { value, context } = snapshotOf(action);
  const earlier = before.host?.action && snapshotOf(before.host.action);
  const fired = input.type === 'timer';
  // After a power cut the terminal waits for its connection first.
  const moved = input.type !== 'powerOn' && JSON.stringify(earlier?.value) !== JSON.stringify(value);
  const isFresh = (atMs: number | null) => atMs !== null && atMs > NOW_MS;
  if ((moved || (fired && input.timer === 'deadline')) && !isFresh(context.deadlineMs))
    broken.push('waitsEnd');
  if (
    value === 'authorising' &&
    (context.askAgainMs === null || (fired && input.timer === 'retry' && !isFresh(context.askAgainMs)))
  )
    broken.push('asksAgain');
  if (fired && before.online && !moved && !trace.some((item) => !('saved' in item))) broken.push('timerActs');
  if (moved && input.type === 'command' && !isShown(input, after)) broken.push('decisionShown');
  if (value !== 'authorising' && context.askAgainMs !== null) broken.push('waitsEnd');
  const isSame = earlier?.context.start.actionId === context.start.actionId;
  if (isSame && (before.shown ?? 'InProgress') !== 'InProgress' && after.shown === 'InProgress')
    broken.push('endStays');
  return broken;
}

/** Whether the terminal shows what a command has decided. */
function isShown({ name, body }: { name: string; body: string }, { shown }: TerminalState): boolean {
  if (name === CancelAction.name) return shown === 'Cancelled';
  const { outcome, status } = JSON.parse(body) as { outcome?: string; status?: string };
  if (name === DecideAction.name && outcome === 'declined') return shown === 'Failed';
  return name !== EndAction.name || shown === status;
}
