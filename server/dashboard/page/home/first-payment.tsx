import { signal } from '@preact/signals';
import type { FleetTerminal } from '../../view.ts';
import { useDashboard } from '../dashboard.ts';
import { Tile } from '../fleet/tile.tsx';
import { pathInSandbox } from '../link/sandbox-path.ts';
import { CodeBlock } from '../requests/code-samples.tsx';
import { hrefOf } from '../route.ts';
import { CardPicker, useCards } from '../terminal/card-picker.tsx';
import { useTerminalControls } from '../terminal/use-terminal.ts';
import { useState } from 'preact/hooks';
import { problem, type PageApi, type ApiResult } from '../link/api.ts';

const PAYMENT = { amounts: { requested: 1742 }, currency: 'GBP' };

/** The card that pays, which stays selected while the page is open. */
const chosen = signal<string | undefined>(undefined);

/** A payment on the first terminal: by a button with a card, and as code. */
export function FirstPayment({
  terminalId,
  secretKey,
}: {
  terminalId: string;
  secretKey: string | undefined;
}) {
  const { state } = useDashboard();
  const terminal = state.fleet.get(terminalId)?.value;
  if (!terminal) return null;
  const url =
    location.origin + pathInSandbox(`/v1/in-person/terminals/${terminalId}/payment`, location.pathname);
  const request = {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    body: PAYMENT,
    hasKey: true,
  };
  return (
    <section class="home-part" aria-labelledby="first-payment-title">
      <h2 id="first-payment-title">Take a payment of 17.42 GBP</h2>
      <Tile id={terminalId} first />
      <PayButton terminal={terminal} />
      <h3>From your code</h3>
      <CodeBlock request={request} secretKey={secretKey} />
      {secretKey !== undefined && (
        <p class="quiet-line">
          The curl command is copied with the secret key. The other samples read it from{' '}
          <code>SECRET_KEY</code>.
        </p>
      )}
    </section>
  );
}

function PayButton({ terminal }: { terminal: FleetTerminal }) {
  const cards = useCards();
  const controls = useTerminalControls(terminal);
  const card = cards.find(({ name }) => name === chosen.value) ?? cards[0];
  const { simulated, online, action, id } = terminal;
  const busy = action?.status === 'InProgress';
  const pay = async () => {
    // The simulated cardholder presents this card when the terminal asks for it, and enters its PIN.
    await controls.start(
      'payment',
      PAYMENT,
      simulated && card ? { script: 'tap', card: card.name } : undefined,
    );
  };
  return (
    <>
      <div class="home-pay">
        {simulated && <CardPicker cards={cards} card={card} choose={(name) => (chosen.value = name)} />}
        <button class="primary" disabled={busy || !online} onClick={() => void pay()}>
          Pay
        </button>
      </div>
      <p class="quiet-line">
        {!online
          ? 'The terminal is offline.'
          : simulated
            ? 'The simulated cardholder presents the card by itself. '
            : 'Present a card to the terminal. '}
        <a href={hrefOf({ view: 'terminal', id })}>Watch it at the terminal</a>, or press its keys there
        yourself.
      </p>
    </>
  );
}

const EXAMPLE_LOCATION = {
  name: 'Dashboard counter',
  address: { lineOne: '1 Test Street', city: 'London', country: 'GB', postalCode: 'N1 1AA' },
};

async function register(api: PageApi): Promise<ApiResult<unknown>> {
  const location = await api.answer('POST /v1/in-person/locations', { body: EXAMPLE_LOCATION });
  if (!location.ok) return location;
  return api.answer('POST /v1/in-person/terminals', {
    body: { serialNumber: 'SIM-COUNTER-1', name: 'Counter 1', locationId: location.body.id },
  });
}

/** How to register the first terminal, shown while there are none. */
export function FirstTerminal() {
  const { api, state } = useDashboard();
  const [busy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    const answer = await register(api);
    problem.value = answer.ok ? undefined : answer.problem;
    setBusy(false);
  };
  return (
    <section class="home-part" aria-labelledby="first-terminal-title">
      <h2 id="first-terminal-title">No terminals yet</h2>
      <p>
        Register one with <code>POST /v1/in-person/terminals</code>. A terminal whose serial number begins
        with <code>SIM</code> is simulated. To start a whole fleet, run{' '}
        <code>npx tapbench sim --terminals 200</code>.
      </p>
      {state.mode.value === 'sandbox' && (
        <button class="primary" disabled={busy} onClick={start}>
          Register a simulated terminal
        </button>
      )}
    </section>
  );
}
