import type { PlannedFault } from '../../view.ts';
import { faultWords } from '../../../platform/faults/fault-words.ts';

interface FaultLinesProps {
  faults: readonly PlannedFault[];
  /** How often each struck; those that never did are marked. */
  struckByFault?: readonly number[];
}

/** The faults of a plan in words. */
export function FaultLines({ faults, struckByFault = [] }: FaultLinesProps) {
  return (
    <ol class="fault-lines">
      {faults.map((fault, index) => (
        <FaultLine key={index} fault={fault} isUnstruck={struckByFault[index] === 0} />
      ))}
    </ol>
  );
}

function FaultLine({ fault, isUnstruck }: { fault: PlannedFault; isUnstruck: boolean }) {
  const { where, which, what } = faultWords(fault);
  return (
    <li>
      <p>
        <b class="mono">{fault.what}</b> <span class="mono fault-at">{fault.at}</span>
        {isUnstruck && <span class="pill warn">not struck</span>}
      </p>
      <p>
        {where}: {which}.
      </p>
      <p>{what}</p>
    </li>
  );
}
