import type { TimelineEntry } from '../../view.ts';

/** The plans of faults that were active during a recording, in words, and how often each struck. */
export function PlannedFaults({ entries }: { entries: readonly TimelineEntry[] }) {
  const plans = entries.flatMap(({ plan }) => plan ?? []);
  if (plans.length === 0) return null;
  return (
    <section class="planned-faults" aria-label="Faults" tabIndex={0}>
      {plans.map(({ planId, title, faults }) => {
        const strikes = entries.filter(({ fault }) => fault?.planId === planId).length;
        return (
          <div key={planId}>
            <h2>
              Faults{title !== '' && `: ${title}`}
              <span class="quiet"> · {struckText(strikes)}</span>
            </h2>
            <ol>
              {faults.map((words, index) => (
                <li key={index}>{words}</li>
              ))}
            </ol>
          </div>
        );
      })}
    </section>
  );
}

function struckText(strikes: number): string {
  if (strikes === 0) return 'nothing was struck';
  return strikes === 1 ? 'struck once' : `struck ${strikes} times`;
}
