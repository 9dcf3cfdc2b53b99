import { signal } from '@preact/signals';
import type { ChartLayout, ChartMarks } from '../../chart/chart.ts';
import { drawTakenPath } from '../../chart/draw-taken-path.ts';
import { drawChart } from '../../chart/draw.ts';
import { marksOf } from '../../chart/marks.ts';
import { layOutPath } from '../../chart/taken-path-layout.ts';
import { takenPath } from '../../chart/taken-path.ts';
import type { StepEntry } from '../timeline/steps.ts';
import { fitArea, type Drawn, type Size } from './viewport.ts';
import { CHART_MOTION, CHART_STYLE, PATH_STYLE } from '../../chart/chart-style.ts';

/** Whether charts show all states of a machine, or the path taken alone. */
export const showsAllStates = signal(false);

const STORAGE_KEY = 'tapbench.allStates';

/** Applies the choice stored in this tab of the browser, and stores each change. */
export function applyStoredChartChoice(): void {
  showsAllStates.value = sessionStorage.getItem(STORAGE_KEY) === 'true';
  showsAllStates.subscribe((shown) => sessionStorage.setItem(STORAGE_KEY, String(shown)));
}

/** A drawing with what its map and its viewport need. */
interface ShownChart extends Drawn {
  svg: string;
  marks: Pick<ChartMarks, 'active' | 'visited'>;
}

/** What a chart shows. */
export interface ChartSteps {
  layout: ChartLayout;
  /** All steps, and those up to the moment shown. */
  allSteps: readonly StepEntry[];
  steps: readonly StepEntry[];
  active: string | null;
  /** Paths of the states in which a fault struck, up to the moment shown. */
  struck: ReadonlySet<string>;
}

/** Draws all states of a machine, with the transitions taken. */
export function wholeChart({ layout, steps, active, struck }: ChartSteps): ShownChart {
  const marks = { ...marksOf(layout, stepsIn(steps)), active, struck };
  const { width, height, states } = layout;
  return { width, height, states, svg: drawChart(layout, { marks, theme: 'page' }), marks };
}

/** Draws the path of a machine and the neighbours of its states, arranged for a pane. */
export function pathChart({ layout, allSteps, steps, active, struck }: ChartSteps, pane: Size): ShownChart {
  const drawn = layOutPath(takenPath(layout, stepsIn(allSteps)), fitArea(pane));
  const { width, height, rows } = drawn;
  const visited = rows.filter(({ state }) => state.firstStep < steps.length).map(({ state }) => state.path);
  return {
    width,
    height,
    states: rows.map(({ state: { path }, box }, at) => ({
      path,
      ...box,
      compound: false,
      initial: at === 0,
    })),
    svg: drawTakenPath(drawn, { stepCount: steps.length, active, struck }),
    marks: { active, visited: new Set(visited) },
  };
}

function stepsIn(steps: readonly StepEntry[]) {
  return steps.map(({ step }) => step);
}

/** Adds the style sheet of charts. The page's content security policy allows no inline style. */
export function adoptChartStyle(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CHART_STYLE + PATH_STYLE + CHART_MOTION);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
