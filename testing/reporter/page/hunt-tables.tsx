import type { ReportTest } from '../report-data.ts';

/** What the hunts of a test tried: where their faults struck, and what was not tested. */
export function HuntTables({ hunts }: Pick<ReportTest, 'hunts'>) {
  if (hunts.length === 0) return null;
  return (
    <div class="hunts" tabIndex={0} role="group" aria-label="Hunts">
      {hunts.map((hunt, index) => (
        <section class="hunt" aria-label="Hunt" key={index}>
          <p class="hunt-result">
            <span class={`pill ${hunt.verdict === null ? '' : 'bad'}`}>
              {hunt.verdict === null ? 'nothing found' : 'found'}
            </span>
            {hunt.verdict !== null && <span>{hunt.verdict}</span>}
            <span>
              {hunt.plans} {hunt.plans === 1 ? 'plan' : 'plans'} · seed {hunt.seed}
              {hunt.notJudged > 0 && ` · ${hunt.notJudged} not judged`}
            </span>
          </p>
          {hunt.story.length > 0 && <pre class="hunt-story">{hunt.story.join('\n')}</pre>}
          {hunt.warnings.map((warning) => (
            <p class="hunt-warning" key={warning}>
              {warning}
            </p>
          ))}
          <table>
            <thead>
              <tr>
                <th scope="col">At</th>
                <th scope="col">What</th>
                <th scope="col">Happened</th>
                <th scope="col">Struck</th>
                <th scope="col">Why not</th>
              </tr>
            </thead>
            <tbody>
              {hunt.tried.map(({ at, what, happened, planned, struck, why }) => (
                <tr key={`${at} ${what}`}>
                  <th scope="row" class="mono">
                    {at}
                  </th>
                  <td class="mono">{what}</td>
                  <td>{happened}</td>
                  <td>
                    {struck} of {planned}
                  </td>
                  <td>{why}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ))}
    </div>
  );
}
