import amexContactPin from './chips/amex-contact-pin.json' with { type: 'json' };
import amexContactless from './chips/amex-contactless.json' with { type: 'json' };
import applePay from './chips/apple-pay.json' with { type: 'json' };
import googlePay from './chips/google-pay.json' with { type: 'json' };
import mastercardContactPin from './chips/mastercard-contact-pin.json' with { type: 'json' };
import mastercardContactless from './chips/mastercard-contactless.json' with { type: 'json' };
import mastercardOfflineDeclines from './chips/mastercard-offline-declines.json' with { type: 'json' };
import visaBlockedApplication from './chips/visa-blocked-application.json' with { type: 'json' };
import visaBlockedPin from './chips/visa-blocked-pin.json' with { type: 'json' };
import visaBrokenSignature from './chips/visa-broken-signature.json' with { type: 'json' };
import visaContactPin from './chips/visa-contact-pin.json' with { type: 'json' };
import visaContactless from './chips/visa-contactless.json' with { type: 'json' };
import visaDeclined from './chips/visa-declined.json' with { type: 'json' };
import visaExpired from './chips/visa-expired.json' with { type: 'json' };
import visaSlow from './chips/visa-slow.json' with { type: 'json' };
import visaTorn from './chips/visa-torn.json' with { type: 'json' };
import visaUnreadable from './chips/visa-unreadable.json' with { type: 'json' };
import visaWrongCryptogram from './chips/visa-wrong-cryptogram.json' with { type: 'json' };

/** All files of chips/ by card name: the keys that `npm run cards` generated. */
export const ISSUED_CHIPS: Record<string, unknown> = {
  'visa-contactless': visaContactless,
  'mastercard-contactless': mastercardContactless,
  'amex-contactless': amexContactless,
  'visa-contact-pin': visaContactPin,
  'mastercard-contact-pin': mastercardContactPin,
  'amex-contact-pin': amexContactPin,
  'apple-pay': applePay,
  'google-pay': googlePay,
  'visa-expired': visaExpired,
  'visa-blocked-pin': visaBlockedPin,
  'visa-unreadable': visaUnreadable,
  'visa-declined': visaDeclined,
  'visa-broken-signature': visaBrokenSignature,
  'visa-wrong-cryptogram': visaWrongCryptogram,
  'visa-slow': visaSlow,
  'visa-torn': visaTorn,
  'visa-blocked-application': visaBlockedApplication,
  'mastercard-offline-declines': mastercardOfflineDeclines,
};
