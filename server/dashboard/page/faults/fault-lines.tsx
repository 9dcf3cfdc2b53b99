import type { PlannedFault } from '../../view.ts';
import { faultWords } from '../../../platform/faults/fault-words.ts';

/** The faults of a plan in words. */
export function FaultLines({ faults }: { faults: readonly PlannedFault[] }) {
  return (
    <ol class="fault-lines">
      {faults.map((fault, index) => (
        <FaultLine key={index} fault={fault} />
      ))}
    </ol>
  );
}

function FaultLine({ fault }: { fault: PlannedFault }) {
  const { where, which, what } = faultWords(fault);
  return (
    <li>
      <p>
        <b class="mono">{fault.what}</b> <span class="mono fault-at">{fault.at}</span>
      </p>
      <p>
        {where}: {which}.
      </p>
      <p>{what}</p>
    </li>
  );
}
