import type { Clock } from '../protocol/clock.ts';
import type { Connector, Link } from '../protocol/link.ts';
import { withTimeout } from '../protocol/with-timeout.ts';

/** Counts traffic of links, to detect when a world is idle. */
export interface LinkMeter {
  /** Increases with each message and change of state. */
  activity: number;
  /** Number of unacknowledged messages. */
  pendingPublishes: number;
  /** Number of open links that are not online. */
  connecting: number;
  readonly links: Set<Link>;
}

export function createMeter(): LinkMeter {
  return { activity: 0, pendingPublishes: 0, connecting: 0, links: new Set() };
}

/** Wraps a connector so that its links are counted. */
export function metered(connect: Connector, meter: LinkMeter): Connector {
  return (plan) => {
    const { handlers } = plan;
    const tracked = trackLink(meter);
    const link: Link = connect({
      ...plan,
      handlers: {
        online() {
          meter.activity++;
          tracked.update({ online: true });
          handlers.online();
        },
        offline() {
          meter.activity++;
          tracked.update({ online: false });
          handlers.offline();
        },
        message: (topic, payload) => (meter.activity++, handlers.message(topic, payload)),
      },
    });
    const setOpen = (open: boolean) => {
      tracked.update({ open });
      if (open) meter.links.add(link);
      else meter.links.delete(link);
    };
    return {
      open: () => (setOpen(true), link.open()),
      close: () => (setOpen(false), link.close()),
      drop: () => (setOpen(false), link.drop()),
      get online() {
        return link.online;
      },
      async publish(envelope) {
        meter.activity++;
        meter.pendingPublishes++;
        try {
          await link.publish(envelope);
        } finally {
          meter.activity++;
          meter.pendingPublishes--;
        }
      },
      roundTrip: async () => link.roundTrip?.(),
    };
  };
}

// A broker that a test has stopped answers nothing.
const ROUND_TRIP_MS_MAX = 500;

/** Resolves when everything that was sent on the links has arrived, or after half a second of a broker that does not answer. */
export async function deliverAll({ links }: LinkMeter, clock: Clock): Promise<void> {
  const everywhere = () => Promise.all([...links].map(async (link) => link.roundTrip?.()));
  // The broker has first to have what was sent.
  const delivered = everywhere().then(everywhere);
  await withTimeout(clock, ROUND_TRIP_MS_MAX, delivered, 'the broker does not answer').catch(() => {});
}

/** Counts a link while it is open and not online. */
function trackLink(meter: LinkMeter) {
  let now = { open: false, online: false };
  const counts = ({ open, online }: typeof now) => (open && !online ? 1 : 0);
  return {
    update(change: Partial<typeof now>) {
      const before = now;
      now = { ...now, ...change };
      meter.connecting += counts(now) - counts(before);
    },
  };
}
