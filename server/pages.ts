import { onboardingPages } from './api/onboarding/onboarding-pages.ts';
import type { WebPage } from './platform/http/page.ts';
import type { Services } from './platform/services.ts';
import { challengePages } from './bank/three-ds/challenge-page.ts';
import { methodPages } from './bank/three-ds/method-page.ts';
import { challengedPayments } from './api/payments/challenged-payments.ts';

/** Every page that a person sees in a browser. */
export function allPages(services: Services): WebPage[] {
  return [
    ...challengePages(services, challengedPayments(services)),
    ...methodPages(services),
    ...onboardingPages(services),
  ];
}
