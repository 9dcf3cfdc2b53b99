import type { MachineShape } from '../view.ts';

/** The layout of a machine: geometry in pixels, independent of how it is drawn. */
export interface ChartLayout {
  machineId: string;
  width: number;
  height: number;
  /** A parent state precedes its children. */
  states: ChartState[];
  /** The initial markers of the machine and of its compound states. */
  starts: ChartStart[];
  transitions: ChartTransition[];
}

/** A machine with its layout. */
export interface DrawnMachine {
  shape: MachineShape;
  layout: ChartLayout;
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
  /** The area of name, tag and lines; the whole box of a state without children. */
  head: Box;
  /** Whether the state has children. */
  compound: boolean;
  parallel: boolean;
  initial: boolean;
  final: boolean;
  /** The kind of history state; null for any other state. */
  history: 'shallow' | 'deep' | null;
  /** The status that the state is tagged with. */
  tag: string | null;
}

export interface ChartStart {
  /** The centre of the dot. */
  x: number;
  y: number;
  to: string;
  points: Point[];
}

/** How a transition is drawn. */
export type TransitionKind =
  /** An arrow between two states, or from a state to itself. */
  | 'arrow'
  /** A transition without a change of state: a line inside the box. */
  | 'stay'
  /** The event is ignored here, even when a parent state handles it: a line inside the box. */
  | 'ignore'
  /** Between a state and its descendant or ancestor: a line in its box, `event → target`. */
  | 'listed';

export interface ChartTransition {
  /**
   * `from`, `event` and `to` identify the transition for marks; `from` is empty for the machine itself. The event of
   * an eventless transition is `always`.
   */
  from: string;
  to: string;
  event: string;
  guard: string | null;
  kind: TransitionKind;
  /** The points of an arrow. Transitions between the same two states share one arrow with several labels. */
  points: Point[];
  label: Box & { lines: string[] };
}

/** The marks of a drawing: active states, visited states, and transitions taken. */
export interface ChartMarks {
  active: string | null;
  visited: ReadonlySet<string>;
  /** Keys, as `transitionKey` makes them. */
  taken: ReadonlySet<string>;
  /** Paths of states in which a fault struck. */
  struck?: ReadonlySet<string>;
  /** The steps that no arrow of the layout shows, such as those by a transition that applies in any state. */
  hops?: readonly ChartHop[];
}

/** A step from one state to another, by their paths. */
export interface ChartHop {
  from: string;
  to: string;
  event: string;
}

export function transitionKey({ from, event, to }: Pick<ChartTransition, 'from' | 'event' | 'to'>): string {
  return `${from} ${event} ${to}`;
}

export type LayOut = (shape: MachineShape) => Promise<ChartLayout>;
