import { expect, test } from 'vitest';
import { decode } from '../../../../server/bank/three-ds/three-ds-messages.ts';
import { CARDS, encoded } from '../../../kit/checkout.ts';
import { paymentServer } from './payment-server.ts';
import { expectRows } from './expect-refusals.ts';

const APPLICATION = { threeDsRequestDetails: { deviceChannel: 'Application' } };
const UUID = /^[0-9a-f]{8}-/;

test(
  '3DS: a browser gets the fingerprint step, then the challenge',
  { tags: ['spec:4.1/POST/payment-sessions/continue-payment', 'spec:2.2/required-action'] },
  async () => {
    const { shop } = await paymentServer();
    const session = await shop.session();
    const asked = await shop.pay(session, CARDS.identifyThenChallenge);
    const { identify } = asked.requiredAction;
    expect(asked).toMatchObject({
      status: 'PendingAction',
      requiredAction: {
        type: 'Identify',
        identify: {
          scheme: 'Visa',
          paymentMethodId: asked.paymentMethod.tokenizedDetails.id,
          threeDsMethodUrl: 'http://tapbench.test/three-ds/method',
        },
      },
    });
    expect(decode(identify.threeDsMethodData)).toEqual({
      threeDSServerTransID: expect.stringMatching(UUID),
      threeDSMethodNotificationURL: 'http://tapbench.test/three-ds/method/done',
    });
    expect(await shop.read(session)).toMatchObject({ requiredAction: asked.requiredAction });

    const { threeDSServerTransID } = decode(identify.threeDsMethodData)!;
    const fingerprint = encoded({ threeDSServerTransID, threeDSCompInd: 'Y' });
    const { body: challenged } = await shop.goOn(session, { fingerprint });
    expect(challenged).toMatchObject({
      status: 'PendingAction',
      requiredAction: { type: 'Challenge', challenge: { acsUrl: 'http://tapbench.test/three-ds/challenge' } },
    });
    const { challenge } = challenged.requiredAction;
    expect(decode(challenge.cReq)).toEqual({
      threeDSServerTransID,
      acsTransID: expect.stringMatching(UUID),
      messageVersion: '2.2.0',
      messageType: 'CReq',
      challengeWindowSize: '05',
    });
  },
);

test('3DS: an app gets every field that either of its libraries reads', async () => {
  const { shop } = await paymentServer();
  const session = await shop.session();
  const asked = await shop.pay(session, CARDS.challenge, APPLICATION);
  expect(asked.requiredAction).toEqual({
    type: 'Identify',
    identify: {
      scheme: 'Visa',
      paymentMethodId: asked.paymentMethod.tokenizedDetails.id,
      sessionId: expect.any(String),
      sessionSecret: expect.any(String),
      protocolVersion: '2.2.0',
      ravelinPublicKey: expect.any(String),
    },
  });
  const appAuthentication = {
    sdkAppId: 'a',
    sdkEncData: 'b',
    sdkEphemeralPublicKey: 'c',
    sdkMaxTimeoutInMinutes: 5,
    sdkReferenceNumber: 'd',
    sdkTransId: 'e',
    deviceRenderOptions: {
      sdkInterface: '03',
      sdkUiTypes: ['01'],
    },
  };
  const { body } = await shop.goOn(session, { appAuthentication });
  expect(body.requiredAction).toMatchObject({
    type: 'Challenge',
    challenge: {
      acsUrl: expect.any(String),
      cReq: expect.any(String),
      acsSignedContent: expect.any(String),
      threeDSServerTransactionID: expect.any(String),
      acsTransactionID: expect.any(String),
      acsRefNumber: expect.any(String),
    },
  });
});

test('3DS: an app may finish by an attempt with its token, whatever the issuer would have asked', async () => {
  const { shop } = await paymentServer();
  for (const number of [CARDS.identify, CARDS.identifyThenChallenge, CARDS.challenge]) {
    const session = await shop.session();
    const asked = await shop.pay(session, number, APPLICATION);
    const { paymentMethodId: id } = asked.requiredAction.identify;
    const { body: paid } = await shop.attempt(session, { paymentMethod: { id } });
    expect(paid).toMatchObject({ status: 'Captured', paymentMethod: { tokenizedDetails: { id } } });
  }
});

