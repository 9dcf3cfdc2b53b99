import { Fault } from '../../protocol/failures.ts';

/** The settings of the keys of a server, by their names in code. */
const KEY_SETTINGS = {
  secretKey: 'SECRET_KEY',
  publicKey: 'PUBLIC_KEY',
  pairingSecret: 'PAIRING_SECRET',
  dashboardToken: 'DASHBOARD_TOKEN',
} as const;

/** @throws Fault `bad_setting` for a key that still is the one of deploy/example.env, which everyone knows */
export function refuseExampleKeys(keys: { [K in keyof typeof KEY_SETTINGS]?: string | undefined }): void {
  for (const [name, setting] of Object.entries(KEY_SETTINGS)) {
    if (!keys[name as keyof typeof KEY_SETTINGS]?.includes('change-me')) continue;
    throw new Fault(
      'bad_setting',
      `${setting} is the value of deploy/example.env: replace it by one of your own`,
    );
  }
}
