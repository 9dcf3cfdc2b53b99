import type { ActionView, FleetTerminal } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { hrefOf } from '../route.ts';
import { amountOf, codeLabel } from '../format.ts';
import type { TerminalControls } from './use-terminal.ts';

export const TONES = { InProgress: 'live', Succeeded: 'good', Failed: 'bad', Cancelled: 'plain' } as const;
export const LABELS = {
  InProgress: 'in progress',
  Succeeded: 'succeeded',
  Failed: 'failed',
  Cancelled: 'cancelled',
} as const;

/** The current action, or the last one: its purpose, its status, and the button that cancels it. */
export function ActionPanel({
  terminal,
  action,
  controls,
  sessionState,
}: {
  terminal: FleetTerminal;
  action: ActionView;
  /** Absent at an earlier moment. */
  controls?: TerminalControls;
  /** State of the payment session at an earlier moment. */
  sessionState?: string | null;
}) {
  const { isStatic } = useDashboard();
  const { status, type, errorCode, errorReason, paymentSessionId, receiptPrintingSource } = action;
  return (
    <section class="action-panel" aria-label={status === 'InProgress' ? 'Action in progress' : 'Last action'}>
      <div class="action-sum">
        <strong>{amountOf(action)}</strong>
        <span class={`pill ${TONES[status]}`}>{LABELS[status]}</span>
      </div>
      <dl class="facts">
        <div>
          <dt>{type}</dt>
          <dd>
            receipts printed by {receiptPrintingSource === 'Terminal' ? 'the terminal' : 'the point of sale'}
          </dd>
        </div>
        {errorCode && (
          <div>
            <dt>Error</dt>
            <dd class="bad-words" title={errorCode}>
              {codeLabel(errorCode)}
              {errorReason && `: ${errorReason}`}
            </dd>
          </div>
        )}
        {sessionState !== undefined && (
          <div>
            <dt>Session state</dt>
            <dd class="session-state">{sessionState ?? 'not begun'}</dd>
          </div>
        )}
        <div>
          <dt>Session</dt>
          <dd>
            {isStatic ? (
              <span class="mono clip" title={paymentSessionId}>
                {paymentSessionId}
              </span>
            ) : (
              <a
                class="mono clip"
                href={hrefOf({ view: 'objects', id: paymentSessionId })}
                title={paymentSessionId}
              >
                {paymentSessionId}
              </a>
            )}
            <CopyButton text={paymentSessionId} what="payment session id" />
          </dd>
        </div>
      </dl>
      {status === 'InProgress' && controls && (
        <button class="wide" onClick={() => controls.operate('cancel-action')} data-terminal={terminal.id}>
          Cancel {type.toLowerCase()}
        </button>
      )}
    </section>
  );
}
