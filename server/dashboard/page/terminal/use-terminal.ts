import { useMemo } from 'preact/hooks';
import type { FleetTerminal } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';
import type { Script } from './cardholder.ts';
import { problem, type ApiResult } from '../link/api.ts';
import { createRequestKeys } from '../link/sent-once.ts';

export interface TerminalControls {
  /** Calls an operation of the sandbox on the terminal. */
  act(name: string, body?: unknown): Promise<boolean>;
  /** Uses a control of the payment terminal beside it. Returns what it has to say; undefined when that failed. */
  ask(control: string): Promise<string | undefined>;
  /** Calls the terminal's own operations, as a point of sale would. */
  operate(operation: string, body?: unknown): Promise<boolean>;
  /** Starts an action, with what its simulated cardholder does in it alone; else with what is set for the terminal. */
  start(operation: string, body: object, cardholder?: { script: Script; card?: string }): Promise<boolean>;
  /** Sets what the cardholder does in an action, and in no other. */
  setCardholder(actionId: string, script: Script): Promise<boolean>;
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
    const ask: TerminalControls['ask'] = async (control) => {
      const path = `/sandbox/terminals/${id}/control`;
      const answer = await api.post<{ answer?: string }>(path, { accountId, body: { control } });
      succeeded(answer);
      return answer.ok ? answer.body.answer : undefined;
    };
    const post = <T>(path: string, body: unknown) =>
      withKey(JSON.stringify([path, body]), (idempotencyKey) =>
        api.post<T>(path, { accountId, body, idempotencyKey }),
      );
    const operate: TerminalControls['operate'] = async (operation, body = {}) =>
      succeeded(await post(`/v1/in-person/terminals/${id}/${operation}`, body));
    return {
      act,
      ask,
      operate,
      setCardholder: (actionId, script) => act('cardholder', { script, actionId }),
      async start(operation, body, cardholder) {
        if (!cardholder) return operate(operation, body);
        const path = `/sandbox/terminals/${id}/${operation}`;
        return succeeded(await post(path, { ...body, cardholder }));
      },
    };
  }, [id, accountId]);
}
