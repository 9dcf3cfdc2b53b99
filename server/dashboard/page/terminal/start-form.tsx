import { useState } from 'preact/hooks';
import { CURRENCY_CODES } from '../../../../protocol/money.ts';
import type { FleetTerminal } from '../../view.ts';
import { parseAmount, formatMajorUnits } from '../format.ts';
import { useOneAtATime } from '../link/sent-once.ts';
import { withEnding, MAGIC_AMOUNTS, magicAmountEffect, actionRequest } from './start-request.ts';
import { NextCardholder, nextCardholder } from './next-cardholder.tsx';
import type { TerminalControls } from './use-terminal.ts';

/** The values of the last request, with which the form starts the next time. */
let last: { amount: string; currency: string; source: Source } = {
  amount: '17.42',
  currency: 'GBP',
  source: 'Terminal',
};

/** The form of the point of sale: starts a payment, or a refund of an earlier one. */
export function StartForm({ terminal, controls }: { terminal: FleetTerminal; controls: TerminalControls }) {
  const { action, simulated } = terminal;
  const [type, setType] = useState<'Payment' | 'Refund'>('Payment');
  const [amount, setAmount] = useState(last.amount);
  const [currency, setCurrency] = useState(last.currency);
  const [source, setSource] = useState(last.source);
  const paid = action?.type === 'Payment' && action.status === 'Succeeded' ? action.paymentSessionId : '';
  const [session, setSession] = useState<string>();
  const sessionId = session ?? paid;
  const amountMinor = parseAmount(amount);
  const request = actionRequest({ type, amountMinor, currency, source, sessionId });

  const begin = async ({ operation, body }: NonNullable<typeof request>) => {
    last = { amount: type === 'Payment' ? amount : last.amount, currency, source };
    if (await controls.start(operation, body, simulated ? nextCardholder() : undefined)) focusDevice();
  };
  const oneAtATime = useOneAtATime();
  const start = (event: SubmitEvent) => {
    event.preventDefault();
    if (request) void oneAtATime(() => begin(request));
  };
  return (
    <form class="start-form" onSubmit={start} aria-label="Start an action">
      <div class="segments" role="group" aria-label="Type">
        {(['Payment', 'Refund'] as const).map((one) => (
          <button key={one} type="button" aria-pressed={type === one} onClick={() => setType(one)}>
            {one}
          </button>
        ))}
      </div>
      <Receipts source={source} choose={setSource} />
      <Amount
        amount={amount}
        setAmount={setAmount}
        currency={currency}
        setCurrency={setCurrency}
        refund={type === 'Refund'}
      />
      {type === 'Refund' && (
        <label class="field across">
          Payment session
          <input
            class="mono"
            value={sessionId}
            placeholder="ps_…"
            spellcheck={false}
            onInput={(event) => setSession(event.currentTarget.value)}
          />
        </label>
      )}
      {type === 'Payment' && simulated && (
        <MagicAmount amountMinor={amountMinor ?? 0} choose={(minor) => setAmount(formatMajorUnits(minor))} />
      )}
      {simulated && <NextCardholder />}
      <button class="primary across" disabled={!request}>
        Start {type.toLowerCase()}
      </button>
    </form>
  );
}

/**
 * Moves the keyboard focus to the device, as the form is removed once the action runs; unless the user has moved it
 * elsewhere before the server responded.
 */
function focusDevice(): void {
  const { activeElement, body } = document;
  if (activeElement === body || activeElement?.closest('.start-form'))
    document.querySelector<HTMLElement>('.device')?.focus({ preventScroll: true });
}

type Source = 'Terminal' | 'PointOfSale';

function Receipts({ source, choose }: { source: Source; choose: (source: Source) => void }) {
  return (
    <label class="field inline">
      <span class="unseen">Receipts</span>
      <select
        value={source}
        onChange={(event) => choose(event.currentTarget.value as Source)}
        title="Where receipts are printed"
      >
        <option value="Terminal">Terminal prints</option>
        <option value="PointOfSale">POS prints</option>
      </select>
    </label>
  );
}

interface AmountProps {
  amount: string;
  setAmount: (amount: string) => void;
  currency: string;
  setCurrency: (currency: string) => void;
  refund: boolean;
}

function Amount({ amount, setAmount, currency, setCurrency, refund }: AmountProps) {
  const invalid = parseAmount(amount) === undefined && !(refund && amount === '');
  return (
    <div class="amount across">
      <label class="field">
        <span class="unseen">Amount</span>
        <input
          class="amount-input"
          inputMode="decimal"
          value={amount}
          placeholder={refund ? 'full amount' : '0.00'}
          aria-invalid={invalid}
          onInput={(event) => setAmount(event.currentTarget.value)}
        />
      </label>
      <label class="field">
        <span class="unseen">Currency</span>
        <select
          value={currency}
          disabled={refund}
          onChange={(event) => setCurrency(event.currentTarget.value)}
        >
          {CURRENCY_CODES.map((code) => (
            <option key={code}>{code}</option>
          ))}
        </select>
      </label>
    </div>
  );
}

function MagicAmount({
  amountMinor,
  choose,
}: {
  amountMinor: number;
  choose: (amountMinor: number) => void;
}) {
  const known = magicAmountEffect(amountMinor) !== undefined;
  return (
    <label class="field across beside">
      <span>Outcome</span>
      <select
        value={known ? String(amountMinor % 1000) : ''}
        onChange={(event) => {
          const digits = Number(event.currentTarget.value);
          choose(digits ? withEnding(amountMinor, digits) : Math.floor(amountMinor / 1000) * 1000 + 742);
        }}
      >
        <option value="">Decided by the card</option>
        {MAGIC_AMOUNTS.map(({ digits, effect }) => (
          <option key={digits} value={digits}>
            …{formatMajorUnits(digits)} {effect}
          </option>
        ))}
      </select>
    </label>
  );
}
