import { Type, type TextLimits } from '../../../protocol/schema.ts';

interface UrlKind {
  examples: readonly [string];
  /** Tags of the operations that have URLs of this kind. */
  tags: readonly string[];
}

const OF_PAYMENT = ['Payment session', 'Subscription'];

/**
 * The kinds of URLs in requests and replies. Each URL names its kind and has its example. `tags` keeps a kind where it
 * belongs: test/architecture/examples.test.ts refuses it in an operation with another tag.
 */
export const URL_KINDS = {
  webhook: { examples: ['https://shop.example/webhooks'], tags: ['Webhook', 'Sandbox delivery'] },
  paymentReturn: {
    examples: ['https://shop.example/done'],
    tags: [...OF_PAYMENT, 'Sandbox account'],
  },
  threeDsMethod: { examples: ['http://127.0.0.1:8080/three-ds/method'], tags: OF_PAYMENT },
  threeDsChallenge: { examples: ['http://127.0.0.1:8080/three-ds/challenge'], tags: OF_PAYMENT },
  threeDsRedirect: {
    examples: [
      'http://127.0.0.1:8080/three-ds/challenge?creq=eyJhY3NUcmFuc0lEIjoiM2YxYzFjNmUtN2EwYi00YTUzLTlhNTUtNmE4YTJmNWE5YzExIn0',
    ],
    tags: OF_PAYMENT,
  },
  onboardingPage: {
    examples: ['http://127.0.0.1:8080/join?l=al_Wq3vN8sT2kLx7RzB5mYc9HdF1pGj4UaE'],
    tags: ['Account', 'Account link'],
  },
  onboardingReturn: { examples: ['https://shop.example/back'], tags: ['Account', 'Account link'] },
  website: { examples: ['https://shop.example'], tags: ['Account', 'Sandbox verification'] },
  product: { examples: ['https://shop.example/teapot'], tags: OF_PAYMENT },
  productImage: { examples: ['https://shop.example/teapot.jpg'], tags: OF_PAYMENT },
  sandbox: { examples: ['http://127.0.0.1:8080/s/ci-1234'], tags: ['Sandbox'] },
  dashboard: {
    examples: ['http://127.0.0.1:8080/s/ci-1234/#token=Kd7xQ2mV9sTb4nYw'],
    tags: ['Sandbox'],
  },
} as const satisfies Record<string, UrlKind>;

/** Returns the schema of a URL of a kind, with the example of the kind. The limits are those of the place that has it. */
export function Url(kind: keyof typeof URL_KINDS, description: string, limits: TextLimits = {}) {
  return Type.String({ ...limits, description, examples: URL_KINDS[kind].examples });
}
