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

/** Returns what may end an action in progress: no cancel reaches a payment terminal, and no person is asked while it may answer. */
export function endingOf({ openOutcome }: ActionView): 'cancel' | 'settle' | undefined {
  if (openOutcome === undefined) return 'cancel';
  return openOutcome === 'Unknown' ? 'settle' : undefined;
}

/** The buttons that end an action. */
function ActionButtons({
  terminal,
  action,
  controls,
}: {
  terminal: FleetTerminal;
  action: ActionView;
  controls: TerminalControls;
}) {
  const ending = endingOf(action);
  if (ending === 'settle') return <SettleButtons controls={controls} />;
  if (ending === undefined) return null;
  return (
    <button class="wide" onClick={() => controls.operate('cancel-action')} data-terminal={terminal.id}>
      Cancel {action.type.toLowerCase()}
    </button>
  );
}

/** What a person says of an action whose payment terminal does not answer. */
function SettleButtons({ controls }: { controls: TerminalControls }) {
  const settle = (outcome: 'Charged' | 'NotCharged') => () => void controls.act('settle', { outcome });
  return (
    <>
      <button class="wide" onClick={settle('Charged')}>
        Settle as charged
      </button>
      <button class="wide" onClick={settle('NotCharged')}>
        Settle as not charged
      </button>
    </>
  );
}

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
        <ActionButtons terminal={terminal} action={action} controls={controls} />
      )}
    </section>
  );
}
