import type { Clock } from '../../protocol/clock.ts';
import type { Ids, Random } from '../../protocol/ids.ts';
import type { Log } from '../../protocol/log.ts';
import type { AccountDirectory } from './account-directory.ts';
import type { Gateway } from './broker/terminal-gateway.ts';
import type { Notices } from './notices.ts';
import type { Outgoing } from './http/outgoing.ts';
import type { RateLimits } from './http/rate-limit.ts';
import type { SandboxClock } from './sandbox-clock.ts';
import type { Jobs } from './scheduler/jobs.ts';
import type { Store } from './store/store.ts';

/** `sandbox` or `live`, as the prefix of the secret key says (Spec §1). */
export type Mode = 'sandbox' | 'live';

export interface ServerSettings {
  mode: Mode;
  secretKey: string;
  publicKey: string;
  /** Terminals' and simulators' MQTT passwords are derived from this. */
  pairingSecret: string;
  /** Opens the dashboard, and of the API what the dashboard calls (docs/choices.md, Dashboard). */
  dashboardToken: string;
  /** Requests a second by key, Spec §8; `off` for load tests. */
  rateLimit: 'on' | 'off';
  /** Amounts that decline or fail: unless set, at terminals and not online (docs/choices.md, Magic amounts). */
  magicAmounts: 'on' | 'off' | undefined;
  /** Whether a web domain is registered only when it serves its verification file; off unless set. */
  walletDomainCheck?: 'on' | 'off' | undefined;
  /** Days after which finished objects are deleted; everything is kept unless set. */
  retentionDays?: number | undefined;
  /** Where this server is reached, for links that it gives out. No trailing slash. */
  publicUrl: string;
}

/** What every part of the server is handed. Made once, in server/app.ts. */
export interface Services {
  settings: ServerSettings;
  accounts: AccountDirectory;
  /** Sandbox time: everything the API can see. */
  clock: SandboxClock;
  /** Wall time: rate limits and network timeouts. */
  realClock: Clock;
  ids: Ids;
  random: Random;
  log: Log;
  store: Store;
  jobs: Jobs;
  gateway: Gateway;
  outgoing: Outgoing;
  rateLimits: RateLimits;
  notices: Notices;
  /** Makes again, after a reset of the sandbox, what the program that runs the server made at its start. */
  afterReset?: () => Promise<void>;
}
