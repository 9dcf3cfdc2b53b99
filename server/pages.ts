import { onboardingPages } from './api/onboarding/onboarding-pages.ts';
import type { WebPage } from './platform/http/pages/page.ts';
import { challengePages } from './bank/three-ds/challenge-page.ts';
import { methodPages } from './bank/three-ds/method-page.ts';

/** Every page that a person sees in a browser. */
export const PAGES: readonly WebPage[] = [...challengePages, ...methodPages, ...onboardingPages];
