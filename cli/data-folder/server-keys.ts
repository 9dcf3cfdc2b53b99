import { Fault } from '../../protocol/failures.ts';
import { keyForm } from '../../server/platform/key-form.ts';
import type { Mode } from '../../server/platform/settings.ts';
import { entriesOf } from '../../protocol/tables.ts';

/** All keys of a server. */
export interface Keys {
  secretKey: string;
  publicKey: string;
  pairingSecret: string;
  dashboardToken: string;
}

// Terminals' passwords are derived from it: as long as the digest at least (RFC 2104 §3).
const PAIRING_SECRET_MIN = 32;

/** Prefix of a dashboard token. The rest has only characters that need no encoding in a link. */
export const DASHBOARD_TOKEN_PREFIX = 'dash_';
const DASHBOARD_TOKEN_FORM = /^dash_[\w-]{32,190}$/;

const HOST_KEY_FORM = /^[\w-]{32,200}$/;

/** @throws Fault `bad_setting` when the key of the host is too short, or has other characters than a key has */
export function checkHostKey(hostKey: string | undefined): void {
  if (hostKey === undefined || HOST_KEY_FORM.test(hostKey)) return;
  throw new Fault('bad_setting', 'HOST_KEY must be 32 to 200 letters, digits, - or _');
}

/**
 * Returns the mode of the keys, by the prefix of the secret key (Spec §1).
 * @throws Fault `bad_setting` when a key has a wrong prefix or is too short, or the keys are of different modes.
 */
export function modeOf(keys: { [K in keyof Keys]?: string | undefined }): Mode {
  refuseExampleKeys(keys);
  const secret = keys.secretKey === undefined ? undefined : keyForm(keys.secretKey);
  if (keys.secretKey !== undefined && secret?.kind !== 'secret') {
    throw new Fault(
      'bad_setting',
      'SECRET_KEY must begin with sk_sandbox_ (or sk_ for live) and be at most 200 long',
    );
  }
  const mode = secret?.mode ?? 'sandbox';
  if (keys.publicKey !== undefined) {
    const form = keyForm(keys.publicKey);
    if (form?.kind !== 'public' || form.mode !== mode) {
      const prefix = mode === 'sandbox' ? 'pk_sandbox_' : 'pk_ (not pk_sandbox_)';
      throw new Fault(
        'bad_setting',
        `PUBLIC_KEY must begin with ${prefix} and be at most 200 long, as SECRET_KEY is ${mode}`,
      );
    }
  }
  if (keys.pairingSecret !== undefined && keys.pairingSecret.length < PAIRING_SECRET_MIN) {
    throw new Fault('bad_setting', `PAIRING_SECRET must be at least ${PAIRING_SECRET_MIN} characters long`);
  }
  if (keys.dashboardToken !== undefined && !DASHBOARD_TOKEN_FORM.test(keys.dashboardToken)) {
    throw new Fault(
      'bad_setting',
      `DASHBOARD_TOKEN must begin with ${DASHBOARD_TOKEN_PREFIX}, then at least 32 letters, digits, - or _`,
    );
  }
  return mode;
}

/** The settings of the keys of a server, by their names in code. */
const KEY_SETTINGS = {
  secretKey: 'SECRET_KEY',
  publicKey: 'PUBLIC_KEY',
  pairingSecret: 'PAIRING_SECRET',
  dashboardToken: 'DASHBOARD_TOKEN',
} as const;

/** @throws Fault `bad_setting` for a key that still is the one of deploy/example.env, which everyone knows */
function refuseExampleKeys(keys: { [K in keyof typeof KEY_SETTINGS]?: string | undefined }): void {
  for (const [name, setting] of entriesOf(KEY_SETTINGS)) {
    if (!keys[name]?.includes('change-me')) continue;
    throw new Fault(
      'bad_setting',
      `${setting} is the value of deploy/example.env: replace it by one of your own`,
    );
  }
}