test("3DS: the issuer's result decides", async () => {
  const { shop } = await paymentServer();
  for (const [transStatus, status] of [
    ['Y', 'Captured'],
    ['A', 'Captured'],
    ['N', 'PendingPayment'],
    ['R', 'PendingPayment'],
    ['U', 'PendingPayment'],
    ['C', 'PendingPayment'],
  ] as const) {
    const session = await shop.session();
    const asked = await shop.pay(session, CARDS.challenge);
    const run = asked.requiredAction.challenge.threeDSServerTransactionID;
    // The issuer's own words, as its page hands them over.
    const cres = { threeDSServerTransID: run, messageType: 'CRes', messageVersion: '2.2.0', transStatus };
    const challengeResult = Buffer.from(JSON.stringify(cres)).toString('base64url');
    const { body } = await shop.goOn(session, { challengeResult });
    expect([transStatus, body.status]).toEqual([transStatus, status]);
  }
});

test('3DS: another card may be tried during a challenge, and replaces the first', async () => {
  const { shop } = await paymentServer();
  const session = await shop.session();
  const first = await shop.pay(session, CARDS.challenge);
  const second = await shop.pay(session, CARDS.challenge);
  const about = (asked: typeof first) =>
    encoded({
      threeDSServerTransID: asked.requiredAction.challenge.threeDSServerTransactionID,
      transStatus: 'Y',
    });
  await expectRows([
    ['the first', shop.goOn(session, { challengeResult: about(first) }), /^400 invalid_field .*another/],
  ]);
  expect((await shop.goOn(session, { challengeResult: about(second) })).body.status).toBe('Captured');
});

test('continue-payment: refuses sessions that cannot continue and invalid data', async () => {
  const { shop } = await paymentServer();
  const challenged = await shop.session();
  await shop.pay(challenged, CARDS.challenge);
  const identified = await shop.session();
  await shop.pay(identified, CARDS.identify);
  const fingerprint = encoded({ threeDSCompInd: 'Y' });
  const challengeResult = encoded({ transStatus: 'Y' });
  const wrong = encoded({ threeDSServerTransID: 'x', transStatus: 'Y', threeDSCompInd: 'Y' });
  const undecodable = /^400 invalid_field threeDs\.\w+ cannot be decoded/;
  await expectRows([
    ['nothing', shop.goOn(challenged, {}), /^400 invalid_field threeDs must have exactly one/],
    [
      'two things',
      shop.goOn(challenged, { fingerprint, challengeResult }),
      /^400 invalid_field threeDs must have/,
    ],
    [
      'a fingerprint for a challenge',
      shop.goOn(challenged, { fingerprint }),
      /^400 bad_request .*is Challenge/,
    ],
    [
      'an app for a challenge',
      shop.goOn(challenged, { appAuthentication: {} }),
      /^400 bad_request .*is Challenge/,
    ],
    ['a result too early', shop.goOn(identified, { challengeResult }), /^400 bad_request .*is Identify/],
    ['no base64', shop.goOn(challenged, { challengeResult: '%%%' }), undecodable],
    ['no JSON', shop.goOn(challenged, { challengeResult: 'abcd' }), undecodable],
    ['no object', shop.goOn(challenged, { challengeResult: encoded([]) }), undecodable],
    ['no status', shop.goOn(challenged, { challengeResult: encoded({}) }), undecodable],
    ['of another run', shop.goOn(challenged, { challengeResult: wrong }), undecodable],
    [
      'a fingerprint of nothing',
      shop.goOn(identified, { fingerprint: encoded({ threeDSCompInd: 'X' }) }),
      undecodable,
    ],
    [
      'nobody asked',
      shop.goOn(await shop.session(), { fingerprint }),
      /^400 bad_request .*has no required action/,
    ],
    ['paid already', shop.goOn(await shop.captured(), { fingerprint }), /^400 bad_request/],
    ['a wrong secret', shop.goOn({ clientSecret: 'ps_x_secret_y' }, { fingerprint }), /^404 not_found/],
  ]);
  // None of that moved either of them.
  expect((await shop.goOn(challenged, { challengeResult })).body.status).toBe('Captured');
  expect((await shop.goOn(identified, { fingerprint })).body.status).toBe('Captured');
});

test(
  '3DS: a browser is redirected where the account asks for it, an app is not',
  { tags: ['spec:2.2/required-action-redirect'] },
  async () => {
    const { api, shop, platformId } = await paymentServer();
    await api.patch(`/sandbox/accounts/${platformId}/settings`, { threeDsRedirect: true });
    for (const number of [CARDS.identify, CARDS.identifyThenChallenge, CARDS.challenge]) {
      const session = await shop.session();
      const { requiredAction } = await shop.pay(session, number);
      const page = 'http://tapbench.test/three-ds/challenge?creq=';
      expect(requiredAction).toEqual({ type: 'Redirect', url: expect.stringContaining(page) });
      const { threeDSServerTransID } = decode(requiredAction.url.slice(page.length))!;
      const { body: refused } = await shop.goOn(session, { fingerprint: encoded({}) });
      expect(refused.errors[0].message).toBe('the required action of the payment session is Redirect');
      const challengeResult = encoded({ threeDSServerTransID, transStatus: 'Y' });
      expect((await shop.goOn(session, { challengeResult })).body.status).toBe('Captured');
    }
    const asked = await shop.pay(await shop.session(), CARDS.challenge, APPLICATION);
    expect(asked.requiredAction.type).toBe('Identify');
  },
);

