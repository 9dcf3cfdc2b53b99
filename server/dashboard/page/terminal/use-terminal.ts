import { useMemo } from 'preact/hooks';
import type { FleetTerminal } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';
import { cardholderOf, type Script } from './cardholder.ts';
import { problem } from '../link/api.ts';
import type { ApiResult } from '../link/api-result.ts';
import { createRequestKeys } from '../link/request-keys.ts';

export interface TerminalControls {
  /** Calls an operation of the sandbox on the terminal. */
  act(name: string, body?: unknown): Promise<boolean>;
  /** Calls the terminal's own operations, as a point of sale would. */
  operate(operation: string, body?: unknown): Promise<boolean>;
  /** Sets the cardholder script of the terminal. */
  setCardholder(script: Script): Promise<boolean>;
}

/** Returns the operations on a terminal. A failed one sets `problem`, which the page shows. */
export function useTerminalControls({
  id,
  accountId,
}: Pick<FleetTerminal, 'id' | 'accountId'>): TerminalControls {
  const { api, randomKey } = useDashboard();
  return useMemo(() => {
    const withKey = createRequestKeys(randomKey);
    const succeeded = <T>(answer: ApiResult<T>): boolean => {
      problem.value = answer.ok ? undefined : answer.problem;
      return answer.ok;
    };
    const act: TerminalControls['act'] = async (name, body) =>
      succeeded(await api.post(`/sandbox/terminals/${id}/${name}`, { accountId, body }));
    return {
      act,
      async setCardholder(script) {
        const done = await act('cardholder', { script });
        if (done) cardholderOf(id).value = script;
        return done;
      },
      async operate(operation, body = {}) {
        const path = `/v1/in-person/terminals/${id}/${operation}`;
        const answer = await withKey(JSON.stringify([path, body]), (idempotencyKey) =>
          api.post(path, { accountId, body, idempotencyKey }),
        );
        return succeeded(answer);
      },
    };
  }, [id, accountId]);
}
