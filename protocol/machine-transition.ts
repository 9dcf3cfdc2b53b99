import {
  createActor,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type EventFromLogic,
  type ExecutableActionsFrom,
  type InputFrom,
  type SnapshotFrom,
} from 'xstate';

/** A snapshot of a machine, and the actions that lead to it and are for the caller to run, in order. */
type Transition<Machine extends AnyStateMachine> = [SnapshotFrom<Machine>, ExecutableActionsFrom<Machine>[]];

/** `initialTransition` and `transition` of XState for one machine. */
interface Transitions<Machine extends AnyStateMachine> {
  initial(input: InputFrom<Machine>): Transition<Machine>;
  next(snapshot: SnapshotFrom<Machine>, event: EventFromLogic<Machine>): Transition<Machine>;
}

/**
 * Returns the pure transitions of a machine that starts no actors. XState's own functions create an actor for each
 * call, and with it the machine's first snapshot, which takes most of their time; these share one actor.
 */
export function transitionsOf<Machine extends AnyStateMachine>(machine: Machine): Transitions<Machine> {
  const untyped: AnyStateMachine = machine;
  const self = createActor(untyped);
  const run = (take: (scope: Scope) => AnyMachineSnapshot): Transition<Machine> => {
    const actions: ExecutableActionsFrom<Machine>[] = [];
    const snapshot = take({
      self,
      system: self.system,
      id: '',
      sessionId: '',
      logger: ignore,
      defer: ignore,
      stopChild: ignore,
      emit: ignore,
      actionExecutor: (action) => void actions.push(action as ExecutableActionsFrom<Machine>),
    });
    return [snapshot as SnapshotFrom<Machine>, actions];
  };
  return {
    initial: (input) => run((scope) => untyped.getInitialSnapshot(scope, input)),
    next: (snapshot, event) => run((scope) => untyped.transition(snapshot, event, scope)),
  };
}

type Scope = Parameters<AnyStateMachine['transition']>[2];

function ignore(): void {}
