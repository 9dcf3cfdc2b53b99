import type { FaultStrike } from '../../view.ts';
import type { Route } from '../route.ts';

/** What a strike leads to. */
interface StrikeTarget {
  label: string;
  to: Route;
}

/** Returns where the page shows what was struck: a request, a delivery, an action, a terminal or an object. */
export function strikeTarget({ ids }: Pick<FaultStrike, 'ids'>): StrikeTarget | undefined {
  const of = (prefix: string) => ids.find((id) => id.startsWith(prefix));
  const [request, event, webhook, action] = [of('req_'), of('ev_'), of('wh_'), of('tmlact_')];
  const terminal = of('tml_');
  if (request) return { label: 'Request', to: { view: 'requests', id: request } };
  if (event && webhook) return { label: 'Delivery', to: { view: 'webhooks', id: `${event}.${webhook}` } };
  if (terminal && action)
    return { label: 'Action', to: { view: 'terminal', id: terminal, actionId: action } };
  if (terminal) return { label: 'Terminal', to: { view: 'terminal', id: terminal } };
  return ids[0] === undefined ? undefined : { label: 'Object', to: { view: 'objects', id: ids[0] } };
}
