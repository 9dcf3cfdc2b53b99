import type { Connector } from '../../protocol/link.ts';

/** Counts what goes over links, so that a world can tell when nothing does any more. */
export interface LinkMeter {
  /** Grows with everything that is sent or arrives. */
  activity: number;
  /** Messages that the broker has not acknowledged yet. */
  underWay: number;
}

/** The same connector, its links metered. */
export function metered(connect: Connector, meter: LinkMeter): Connector {
  return (plan) => {
    const { handlers } = plan;
    const link = connect({
      ...plan,
      handlers: {
        online: () => (meter.activity++, handlers.online()),
        offline: () => (meter.activity++, handlers.offline()),
        message: (topic, payload) => (meter.activity++, handlers.message(topic, payload)),
      },
    });
    return {
      open: () => link.open(),
      close: () => link.close(),
      drop: () => link.drop(),
      get online() {
        return link.online;
      },
      async publish(envelope) {
        meter.activity++;
        meter.underWay++;
        try {
          await link.publish(envelope);
        } finally {
          meter.activity++;
          meter.underWay--;
        }
      },
    };
  };
}
