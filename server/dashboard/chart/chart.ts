import type { MachineShape } from '../view.ts';

/** A machine laid out: pure geometry, in pixels, that any drawing can use. */
export interface ChartLayout {
  machineId: string;
  width: number;
  height: number;
  /** A state comes before the states inside it. */
  states: ChartState[];
  /** Where a machine, or a state with states inside, begins. */
  starts: ChartStart[];
  transitions: ChartTransition[];
}

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  width: number;
  height: number;
}

export interface ChartState extends Box {
  /** Dotted path, such as `approved.printing`. */
  path: string;
  name: string;
  /** Where its name, its tag and its lines stand; the whole box of a state without states inside. */
  head: Box;
  /** A state with states inside. */
  compound: boolean;
  parallel: boolean;
  initial: boolean;
  final: boolean;
  /** Remembers where its parent stood. */
  history: 'shallow' | 'deep' | null;
  /** The status that it carries. */
  tag: string | null;
}

export interface ChartStart {
  /** The dot. */
  x: number;
  y: number;
  to: string;
  points: Point[];
}

/** What a transition is in a drawing. */
export type TransitionKind =
  /** An arrow from state to state, or back to the same one. */
  | 'arrow'
  /** The state stays as it is: a line inside its box. */
  | 'stay'
  /** The event is ignored here, whatever a state around it makes of it: a line inside the box. */
  | 'ignore'
  /** Between a state and one inside it, or around it: a line in its box, `event → place`. */
  | 'listed';

export interface ChartTransition {
  /** `from`, `event` and `to` name it, for marks; `from` is empty for the machine itself. A transition without an event has the event `always`. */
  from: string;
  to: string;
  event: string;
  guard: string | null;
  kind: TransitionKind;
  /** Of an arrow; those between the same two states are one arrow with several labels. */
  points: Point[];
  label: Box & { lines: string[] };
}

/** What is marked in a drawing: where the machine stands, where it was, which ways it took. */
export interface ChartMarks {
  active: string | null;
  visited: ReadonlySet<string>;
  /** Keys of `transitionKey`. */
  taken: ReadonlySet<string>;
}

export function transitionKey({ from, event, to }: Pick<ChartTransition, 'from' | 'event' | 'to'>): string {
  return `${from} ${event} ${to}`;
}

export type LayOut = (shape: MachineShape) => Promise<ChartLayout>;
