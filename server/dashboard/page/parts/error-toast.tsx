import { problem } from '../link/api.ts';
import { Icon } from './icons.tsx';

/** The error message of the last call, until it is dismissed or another call succeeds. */
export function ErrorToast() {
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
