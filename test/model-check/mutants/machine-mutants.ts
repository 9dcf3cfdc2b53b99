import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { type Asked, eventPlace, isUpdate, listPlace, statesOf, updatePlace } from './machine-places.ts';
import { pick, replace, type Mutant } from './mutant.ts';

type Action = AnyTransitionDefinition['actions'][number];
type Guard = NonNullable<AnyTransitionDefinition['guard']>;

const never = () => false;

/** Returns the mutants of a machine's declaration: of its transitions, its states and its updates of the context. */
export function machineMutants(machine: AnyStateMachine, seed: number): Mutant[] {
  const make = new MachineMutants(machine, seed);
  return statesOf(machine)
    .flatMap((node) => [...make.ofTransitions(node), ...make.ofState(node), ...make.added(node)])
    .concat(make.ofUpdates());
}

/** Of the choices that a mutant has, the seed takes one. */
class MachineMutants {
  readonly #machine: AnyStateMachine;
  readonly #states: AnyStateNode[];
  readonly #seed: number;

  constructor(machine: AnyStateMachine, seed: number) {
    this.#machine = machine;
    this.#states = statesOf(machine);
    this.#seed = seed;
  }

  ofTransitions(node: AnyStateNode): Mutant[] {
    const always = (node.always ?? []).flatMap((transition, index) =>
      this.#ofTransition(transition, {
        id: `${node.id} always ${index + 1}`,
        place: listPlace(node, 'always'),
      }),
    );
    const on = [...node.transitions].flatMap(([event, transitions]) =>
      transitions.flatMap((transition, index) => {
        const which = transitions.length > 1 ? ` ${index + 1}` : '';
        return this.#ofTransition(transition, {
          id: `${node.id} on ${event}${which}`,
          place: eventPlace(node, event),
        });
      }),
    );
    return [...always, ...on];
  }

  #ofTransition(transition: AnyTransitionDefinition, at: { id: string; place: string }): Mutant[] {
    const mutant = (change: string, apply: () => () => void) => ({
      id: `${at.id}: ${change}`,
      place: at.place,
      apply,
    });
    const mutants = [mutant('dropped', () => replace(transition, 'guard', never))];
    const { target, guard } = transition;
    if (target) {
      const others = this.#states.filter((state) => state !== target[0] && state !== this.#machine.root);
      const other = pick(others, at.id, this.#seed)!;
      mutants.push(
        mutant(`to ${other.id}`, () => replace(transition, 'target', [other])),
        mutant('without its target', () => replace(transition, 'target', undefined)),
      );
    }
    if (guard) {
      mutants.push(
        mutant('without its guard', () => replace(transition, 'guard', undefined)),
        mutant('guard negated', () => replace(transition, 'guard', this.#negated(guard))),
      );
    }
    return [...mutants, ...this.#ofActions(transition, 'actions', at)];
  }

  #negated(guard: Guard): Guard {
    const name = typeof guard === 'string' ? guard : (guard as { type: string }).type;
    const test = this.#machine.implementations.guards[name] as (args: object, params: unknown) => boolean;
    return (args: object, params: unknown) => !test(args, params);
  }

  ofState(node: AnyStateNode): Mutant[] {
    const mutants = (['entry', 'exit'] as const).flatMap((list) =>
      this.#ofActions(node, list, { id: `${node.id} ${list}`, place: listPlace(node, list) }),
    );
    const tags = [...new Set(this.#states.flatMap((state) => state.tags))];
    const [tag] = node.tags;
    const otherTag =
      tag &&
      pick(
        tags.filter((each) => each !== tag),
        node.id,
        this.#seed,
      );
    if (otherTag)
      mutants.push({
        id: `${node.id}: tag ${otherTag}`,
        place: listPlace(node, 'tags'),
        apply: () => replace(node, 'tags', [otherTag]),
      });
    const [first] = node.initial.target;
    const others = Object.values(node.states).filter((state) => state !== first);
    const otherFirst = pick(others, node.id, this.#seed);
    if (first && otherFirst)
      mutants.push({
        id: `${node.id}: first ${otherFirst.id}`,
        place: listPlace(node, 'initial'),
        apply: () => replace(node.initial, 'target', [otherFirst]),
      });
    return mutants;
  }

  /** Mutants of a list of actions: one is missing, two change places, or one has the parameters of another place. */
  #ofActions<K extends string>(
    owner: Record<K, readonly Action[]>,
    list: K,
    { id, place }: { id: string; place: string },
  ): Mutant[] {
    const actions = owner[list];
    const mutant = (change: string, changed: readonly Action[]) => ({
      id: `${id}: ${change}`,
      place,
      apply: () => replace(owner, list, changed),
    });
    return actions.flatMap((action, index) => {
      const mutants = [mutant(`without ${textOf(action)}`, actions.toSpliced(index, 1))];
      const next = actions[index + 1];
      if (next && this.#isUpdate(action) === this.#isUpdate(next))
        mutants.push(
          mutant(`${textOf(next)} before ${textOf(action)}`, actions.toSpliced(index, 2, next, action)),
        );
      const others = this.#alike(action);
      const other = pick(others, `${id} ${index}`, this.#seed);
      if (other) mutants.push(mutant(`${textOf(other)} for ${textOf(action)}`, actions.with(index, other)));
      return mutants;
    });
  }

  #isUpdate(action: Action): boolean {
    return isUpdate(this.#machine.implementations.actions[nameOf(action)]);
  }

  /** Actions of the same name with other parameters than times, which a check leaves out. */
  #alike(action: Action): Action[] {
    const all = this.#states.flatMap((node) => [
      ...node.entry,
      ...[...node.transitions.values()].flat().flatMap((transition) => transition.actions),
    ]);
    return all.filter(
      (each) =>
        nameOf(each) === nameOf(action) &&
        textOf(each) !== textOf(action) &&
        !Object.hasOwn(paramsOf(each), 'ms'),
    );
  }

  /** The transitions of other states for an event that a state does not have: one for each event. */
  added(node: AnyStateNode): Mutant[] {
    if (node.type !== 'atomic') return [];
    const line: AnyStateNode[] = [];
    for (let at: AnyStateNode | undefined = node; at; at = at.parent) line.push(at);
    const known = new Set(line.flatMap((each) => [...each.transitions.keys()]));
    const events = [...new Set(this.#states.flatMap((state) => [...state.transitions.keys()]))];
    return events
      .filter((event) => !known.has(event))
      .map((event) => {
        const others = this.#states.flatMap((state) => state.transitions.get(event) ?? []);
        const other = pick(others, `${node.id} ${event}`, this.#seed)!;
        return {
          id: `${node.id} on ${event}: as in ${other.source.id}`,
          place: eventPlace(node, event),
          apply: () => {
            const asked = node as unknown as Asked;
            const { next } = asked;
            return replace(asked, 'next', (snapshot, received) => {
              const isAdded = received.type === event;
              return next(snapshot, received) ?? (isAdded ? [{ ...other, source: node }] : undefined);
            });
          },
        };
      });
  }

  /** Mutants of the updates of the context that have a name: one value is not updated. */
  ofUpdates(): Mutant[] {
    return Object.entries(this.#machine.implementations.actions).flatMap(([name, action]) => {
      if (!isUpdate(action) || typeof action.assignment === 'function') return [];
      const { assignment } = action;
      return Object.keys(assignment).map((key) => ({
        id: `${this.#machine.id} ${name}: without ${key}`,
        place: updatePlace(this.#machine, name),
        apply: () => {
          const { [key]: _, ...rest } = assignment;
          return replace(action, 'assignment', rest);
        },
      }));
    });
  }
}

function nameOf(action: Action): string {
  return typeof action === 'string' ? action : (action as { type: string }).type;
}

function paramsOf(action: Action): object {
  return (typeof action === 'string' ? {} : (action as { params?: object })).params ?? {};
}

function textOf(action: Action): string {
  return [nameOf(action), ...Object.values(paramsOf(action))].join(' ');
}
