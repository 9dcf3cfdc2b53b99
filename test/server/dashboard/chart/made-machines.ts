import fc from 'fast-check';
import type { DescribedState, DescribedTransition } from '../../../../protocol/machine-shape.ts';
import type { MachineShape } from '../../../../server/dashboard/view.ts';

const NAMES = ['idle', 'waiting', 'reading', 'done', 'awaitingTheCustomersReceipt', 'a', 'b'];
const EVENTS = ['go', 'card.presented', 'deadline.passed', 'issuer.approved'];
const GUARDS = [undefined, 'isReady', 'wasTheLastTryOfTheLastCard'];

const { state } = fc.letrec<{ state: DescribedState; inside: Record<string, DescribedState> }>((tie) => ({
  inside: fc.dictionary(fc.constantFrom(...NAMES), tie('state'), {
    minKeys: 1,
    maxKeys: 4,
    depthIdentifier: 'states',
  }),
  state: fc.oneof(
    { maxDepth: 2, depthIdentifier: 'states', withCrossShrink: true },
    fc.record({ tags: tags(), type: fc.constantFrom(undefined, 'final' as const, undefined) }),
    fc.record({ tags: tags(), type: fc.constant('history' as const) }),
    fc.record({ tags: tags(), states: tie('inside'), type: fc.constantFrom(undefined, 'parallel' as const) }),
  ),
}));

function tags() {
  return fc.constantFrom<string[][]>([], ['InProgress'], ['Failed']);
}

interface Link {
  from: number;
  to: number;
  event: string;
  guard: string | undefined;
  reenter: boolean;
}

const link: fc.Arbitrary<Link> = fc.record({
  from: fc.nat(1_000),
  to: fc.nat(1_000),
  event: fc.constantFrom(...EVENTS),
  guard: fc.constantFrom(...GUARDS),
  reenter: fc.boolean(),
});

/** Any machine: nested, parallel, with ways from everywhere to everywhere, those that make no sense included. */
export const anyMachine: fc.Arbitrary<MachineShape> = fc
  .record({
    states: fc.dictionary(fc.constantFrom(...NAMES), state, { minKeys: 1, maxKeys: 5 }),
    links: fc.array(link, { maxLength: 14 }),
  })
  .map(({ states, links }) => {
    const definition = structuredClone({ id: 'made', states: withStarts(states) }) as DescribedState;
    const all = everyState(definition, '');
    for (const { from, to, event, guard, reenter } of links) {
      const [, source] = all[from % all.length]!;
      const [target] = all[to % all.length]!;
      const way: DescribedTransition = {
        target: [target === '' ? '#made' : `#made.${target}`],
        ...(guard && { guard }),
        ...(reenter && { reenter: true as const }),
      };
      source.on ??= {};
      source.on[event] = [...(source.on[event] ?? []), way];
    }
    return { machineId: 'made', definition: { ...definition, initial: Object.keys(states)[0] } };
  });

function withStarts(states: Record<string, DescribedState>): Record<string, DescribedState> {
  return Object.fromEntries(
    Object.entries(states).map(([key, { states: inside, ...rest }]) => [
      key,
      inside
        ? {
            ...rest,
            ...(rest.type !== 'parallel' && { initial: Object.keys(inside)[0] }),
            states: withStarts(inside),
          }
        : rest,
    ]),
  );
}

function everyState(node: DescribedState, path: string): [path: string, state: DescribedState][] {
  const inside = Object.entries(node.states ?? {});
  return [
    [path, node],
    ...inside.flatMap(([key, child]) => everyState(child, path ? `${path}.${key}` : key)),
  ];
}
