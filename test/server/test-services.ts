import { seededRandom } from '../../protocol/ids.ts';
import { silentLog } from '../../protocol/log.ts';
import { createServices, type Overrides, type Environment } from '../../server/create-services.ts';
import type { SandboxServices } from '../../server/area-ports.ts';
import type { ServerSettings } from '../../server/platform/settings.ts';
import { fakeGateway } from './platform/http/fake-gateway.ts';

const KEYS: Record<ServerSettings['mode'], { secretKey: string; publicKey: string }> = {
  sandbox: { secretKey: 'sk_sandbox_a+b/c=', publicKey: 'pk_sandbox_a+b/c=' },
  live: { secretKey: 'sk_live_a+b/c=', publicKey: 'pk_live_a+b/c=' },
};

const SETTINGS = {
  pairingSecret: 'a pairing secret for tests, long enough',
  dashboardToken: 'dash_a-token-for-tests-that-is-long-enough',
  rateLimit: 'off',
  magicAmounts: undefined,
  publicUrl: 'http://tapbench.test',
} as const;

/** What a test has around its services. */
interface TestEnvironment extends Partial<Omit<Environment, 'settings' | 'sharedStore' | 'store' | 'clock'>> {
  store: Environment['store'];
  clock: Environment['clock'];
  settings?: Partial<ServerSettings>;
}

/**
 * Creates the services of a server on a store of the test. Unless the test has one, there is no broker behind the gateway
 * and no network; the clock is real time too.
 */
export function testServices(
  { settings = {}, ...environment }: TestEnvironment,
  overrides: Overrides = {},
): SandboxServices {
  const { mode = 'sandbox' } = settings;
  const { store, clock } = environment;
  return createServices(
    {
      realClock: clock,
      random: seededRandom('test'),
      log: silentLog,
      outgoing: {
        post: () => Promise.reject(new Error('no network')),
        get: () => Promise.reject(new Error('no network')),
        allowed: async () => true,
        close: async () => {},
      },
      terminalMachine: { states: [], effects: [], texts: { states: {}, effects: {} } },
      instanceId: 'test',
      broker: {
        connect: () => {
          throw new Error('no broker');
        },
        credentials: { clientId: '', username: '', password: '' },
        isEmbedded: true,
      },
      ...environment,
      settings: { ...SETTINGS, ...KEYS[mode], mode, ...settings },
      sharedStore: store.engine === 'postgres',
    },
    { gateway: fakeGateway(), ...overrides },
  );
}
