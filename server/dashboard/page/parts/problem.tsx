import { problem } from '../link/api.ts';
import { Icon } from './icons.tsx';

/** Why the last thing could not be done, until it is dismissed or something else is done. */
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
