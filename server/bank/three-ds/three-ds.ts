import type { Authentication } from '../../../protocol/test-cards.ts';
import type { RequiredAction } from './required-action.schema.ts';
import type { Context } from '../../platform/context.ts';
import type { Services } from '../../platform/services.ts';
import type { Transaction } from '../../platform/store/store.ts';
import { encode, MESSAGE_VERSION } from './three-ds-messages.ts';
import { insertRun, type Channel, type ThreeDsRunRow } from './three-ds.records.ts';

export const CHALLENGE_PATH = '/three-ds/challenge';
export const METHOD_PATH = '/three-ds/method';
export const METHOD_DONE_PATH = '/three-ds/method/done';

/** Starts the authentication run of a payment session, for a card whose issuer requires one. */
export function startRun(
  tx: Transaction,
  { ids, clock }: Context,
  sessionId: string,
  { channel, authentication }: { channel: Channel; authentication: Authentication },
): Promise<ThreeDsRunRow> {
  const challenge = authentication !== 'identify';
  const run = { id: ids.uuid(), acsId: ids.uuid(), sessionId, channel, challenge };
  return insertRun(tx, run, clock.nowMs());
}

/** Whether the challenge comes without a fingerprint. An app always sends a fingerprint first. */
export function startsWithChallenge(authentication: Authentication, channel: Channel): boolean {
  return authentication === 'challenge' && channel === 'Browser';
}

/** The required action that collects a fingerprint of a browser or an app (docs/choices.md, 3DS). */
export function identifyAction(
  { settings }: Pick<Services, 'settings'>,
  run: ThreeDsRunRow,
  card: { scheme: string; paymentMethodId: string },
): RequiredAction {
  const { publicUrl } = settings;
  if (run.channel === 'Application') {
    return {
      type: 'Identify',
      identify: {
        ...card,
        sessionId: run.id,
        sessionSecret: run.acs_id,
        protocolVersion: MESSAGE_VERSION,
        ravelinPublicKey: 'publishable_key_sandbox',
      },
    };
  }
  return {
    type: 'Identify',
    identify: {
      ...card,
      uniqueId: run.id,
      threeDsMethodUrl: publicUrl + METHOD_PATH,
      threeDsMethodSignature: run.acs_id,
      threeDsMethodData: encode({
        threeDSServerTransID: run.id,
        threeDSMethodNotificationURL: publicUrl + METHOD_DONE_PATH,
      }),
    },
  };
}

/** A redirect to the issuer's page, for shops whose client library supports nothing else (docs/choices.md, 3DS). */
export function redirectAction(
  { settings }: Pick<Services, 'settings'>,
  run: Pick<ThreeDsRunRow, 'id' | 'acs_id'>,
): RequiredAction {
  return { type: 'Redirect', url: `${settings.publicUrl}${CHALLENGE_PATH}?creq=${challengeRequest(run)}` };
}

const FULL_SCREEN = '05'; // EMV 3DS 2.2 Table A.1, challengeWindowSize

/** The required action of a challenge, with the data for both browser and app. */
export function challengeAction(
  { settings }: Pick<Services, 'settings'>,
  run: Pick<ThreeDsRunRow, 'id' | 'acs_id'>,
): RequiredAction {
  const acsUrl = settings.publicUrl + CHALLENGE_PATH;
  return {
    type: 'Challenge',
    challenge: {
      acsUrl,
      cReq: challengeRequest(run),
      threeDSServerTransactionID: run.id,
      acsTransactionID: run.acs_id,
      acsRefNumber: 'TAPBENCH-ACS',
      acsSignedContent: encode({ acsURL: acsUrl, acsTransID: run.acs_id }),
    },
  };
}

/** Returns the result of a challenge, a CRes (EMV 3DS 2.2 §5.9): whether the cardholder was authenticated. */
export function challengeResult(run: Pick<ThreeDsRunRow, 'id' | 'acs_id'>, authenticated: boolean): string {
  return encode({
    threeDSServerTransID: run.id,
    acsTransID: run.acs_id,
    messageVersion: MESSAGE_VERSION,
    messageType: 'CRes',
    challengeCompletionInd: 'Y',
    transStatus: authenticated ? 'Y' : 'N',
  });
}

/** Returns the fingerprint that a browser sends after its device was identified. */
export function fingerprintOf(run: Pick<ThreeDsRunRow, 'id'>): string {
  return encode({ threeDSServerTransID: run.id, threeDSCompInd: 'Y' });
}

function challengeRequest(run: Pick<ThreeDsRunRow, 'id' | 'acs_id'>): string {
  return encode({
    threeDSServerTransID: run.id,
    acsTransID: run.acs_id,
    messageVersion: MESSAGE_VERSION,
    messageType: 'CReq',
    challengeWindowSize: FULL_SCREEN,
  });
}
