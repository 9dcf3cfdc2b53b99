import type { Pace } from '../../protocol/clock.ts';
import type { RowLimits } from './store/latest-rows.ts';

/** `sandbox` or `live`, as the prefix of the secret key says (Spec §1). */
export type Mode = 'sandbox' | 'live';

export type OnOff = 'on' | 'off';

/** Most days for which finished objects can be kept. */
export const RETENTION_DAYS_MAX = 3_650;

export interface ServerSettings {
  /** Name of the sandbox; `default` unless set. */
  sandbox?: string | undefined;
  /** Seed of its ids and random faults. */
  seed?: string | undefined;
  mode: Mode;
  secretKey: string;
  publicKey: string;
  /** Key of the calls under `/sandboxes`; the secret key unless set. */
  hostKey?: string | undefined;
  /** Terminals' and simulators' MQTT passwords are derived from this. */
  pairingSecret: string;
  /** Opens the dashboard, and of the API what the dashboard calls (docs/choices.md, Dashboard). */
  dashboardToken: string;
  /** Requests a second by key, Spec §8; `off` for load tests. */
  rateLimit: OnOff;
  /** Amounts that decline or fail: unless set, at terminals and not online (docs/choices.md, Magic amounts). */
  magicAmounts: OnOff | undefined;
  /** Whether a web domain is registered only when it serves its verification file; off unless set. */
  walletDomainCheck?: OnOff | undefined;
  /**
   * Whether the header `Idempotency-Key` works under /v1, where the specification has none (docs/idempotency.md); off
   * unless set.
   */
  idempotencyKeys?: OnOff | undefined;
  /** Whether /v1 has nothing beyond the specification (docs/sdks.md); off unless set. On also turns idempotency keys off. */
  strict?: OnOff | undefined;
  /** How fast simulated cardholders and devices act; `real` unless set. */
  pace?: Pace | undefined;
  /** Whether plans of faults strike; on unless set. Off, they are kept and ignored. */
  faults?: OnOff | undefined;
  /** Days after which finished objects are deleted; everything is kept unless set. */
  retentionDays?: number | undefined;
  /** Which requests are stored for `GET /sandbox/requests`; none unless set, and none in live mode. */
  requestLog?: RequestLogLimits | undefined;
  /** The latest terminal actions whose timelines are stored; none unless set, and none in live mode. */
  timelines?: RowLimits | undefined;
  /** URL of this server in the links that it creates. No trailing slash. */
  publicUrl: string;
}

/** Which requests are stored, and how long; none for a `countMax` of 0. */
export interface RequestLogLimits extends RowLimits {
  /** Days, in real time. */
  days: number;
}
