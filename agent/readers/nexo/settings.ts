import { Fault } from '../../../protocol/failures.ts';
import { isObject } from '../../../protocol/outside-json.ts';
import { isOneOf } from '../../../protocol/tables.ts';
import type { NexoKey } from './sealed-message.ts';

/** What a till needs to know of a nexo terminal, from the file of `--terminal-settings`. */
export interface NexoSettings {
  /** Model and serial number of the terminal, such as `P400Plus-123456789`. */
  poiId: string;
  /** Name of the till. */
  saleId: string;
  /** Absent for messages in clear, which terminals take in tests alone. */
  key: NexoKey | undefined;
}

const NAME = /^[\x21-\x7e]{1,64}$/;

/** The command reads `caFile`, for the connection. */
const MEMBERS = ['poiId', 'saleId', 'keyIdentifier', 'keyVersion', 'passphrase', 'caFile'] as const;

/** Reads the settings of a terminal. @throws Fault `bad_setting` that names the member. */
export function readSettings(found: unknown): NexoSettings {
  if (!isObject(found))
    throw new Fault('bad_setting', 'nexo needs --terminal-settings: a JSON object with poiId');
  const unknown = Object.keys(found).find((name) => !isOneOf(MEMBERS, name));
  if (unknown !== undefined)
    throw new Fault('bad_setting', `${unknown}: nexo has no such setting, only ${MEMBERS.join(', ')}`);
  const { poiId, saleId = 'TAPBENCH', passphrase, keyIdentifier, keyVersion } = found;
  if (typeof poiId !== 'string' || !NAME.test(poiId))
    throw new Fault(
      'bad_setting',
      'poiId: model and serial number of the terminal, such as P400Plus-123456789',
    );
  if (typeof saleId !== 'string' || !NAME.test(saleId))
    throw new Fault('bad_setting', 'saleId: the name of the till, up to 64 characters without blanks');
  const isClear = [passphrase, keyIdentifier, keyVersion].every((part) => part === undefined);
  return { poiId, saleId, key: isClear ? undefined : readKey(found) };
}

function readKey({ passphrase, keyIdentifier, keyVersion = 1 }: Record<string, unknown>): NexoKey {
  if (typeof passphrase !== 'string' || passphrase === '')
    throw new Fault('bad_setting', 'passphrase: the one that is set for the terminal at the acquirer');
  if (typeof keyIdentifier !== 'string' || keyIdentifier === '')
    throw new Fault('bad_setting', 'keyIdentifier: that of the passphrase');
  if (typeof keyVersion !== 'number' || !Number.isSafeInteger(keyVersion) || keyVersion < 0)
    throw new Fault('bad_setting', 'keyVersion: a whole number, from 0');
  return { passphrase, identifier: keyIdentifier, version: keyVersion };
}
