import amexContactPin from './profiles/amex-contact-pin.json' with { type: 'json' };
import amexContactless from './profiles/amex-contactless.json' with { type: 'json' };
import applePay from './profiles/apple-pay.json' with { type: 'json' };
import googlePay from './profiles/google-pay.json' with { type: 'json' };
import mastercardContactPin from './profiles/mastercard-contact-pin.json' with { type: 'json' };
import mastercardContactless from './profiles/mastercard-contactless.json' with { type: 'json' };
import mastercardOfflineDeclines from './profiles/mastercard-offline-declines.json' with { type: 'json' };
import visaBlockedApplication from './profiles/visa-blocked-application.json' with { type: 'json' };
import visaBlockedPin from './profiles/visa-blocked-pin.json' with { type: 'json' };
import visaBrokenSignature from './profiles/visa-broken-signature.json' with { type: 'json' };
import visaContactPin from './profiles/visa-contact-pin.json' with { type: 'json' };
import visaContactless from './profiles/visa-contactless.json' with { type: 'json' };
import visaDeclined from './profiles/visa-declined.json' with { type: 'json' };
import visaExpired from './profiles/visa-expired.json' with { type: 'json' };
import visaSlow from './profiles/visa-slow.json' with { type: 'json' };
import visaSwipe from './profiles/visa-swipe.json' with { type: 'json' };
import visaTorn from './profiles/visa-torn.json' with { type: 'json' };
import visaUnreadable from './profiles/visa-unreadable.json' with { type: 'json' };
import visaWrongCryptogram from './profiles/visa-wrong-cryptogram.json' with { type: 'json' };

/**
 * All files of profiles/ by card name, in display order. A card with a chip also needs keys and certificates, which
 * `npm run cards` generates; run it again after changing such a profile.
 */
export const PROFILES: Record<string, unknown> = {
  'visa-contactless': visaContactless,
  'mastercard-contactless': mastercardContactless,
  'amex-contactless': amexContactless,
  'visa-contact-pin': visaContactPin,
  'mastercard-contact-pin': mastercardContactPin,
  'amex-contact-pin': amexContactPin,
  'visa-swipe': visaSwipe,
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
