import { TWIN_SETTINGS } from '../../../world/till-driver.ts';
import { FORMS } from './forms.ts';
import type { MessageForm } from './mutations.ts';

/** A language of stand-alone terminals on one kind of line. */
export interface LineLanguage {
  name: string;
  /** Name of driver and twin. */
  driver: string;
  /** Path of the port, by which drivers and twins tell a serial line from a network. */
  path: string;
  form: MessageForm;
  settings?: object | undefined;
  overHttp?: true;
}

const POI = { poiId: 'P400Plus-123456789' };
const TCP = 'tcp://127.0.0.1';

export const LINE_LANGUAGES: readonly LineLanguage[] = [
  { name: 'zvt on a serial line', driver: 'zvt', path: 'pipe', form: FORMS.zvtSerial },
  { name: 'zvt over TCP', driver: 'zvt', path: TCP, form: FORMS.zvtTcp },
  { name: 'caisse-ap', driver: 'caisse-ap', path: TCP, form: FORMS.caisseAp },
  { name: 'ecr17 over TCP', driver: 'ecr17', path: TCP, form: FORMS.ecr17 },
  { name: 'ecr17 on a serial line', driver: 'ecr17', path: 'pipe', form: FORMS.ecr17 },
  { name: 'concert', driver: 'concert', path: 'pipe', form: FORMS.concert },
  {
    name: 'nexo',
    driver: 'nexo',
    path: TCP,
    form: FORMS.nexo,
    overHttp: true,
    settings: TWIN_SETTINGS['nexo'],
  },
  {
    name: 'nexo in clear',
    driver: 'nexo',
    path: TCP,
    form: { ...FORMS.nexo, reliesOnConnection: true },
    overHttp: true,
    settings: POI,
  },
];
