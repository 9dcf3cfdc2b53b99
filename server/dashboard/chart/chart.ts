import type { MachineShape } from '../view.ts';

/** A machine laid out: pure geometry, in pixels, that any drawing can use. */
export interface ChartLayout {
  machineId: string;
  width: number;
  height: number;
  states: ChartState[];
  transitions: ChartTransition[];
}

export interface ChartState {
  /** Dotted path, such as `approved.printing`. */
  path: string;
  name: string;
  x: number;
  y: number;
  width: number;
  height: number;
  /** A state with states inside. */
  compound: boolean;
  parallel: boolean;
  initial: boolean;
  final: boolean;
  /** The status that it carries. */
  tag: string | null;
}

export interface ChartTransition {
  /** `from` and `event` and `to` name it, for marks. */
  from: string;
  to: string;
  event: string;
  guard: string | null;
  points: { x: number; y: number }[];
  label: { x: number; y: number; width: number; height: number; lines: string[] };
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