test('3DS: a fingerprint is accepted whatever transaction it names', async () => {
  const { shop } = await paymentServer();
  const session = await shop.session();
  await shop.pay(session, CARDS.identify);
  const another = { threeDSServerTransID: '8f0177a4-2ced-4865-85b7-bad9bfa398d2', threeDSCompInd: 'Y' };
  const { status, body } = await shop.goOn(session, { fingerprint: encoded(another) });
  expect([status, body.status]).toEqual([200, 'Captured']);
});

test('3DS: a session with the result of an external authentication is paid without 3DS', async () => {
  const { shop } = await paymentServer();
  const authenticationParameters = {
    eci: '05',
    authenticationValue: 'AAABBEg0VhI0VniQEjRWAAAAAAA=',
    protocolVersion: '2.2.0',
    threeDsServerTransactionId: '8a880dc0-d2d2-4067-bcb1-b08d1690b26e',
    acsTransactionId: '13c701a3-5a88-4c45-89e9-ef65e50a8bf9',
    dsTransactionId: 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b',
  };
  const session = await shop.session({ authenticationParameters });
  expect(JSON.stringify(session)).not.toContain('AAABB');
  expect(session).not.toHaveProperty('authenticatedElsewhere');
  expect(await shop.pay(session, CARDS.challenge)).toMatchObject({ status: 'Captured' });
  const refused = await shop.create({ authenticationParameters: { eci: '' } });
  expect([refused.status, refused.body.errors[0].code]).toEqual([400, 'invalid_field']);
});

test('3DS: of the result of an external authentication only `eci` is required', async () => {
  const { shop } = await paymentServer();
  const session = await shop.session({ authenticationParameters: { eci: '07' } });
  expect(await shop.pay(session, CARDS.challenge)).toMatchObject({ status: 'Captured' });
  const { body } = await shop.create({ authenticationParameters: { authenticationValue: 'AAAB' } });
  expect(body.errors).toMatchObject([{ message: 'authenticationParameters.eci is required' }]);
});

test.each([CARDS.challenge, CARDS.identifyThenChallenge, CARDS.identify])(
  '3DS: what the cardholder confirmed is what is taken: another amount withdraws the action of %s',
  async (number) => {
    const { shop } = await paymentServer();
    const session = await shop.session({ amount: 1000 });
    const asked = await shop.pay(session, number);
    const transactionOf = ({ requiredAction: { challenge, identify } }: typeof asked) =>
      challenge?.threeDSServerTransactionID ?? decode(identify.threeDsMethodData)!.threeDSServerTransID;
    const results = ({ requiredAction: { type } }: typeof asked, threeDSServerTransID: string) =>
      type === 'Challenge'
        ? { challengeResult: encoded({ threeDSServerTransID, transStatus: 'Y' }) }
        : { fingerprint: encoded({ threeDSServerTransID, threeDSCompInd: 'Y' }) };

    // The same amount again is no change.
    expect((await shop.update(session, { amount: 1000, metadata: { order: '1' } })).body).toMatchObject({
      status: 'PendingAction',
      requiredAction: asked.requiredAction,
    });
    const { body: changed } = await shop.update(session, { amount: 2000 });
    expect(changed).toMatchObject({ status: 'PendingPayment', amount: 2000 });
    expect(changed.requiredAction ?? null).toBeNull();
    await expectRows([
      [
        'the action that showed 10.00',
        shop.goOn(session, results(asked, transactionOf(asked))),
        /^400 bad_request .*has no required action/,
      ],
    ]);
    expect(await shop.read(session)).toMatchObject({ status: 'PendingPayment', amount: 2000 });

    const again = await shop.pay(session, number);
    expect(again).toMatchObject({ status: 'PendingAction', amount: 2000 });
    expect(transactionOf(again)).not.toBe(transactionOf(asked));
    if (again.requiredAction.type === 'Challenge') {
      const { status } = await shop.goOn(session, results(again, transactionOf(asked)));
      expect(status).toBe(400);
      const { body: paid } = await shop.goOn(session, results(again, transactionOf(again)));
      expect(paid).toMatchObject({ status: 'Captured', amount: 2000 });
    }
  },
);
