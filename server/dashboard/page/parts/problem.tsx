import { problem } from '../link/api.ts';
import { Icon } from './icons.tsx';

/** The error of the last command, until it is dismissed or another command succeeds. */
export function Problem() {
  const text = problem.value;
  return (
    <div class="problem-place" role="alert">
      {text !== undefined && (
        <div class="problem">
          <span>{text}</span>
          <button class="quiet square" aria-label="Dismiss" onClick={() => (problem.value = undefined)}>
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  );
}
