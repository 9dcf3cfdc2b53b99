import type { Connector, Link } from '../../protocol/link.ts';

/** Counts what goes over links, so that a world can tell when nothing does any more. */
export interface LinkMeter {
  /** Grows with everything that is sent or arrives. */
  activity: number;
  /** Messages that the broker has not acknowledged yet. */
  pendingPublishes: number;
  /** Links that are to be online and are not. */
  connecting: number;
}

export function createMeter(): LinkMeter {
  return { activity: 0, pendingPublishes: 0, connecting: 0 };
}

/** The same connector, its links metered. */
export function metered(connect: Connector, meter: LinkMeter): Connector {
  return (plan) => {
    const { handlers } = plan;
    const standing = trackLink(meter);
    const link: Link = connect({
      ...plan,
      handlers: {
        online() {
          meter.activity++;
          standing.is({ online: true });
          handlers.online();
        },
        offline() {
          meter.activity++;
          standing.is({ online: false });
          handlers.offline();
        },
        message: (topic, payload) => (meter.activity++, handlers.message(topic, payload)),
      },
    });
    const wanted = (is: boolean) => standing.is({ wanted: is });
    return {
      open: () => (wanted(true), link.open()),
      close: () => (wanted(false), link.close()),
      drop: () => (wanted(false), link.drop()),
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
    };
  };
}

/** Keeps a link in the meter's count while it is to be online and is not. */
function trackLink(meter: LinkMeter) {
  let now = { wanted: false, online: false };
  const counts = ({ wanted, online }: typeof now) => (wanted && !online ? 1 : 0);
  return {
    is(change: Partial<typeof now>) {
      const before = now;
      now = { ...now, ...change };
      meter.connecting += counts(now) - counts(before);
    },
  };
}
