import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { drawChart } from '../../../server/dashboard/chart/draw.ts';
import { machineLabel } from '../../../server/dashboard/page/chart/machine-layouts.ts';
import { missingOf, percentOf, type Counted, type MachineCoverage } from '../coverage.ts';
import type { ReportMachine } from '../report-data.ts';
import { hrefOf } from './route.ts';
import type { Source } from './source.ts';

/** The states and transitions of each machine that the run covered, and those it missed. */
export function CoverageView({ source, machineId }: { source: Source; machineId: string | null }) {
  const machines = source.machines.value;
  const open = machines.find(({ shape }) => shape.machineId === machineId) ?? machines[0];
  return (
    <div class="coverage-view">
      <section class="coverage-table" aria-label="Coverage">
        <h1>State machine coverage</h1>
        <p class="hint-line">
          All tests of the run. A state counts when a machine entered it, a transition when a machine took it.
        </p>
        <table>
          <thead>
            <tr>
              <th scope="col">Machine</th>
              <th scope="col">States</th>
              <th scope="col">Transitions</th>
            </tr>
          </thead>
          <tbody>
            {machines.map((machine) => (
              <CoverageRow key={machine.shape.machineId} machine={machine} current={machine === open} />
            ))}
          </tbody>
        </table>
        {open?.coverage && <Missing coverage={open.coverage} />}
      </section>
      {open?.coverage && <CoverageChart machine={open} coverage={open.coverage} key={open.shape.machineId} />}
    </div>
  );
}

function CoverageRow({
  machine: { shape, coverage },
  current,
}: {
  machine: ReportMachine;
  current: boolean;
}) {
  return (
    <tr aria-current={current ? 'true' : undefined}>
      <th scope="row">
        <a href={hrefOf({ view: 'coverage', machineId: shape.machineId })}>{machineLabel(shape.machineId)}</a>
      </th>
      <td>{coverage && <Share counted={coverage.states} />}</td>
      <td>{coverage && <Share counted={coverage.transitions} />}</td>
    </tr>
  );
}

function Share({ counted }: { counted: readonly Counted[] }) {
  const percent = percentOf(counted);
  const seen = counted.length - missingOf(counted).length;
  return (
    <span class={`share${percent === 100 ? ' whole' : ''}`}>
      <b>{percent} %</b>
      <i class="share-bar" aria-hidden="true">
        <i style={{ width: `${percent}%` }} />
      </i>
      <span>
        {seen} of {counted.length}
      </span>
    </span>
  );
}

function Missing({ coverage }: { coverage: MachineCoverage }) {
  const states = missingOf(coverage.states);
  const transitions = missingOf(coverage.transitions);
  if (states.length + transitions.length === 0)
    return <p class="all-seen">All states and transitions are covered.</p>;
  return (
    <>
      {states.length > 0 && <h2>States never visited</h2>}
      <ul class="missing mono">
        {states.map((path) => (
          <li key={path}>{path}</li>
        ))}
      </ul>
      {transitions.length > 0 && <h2>Transitions never taken</h2>}
      <ul class="missing mono">
        {transitions.map((key) => (
          <li key={key}>{transitionText(key)}</li>
        ))}
      </ul>
    </>
  );
}

/** `awaitingCard card.read authorising` as `awaitingCard · card.read → authorising`. */
function transitionText(key: string): string {
  const [from, event, to] = key.split(' ');
  return `${from || 'any state'} · ${event}${to === from ? '' : ` → ${to}`}`;
}

function CoverageChart({
  machine: { layout },
  coverage,
}: {
  machine: ReportMachine;
  coverage: MachineCoverage;
}) {
  const place = useRef<HTMLDivElement>(null);
  const drawing = useMemo(() => {
    const seen = (counted: readonly Counted[]) =>
      new Set(counted.filter(({ times }) => times > 0).map(({ key }) => key));
    const marks = { active: null, visited: seen(coverage.states), taken: seen(coverage.transitions) };
    return { __html: drawChart(layout, { theme: 'page', marks }) };
  }, [layout, coverage]);
  useLayoutEffect(() => {
    const missed = new Set([...missingOf(coverage.states), ...missingOf(coverage.transitions)]);
    for (const element of place.current!.querySelectorAll<SVGElement>('[data-state], [data-transition]')) {
      const { state, transition } = element.dataset;
      element.classList.toggle('missed', missed.has(state ?? transition ?? ''));
    }
  }, [drawing]);
  return (
    <div
      ref={place}
      class="coverage-chart"
      tabIndex={0}
      role="img"
      aria-label={chartLabel(coverage)}
      dangerouslySetInnerHTML={drawing}
    />
  );
}

function chartLabel({ machineId, states, transitions }: MachineCoverage): string {
  return `Chart of ${machineLabel(machineId)}: ${percentOf(states)} % of states, ${percentOf(transitions)} % of transitions covered`;
}
