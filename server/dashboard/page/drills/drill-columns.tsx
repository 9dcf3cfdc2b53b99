import type { ComponentChildren } from 'preact';
import { formatMinor } from '../../../../protocol/money.ts';
import {
  SHOPS,
  type BookedOrder,
  type DrillMoney,
  type DrillPlay,
  type ListedDrill,
  type ShopKind,
  type ShopRun,
} from '../../drills/drill-view.ts';
import { DrillLines } from './drill-lines.tsx';
import { OUTCOMES } from './outcome.ts';

interface DrillColumnsProps {
  drill: ListedDrill;
  play: DrillPlay;
  /** Draws what leads to the trace of a shop. */
  traceOf: (shop: ShopKind) => ComponentChildren;
}

/** Both shops of a drill side by side: how it ended, the money beside the books, and what happened. */
export function DrillColumns({ drill, play, traceOf }: DrillColumnsProps) {
  return (
    <div class="drill-columns">
      {SHOPS.map((shop) => (
        <ShopColumn key={shop} drill={drill} play={play} shop={shop} trace={traceOf(shop)} />
      ))}
    </div>
  );
}

interface ShopColumnProps {
  drill: ListedDrill;
  play: DrillPlay;
  shop: ShopKind;
  trace: ComponentChildren;
}

function ShopColumn({ drill, play, shop, trace }: ShopColumnProps) {
  const run = play.runs[shop];
  return (
    <section class="detail-section drill-shop" aria-labelledby={`shop-${shop}`}>
      <header>
        <h2 id={`shop-${shop}`}>The {shop} shop</h2>
        <p>{drill[shop]}</p>
      </header>
      <Verdict run={run} shop={shop} currency={play.currency} />
      <dl class="drill-money">
        <div>
          <dt>Money at the server</dt>
          <dd>{moneyText(run.money, play.currency)}</dd>
        </div>
        <div>
          <dt>Books of the shop</dt>
          <dd>
            {run.orders.length === 0
              ? 'nothing'
              : run.orders.map((order) => <p key={order.orderId}>{orderText(order, play.currency)}</p>)}
          </dd>
        </div>
      </dl>
      <DrillLines lines={run.lines} />
      {run.hasTrace && <p class="drill-trace">{trace}</p>}
    </section>
  );
}

function Verdict({ run, shop, currency }: { run: ShopRun; shop: ShopKind; currency: string }) {
  const { outcome } = run;
  const { tone, label } = outcome ? OUTCOMES[outcome.kind] : { tone: 'live', label: 'Playing…' };
  const amount = outcome && outcome.apart > 0 ? `: ${formatMinor(outcome.apart, currency)}` : '';
  return (
    <div class={`drill-verdict ${tone}`} role="status">
      <b>
        <span class="unseen">The {shop} shop: </span>
        {label}
        {amount}
      </b>
      {outcome?.reason && <p>{outcome.reason}</p>}
    </div>
  );
}

function moneyText({ taken, refunded, disputed }: DrillMoney, currency: string): string {
  return [
    `${formatMinor(taken, currency)} taken`,
    ...(refunded > 0 ? [`${formatMinor(refunded, currency)} refunded`] : []),
    ...(disputed > 0 ? [`${formatMinor(disputed, currency)} lost to a dispute`] : []),
  ].join(', ');
}

function orderText({ orderId, paid, amount, refunded = 0 }: BookedOrder, currency: string): string {
  const back = refunded > 0 ? `, ${formatMinor(refunded, currency)} refunded` : '';
  return `${orderId}: ${formatMinor(amount, currency)}, ${paid ? 'paid' : 'not paid'}${back}`;
}
