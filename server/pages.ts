import { onboardingPages } from './accounts/onboarding-pages.ts';
import type { WebPage } from './http/page.ts';
import type { Services } from './services.ts';
import { challengePages } from './three-ds/challenge-page.ts';
import { methodPages } from './three-ds/method-page.ts';

/** Every page that a person sees in a browser. */
export function allPages(services: Services): WebPage[] {
  return [...challengePages(services), ...methodPages(services), ...onboardingPages(services)];
}
