import type { CallStep, Scenario } from './scenario.ts';

/** What a run sends to the other server at least, and what it leaves there at most. */
interface ComparePlan {
  scenarios: number;
  requests: number;
  /** By the word of the path, such as `customers`. */
  made: Record<string, number>;
  /** What of it the scenarios do not remove. */
  left: Record<string, number>;
}

/** The last parts of paths that change an object rather than make one. */
const ACTS = new Set(
  'verify authorize captures voids refunds attempt-payment continue-payment pause resume cancel accept challenge evidence sessions payment refund cancel-action confirm-receipt'.split(
    ' ',
  ),
);

/** Counts what scenarios send and make. What a server refuses makes nothing, so it may be less. */
export function planOf(scenarios: readonly Scenario[]): ComparePlan {
  const [made, removed] = [new Map<string, number>(), new Map<string, number>()];
  const add = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const steps = scenarios.flatMap((one) => one.steps);
  for (const step of steps) {
    if (!('call' in step)) continue;
    const name = nameOf(step);
    if (name !== undefined && step.call.startsWith('POST ')) add(made, name);
    if (name !== undefined && step.call.startsWith('DELETE ')) add(removed, name);
  }
  const left = [...made].flatMap(([name, count]): [string, number][] => {
    const stays = count - (removed.get(name) ?? 0);
    return stays > 0 ? [[name, stays]] : [];
  });
  return {
    scenarios: scenarios.length,
    requests: steps.filter((step) => !('hand' in step || 'delivery' in step)).length,
    made: Object.fromEntries(made),
    left: Object.fromEntries(left),
  };
}

/** Returns the kind of object that a path names; undefined for an act on one. */
function nameOf({ call, refusal }: CallStep): string | undefined {
  const words = call
    .split(' ')[1]!
    .split('/')
    .filter((part) => part !== '' && !part.startsWith('{'));
  const last = words.at(-1) ?? '';
  return refusal !== undefined || ACTS.has(last) ? undefined : last;
}

/** Returns a plan in lines, for the person who is asked whether to go on. */
export function planLines(
  plan: ComparePlan,
  { to, rate, notTried }: { to: string; rate: number; notTried: string },
): string[] {
  const listed = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ');
  const minutes = Math.ceil(plan.requests / rate / 60);
  return [
    `To ${to}: ${plan.requests} requests or more, in ${plan.scenarios} scenarios, at most ${rate} a second: ${minutes} min or more`,
    `Made at most: ${listed(plan.made) || 'nothing'}`,
    `What is not removed afterwards: ${listed(plan.left) || 'nothing'}`,
    ...(notTried === '' ? [] : [`Not tried, as it was not given what they need: ${notTried}`]),
  ];
}
