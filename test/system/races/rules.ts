/** The rules of an object, written from its documentation: what a request does in a state, or how it is refused. */
export type Rules<State, Request> = (
  state: State,
  request: Request,
) => { after: State } | { refused: string };

/**
 * Does requests one after the other by the rules. Returns the last state, and what the rules do not allow: a request
 * that was done where they refuse it, and a refusal that they give in none of the states in between.
 * @param done in the order in which they took effect
 */
export function replay<State, Request>(
  rules: Rules<State, Request>,
  start: State,
  done: readonly Request[],
  refused: readonly { request: Request; refusal: string }[],
): { end: State; wrong: string[] } {
  const wrong: string[] = [];
  const states = [start];
  for (const request of done) {
    const before = states.at(-1)!;
    const step = rules(before, request);
    if ('after' in step) states.push(step.after);
    else wrong.push(`done in ${JSON.stringify(before)}: ${JSON.stringify(request)}, but ${step.refused}`);
  }
  const given = new Map<string, Set<string>>();
  for (const { request, refusal } of refused) {
    const key = JSON.stringify(request);
    if (!given.has(key)) given.set(key, refusalsOf(rules, states, request));
    if (!given.get(key)!.has(refusal)) wrong.push(`refused: ${key}: ${refusal}`);
  }
  return { end: states.at(-1)!, wrong };
}

function refusalsOf<State, Request>(
  rules: Rules<State, Request>,
  states: readonly State[],
  request: Request,
): Set<string> {
  const steps = states.map((state) => rules(state, request));
  return new Set(steps.flatMap((step) => ('refused' in step ? [step.refused] : [])));
}
