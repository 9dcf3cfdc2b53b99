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
import amexContactPinChip from './chips/amex-contact-pin.json' with { type: 'json' };
import amexContactlessChip from './chips/amex-contactless.json' with { type: 'json' };
import applePayChip from './chips/apple-pay.json' with { type: 'json' };
import googlePayChip from './chips/google-pay.json' with { type: 'json' };
import mastercardContactPinChip from './chips/mastercard-contact-pin.json' with { type: 'json' };
import mastercardContactlessChip from './chips/mastercard-contactless.json' with { type: 'json' };
import mastercardOfflineDeclinesChip from './chips/mastercard-offline-declines.json' with { type: 'json' };
import visaBlockedApplicationChip from './chips/visa-blocked-application.json' with { type: 'json' };
import visaBlockedPinChip from './chips/visa-blocked-pin.json' with { type: 'json' };
import visaBrokenSignatureChip from './chips/visa-broken-signature.json' with { type: 'json' };
import visaContactPinChip from './chips/visa-contact-pin.json' with { type: 'json' };
import visaContactlessChip from './chips/visa-contactless.json' with { type: 'json' };
import visaDeclinedChip from './chips/visa-declined.json' with { type: 'json' };
import visaExpiredChip from './chips/visa-expired.json' with { type: 'json' };
import visaSlowChip from './chips/visa-slow.json' with { type: 'json' };
import visaTornChip from './chips/visa-torn.json' with { type: 'json' };
import visaUnreadableChip from './chips/visa-unreadable.json' with { type: 'json' };
import visaWrongCryptogramChip from './chips/visa-wrong-cryptogram.json' with { type: 'json' };

// Written by `npm run cards`.

/** All files of profiles/ by card name, in display order. */
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

/** All files of chips/ by card name: the keys of each card with a chip. */
export const ISSUED_CHIPS: Record<string, unknown> = {
  'visa-contactless': visaContactlessChip,
  'mastercard-contactless': mastercardContactlessChip,
  'amex-contactless': amexContactlessChip,
  'visa-contact-pin': visaContactPinChip,
  'mastercard-contact-pin': mastercardContactPinChip,
  'amex-contact-pin': amexContactPinChip,
  'apple-pay': applePayChip,
  'google-pay': googlePayChip,
  'visa-expired': visaExpiredChip,
  'visa-blocked-pin': visaBlockedPinChip,
  'visa-unreadable': visaUnreadableChip,
  'visa-declined': visaDeclinedChip,
  'visa-broken-signature': visaBrokenSignatureChip,
  'visa-wrong-cryptogram': visaWrongCryptogramChip,
  'visa-slow': visaSlowChip,
  'visa-torn': visaTornChip,
  'visa-blocked-application': visaBlockedApplicationChip,
  'mastercard-offline-declines': mastercardOfflineDeclinesChip,
};
