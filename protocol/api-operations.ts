/**
 * Operations of the HTTP API by method and path: what each takes and its reply. `protocol/api-client.ts` calls them. Written
 * by `npm run docs` from the routes. An operation whose body or reply is a file has no `body` or `reply`.
 */
export interface ApiOperations {
  'POST /v1/payment-sessions': {
    body: {
      amount: number;
      currency:
        | 'GBP'
        | 'USD'
        | 'EUR'
        | 'CHF'
        | 'CAD'
        | 'AUD'
        | 'NZD'
        | 'AED'
        | 'TRY'
        | 'PLN'
        | 'RON'
        | 'DKK'
        | 'HKD'
        | 'ZAR'
        | 'SEK'
        | 'NOK'
        | 'CZK'
        | 'HUF';
      customerEmail?: string | undefined;
      platformFee?: number | undefined;
      splits?: SplitRequest | undefined;
      metadata?: Record<string, string> | undefined;
      captureFlow?: 'Automatic' | 'Manual' | undefined;
      shippingDetails?: ShippingDetails | undefined;
      orderDetails?: OrderDetails | undefined;
      customerDetails?: CustomerDetails | undefined;
      customerId?: string | undefined;
      returnUrl?: string | undefined;
      paymentSettings?: PaymentSettings | undefined;
      platformSettings?: { paymentFees?: FeeAllocation | undefined } | undefined;
      settings?: { platform?: { paymentFees?: FeeAllocation | undefined } | undefined } | undefined;
      passThroughProcessingFee?: boolean | undefined;
      paymentType?: 'Standard' | 'Recurring' | 'Unscheduled' | 'MOTO' | undefined;
      entryMode?: 'Online' | 'MOTO' | undefined;
      authorizationType?: 'FinalAuth' | 'PreAuth' | undefined;
      previousPayment?: { id: string } | undefined;
      rebillingDetail?: RebillingRequest | undefined;
      authenticationParameters?: AuthenticationParameters | undefined;
      verifyAccount?: boolean | undefined;
      statementDescriptor?: { descriptor: string; city: string } | undefined;
      attemptPayment?:
        | {
            paymentMethod?: { id: string; cvc?: string | undefined } | undefined;
            walletNetworkToken?: WalletNetworkToken | undefined;
          }
        | undefined;
    };
    reply: PaymentSession;
  };
  'GET /v1/payment-sessions': {
    query?: {
      startTimestamp?: number | undefined;
      endTimestamp?: number | undefined;
      ascending?: boolean | undefined;
      limit?: number | undefined;
      startsAfter?: string | undefined;
    };
    reply: { items: PaymentSession[]; paginationToken: string | null };
  };
  'GET /v1/payment-sessions/{paymentSessionId}': {
    params: { paymentSessionId: string };
    query?: { clientSecret?: string | undefined };
    reply: PaymentSession;
  };
  'PATCH /v1/payment-sessions/{paymentSessionId}': {
    params: { paymentSessionId: string };
    body?: {
      amount?: number | undefined;
      customerEmail?: string | undefined;
      platformFee?: number | undefined;
      splits?: SplitRequest | undefined;
      metadata?: Record<string, string> | undefined;
      captureFlow?: 'Automatic' | 'Manual' | undefined;
      shippingDetails?: ShippingDetails | undefined;
      orderDetails?: OrderDetails | undefined;
      customerDetails?: CustomerDetails | undefined;
      customerId?: string | undefined;
      returnUrl?: string | undefined;
      paymentSettings?: PaymentSettings | undefined;
      platformSettings?: { paymentFees?: FeeAllocation | undefined } | undefined;
      settings?: { platform?: { paymentFees?: FeeAllocation | undefined } | undefined } | undefined;
    };
    reply: PaymentSession;
  };
  'POST /v1/payment-sessions/attempt-payment': {
    body: {
      clientSecret: string;
      paymentMethodType?: 'Card' | undefined;
      cardDetails?:
        | {
            number: string;
            expiryMonth: string;
            expiryYear: string;
            cvc?: string | undefined;
            name?: string | undefined;
          }
        | undefined;
      walletDetails?:
        | {
            type: 'ApplePay' | 'GooglePay';
            googlePayToken?: string | undefined;
            applePayToken?: string | undefined;
          }
        | undefined;
      paymentMethod?: { id: string; cvc?: string | undefined } | undefined;
      walletNetworkToken?: WalletNetworkToken | undefined;
      authenticationParameters?: AuthenticationParameters | undefined;
      paymentMethodOptions?: { store?: boolean | undefined } | undefined;
      billingAddress?: Address | undefined;
      addressRequest?: Address | undefined;
      customerDetails?:
        | { email: string; homePhoneNumber?: string | undefined; mobilePhoneNumber?: string | undefined }
        | undefined;
      shippingDetails?: ShippingDetails | undefined;
      threeDsRequestDetails?:
        | {
            deviceChannel: 'Browser' | 'Application';
            browserDetails?:
              | {
                  acceptHeader?: string | undefined;
                  colorDepth?: number | string | undefined;
                  javaEnabled?: boolean | undefined;
                  language?: string | undefined;
                  screenHeight?: number | string | undefined;
                  screenWidth?: number | string | undefined;
                  timeZoneOffset?: number | string | undefined;
                  userAgent?: string | undefined;
                }
              | undefined;
          }
        | undefined;
    };
    reply: PaymentSession;
  };
  'POST /v1/payment-sessions/continue-payment': {
    body: {
      clientSecret: string;
      threeDs: {
        fingerprint?: string | undefined;
        challengeResult?: string | undefined;
        appAuthentication?:
          | {
              sdkAppId?: string | undefined;
              sdkEncData?: string | undefined;
              sdkEphemeralPublicKey?: string | undefined;
              sdkMaxTimeoutInMinutes?: number | undefined;
              sdkReferenceNumber?: string | undefined;
              sdkTransId?: string | undefined;
              deviceRenderOptions?:
                { sdkInterface?: string | undefined; sdkUiTypes?: string[] | undefined } | undefined;
            }
          | undefined;
      };
    };
    reply: PaymentSession;
  };
  'POST /v1/payment-sessions/{paymentSessionId}/captures': {
    params: { paymentSessionId: string };
    body?: {
      amount?: number | undefined;
      captureType?: 'Final' | 'NotFinal' | 'NonFinal' | undefined;
      platformFee?: number | undefined;
      splits?: SplitRequest | undefined;
      paymentSettings?: PaymentSettings | undefined;
      platformSettings?: { paymentFees?: FeeAllocation | undefined } | undefined;
      settings?: { platform?: { paymentFees?: FeeAllocation | undefined } | undefined } | undefined;
    };
    reply: PaymentTransaction;
  };
  'POST /v1/payment-sessions/{paymentSessionId}/voids': {
    params: { paymentSessionId: string };
    body?: {};
    reply: PaymentTransaction;
  };
  'POST /v1/payment-sessions/{paymentSessionId}/refunds': {
    params: { paymentSessionId: string };
    body?: {
      amount?: number | undefined;
      reason?: string | undefined;
      refundPlatformFee?: boolean | undefined;
      splits?: SplitRefund | undefined;
      captureTransaction?: { id: string } | undefined;
      paymentSettings?: PaymentSettings | undefined;
      platformSettings?: { paymentFees?: FeeAllocation | undefined } | undefined;
      settings?: { platform?: { paymentFees?: FeeAllocation | undefined } | undefined } | undefined;
    };
    reply: PaymentTransaction;
  };
  'GET /v1/payment-sessions/{paymentSessionId}/transactions': {
    params: { paymentSessionId: string };
    query?: { ascending?: boolean | undefined; limit?: number | undefined; startsAfter?: string | undefined };
    reply: { items: PaymentTransaction[]; paginationToken: string | null };
  };
  'GET /v1/payment-sessions/{paymentSessionId}/transactions/{paymentTransactionId}': {
    params: { paymentSessionId: string; paymentTransactionId: string };
    reply: PaymentTransaction;
  };
  'POST /v1/webhooks': {
    body: {
      url: string;
      active: boolean;
      eventTypes: (
        | 'PaymentSession.approved'
        | 'PaymentSession.captured'
        | 'PaymentSession.capture_failed'
        | 'PaymentSession.declined'
        | 'PaymentSession.requires_action'
        | 'PaymentSession.voided'
        | 'PaymentSession.void_failed'
        | 'PaymentSession.refunded'
        | 'PaymentSession.refund_failed'
        | 'Account.created'
        | 'Account.updated'
        | 'Account.verification_status_updated'
        | 'Person.created'
        | 'Person.updated'
        | 'Person.deleted'
        | 'PayoutMethod.created'
        | 'PayoutMethod.updated'
        | 'PayoutMethod.deleted'
        | 'Payout.created'
        | 'Payout.status_updated'
        | 'Customer.created'
        | 'Customer.updated'
        | 'Customer.deleted'
        | 'Subscription.created'
        | 'Subscription.updated'
        | 'Subscription.paused'
        | 'Subscription.resumed'
        | 'Subscription.cancelled'
        | 'Subscription.past_due'
        | 'Subscription.ended'
        | 'Transfer.created'
        | 'Transfer.updated'
        | 'Dispute.created'
        | 'Dispute.challenged'
        | 'Dispute.closed'
        | 'PlatformFee.created'
        | 'PlatformFee.refunded'
        | 'Conversion.created'
        | 'Conversion.updated'
        | 'Terminal.action_updated'
      )[];
    };
    reply: WebhookCreated;
  };
  'GET /v1/webhooks': { reply: { items: Webhook[] } };
  'GET /v1/webhooks/{webhookId}': { params: { webhookId: string }; reply: Webhook };
  'PATCH /v1/webhooks/{webhookId}': {
    params: { webhookId: string };
    body?: {
      url?: string | undefined;
      active?: boolean | undefined;
      eventTypes?:
        | (
            | 'PaymentSession.approved'
            | 'PaymentSession.captured'
            | 'PaymentSession.capture_failed'
            | 'PaymentSession.declined'
            | 'PaymentSession.requires_action'
            | 'PaymentSession.voided'
            | 'PaymentSession.void_failed'
            | 'PaymentSession.refunded'
            | 'PaymentSession.refund_failed'
            | 'Account.created'
            | 'Account.updated'
            | 'Account.verification_status_updated'
            | 'Person.created'
            | 'Person.updated'
            | 'Person.deleted'
            | 'PayoutMethod.created'
            | 'PayoutMethod.updated'
            | 'PayoutMethod.deleted'
            | 'Payout.created'
            | 'Payout.status_updated'
            | 'Customer.created'
            | 'Customer.updated'
            | 'Customer.deleted'
            | 'Subscription.created'
            | 'Subscription.updated'
            | 'Subscription.paused'
            | 'Subscription.resumed'
            | 'Subscription.cancelled'
            | 'Subscription.past_due'
            | 'Subscription.ended'
            | 'Transfer.created'
            | 'Transfer.updated'
            | 'Dispute.created'
            | 'Dispute.challenged'
            | 'Dispute.closed'
            | 'PlatformFee.created'
            | 'PlatformFee.refunded'
            | 'Conversion.created'
            | 'Conversion.updated'
            | 'Terminal.action_updated'
          )[]
        | undefined;
    };
    reply: Webhook;
  };
  'DELETE /v1/webhooks/{webhookId}': { params: { webhookId: string }; reply: { id: string } };
  'GET /v1/events': {
    query?: { ascending?: boolean | undefined; limit?: number | undefined; startsAfter?: string | undefined };
    reply: { items: Event[]; paginationToken: string | null };
  };
  'GET /v1/events/{eventId}': { params: { eventId: string }; reply: Event };
  'POST /v1/accounts': {
    body?: {
      email?: string | undefined;
      onboardingFlow?: 'Hosted' | 'NonHosted' | undefined;
      entityType?: 'Business' | 'Individual' | undefined;
      business?: BusinessInput | undefined;
      individual?: IndividualInput | undefined;
      metadata?: Record<string, string> | undefined;
      settings?:
        | { payouts?: { schedule?: { type?: 'Automatic' | 'Manual' | undefined } | undefined } | undefined }
        | undefined;
      capabilities?:
        | {
            visaPayments?: { requested: boolean } | undefined;
            mastercardPayments?: { requested: boolean } | undefined;
            amexPayments?: { requested: boolean } | undefined;
            inPersonPayments?: { requested: boolean } | undefined;
          }
        | undefined;
      termsOfService?:
        | { acceptance: { ipAddress: string; userAgent?: string | undefined; when?: number | undefined } }
        | undefined;
    };
    reply: Account;
  };
  'GET /v1/accounts/{id}': { params: { id: string }; reply: Account };
  'PATCH /v1/accounts/{id}': {
    params: { id: string };
    body?: {
      entityType?: 'Business' | 'Individual' | undefined;
      business?: BusinessChange | undefined;
      individual?: IndividualChange | undefined;
      documents?: DocumentInput[] | undefined;
      metadata?: Record<string, string> | undefined;
      settings?:
        | { payouts?: { schedule?: { type?: 'Automatic' | 'Manual' | undefined } | undefined } | undefined }
        | undefined;
      capabilities?:
        | {
            visaPayments?: { requested: boolean } | undefined;
            mastercardPayments?: { requested: boolean } | undefined;
            amexPayments?: { requested: boolean } | undefined;
            inPersonPayments?: { requested: boolean } | undefined;
          }
        | undefined;
      termsOfService?:
        | { acceptance: { ipAddress: string; userAgent?: string | undefined; when?: number | undefined } }
        | undefined;
    };
    reply: Account;
  };
  'POST /v1/accounts/{id}/verify': { params: { id: string }; reply: Account };
  'POST /v1/accounts/authorize': { body: { email: string; redirectUrl: string }; reply: AccountLink };
  'POST /v1/account-links': { body: { accountId: string; redirectUrl: string }; reply: AccountLink };
  'POST /v1/accounts/{id}/persons': {
    params: { id: string };
    body: {
      firstName: string;
      lastName: string;
      dateOfBirth: string;
      gender: 'Male' | 'Female';
      nationalities: string[];
      address: AccountAddress;
      email: string;
      phoneNumber: string;
      middleNames?: string | undefined;
      countryOfBirth?: string | undefined;
      businessRoles: ('BusinessContact' | 'Director' | 'UltimateBeneficialOwner')[];
      documents?: DocumentInput[] | undefined;
      metadata?: Record<string, string> | undefined;
    };
    reply: Person;
  };
  'GET /v1/accounts/{id}/persons': {
    params: { id: string };
    query?: { ascending?: boolean | undefined; limit?: number | undefined; startsAfter?: string | undefined };
    reply: { items: Person[]; paginationToken: string | null };
  };
  'GET /v1/accounts/{id}/persons/{personId}': { params: { id: string; personId: string }; reply: Person };
  'PATCH /v1/accounts/{id}/persons/{personId}': {
    params: { id: string; personId: string };
    body?: {
      firstName?: string | undefined;
      lastName?: string | undefined;
      dateOfBirth?: string | undefined;
      gender?: 'Male' | 'Female' | undefined;
      nationalities?: string[] | undefined;
      address?: AccountAddress | undefined;
      email?: string | undefined;
      phoneNumber?: string | undefined;
      middleNames?: string | undefined;
      countryOfBirth?: string | undefined;
      businessRoles?: ('BusinessContact' | 'Director' | 'UltimateBeneficialOwner')[] | undefined;
      documents?: DocumentInput[] | undefined;
      metadata?: Record<string, string> | undefined;
    };
    reply: Person;
  };
  'DELETE /v1/accounts/{id}/persons/{personId}': { params: { id: string; personId: string }; reply: Person };
  'POST /v1/accounts/{id}/payout-methods': {
    params: { id: string };
    body: {
      type: 'BankAccount';
      displayName?: string | undefined;
      currency:
        | 'GBP'
        | 'USD'
        | 'EUR'
        | 'CHF'
        | 'CAD'
        | 'AUD'
        | 'NZD'
        | 'AED'
        | 'TRY'
        | 'PLN'
        | 'RON'
        | 'DKK'
        | 'HKD'
        | 'ZAR'
        | 'SEK'
        | 'NOK'
        | 'CZK'
        | 'HUF';
      country: string;
      bankAccount: BankAccountInput;
    };
    reply: PayoutMethod;
  };
  'GET /v1/accounts/{id}/payout-methods': {
    params: { id: string };
    query?: { ascending?: boolean | undefined; limit?: number | undefined; startsAfter?: string | undefined };
    reply: { items: PayoutMethod[]; paginationToken: string | null };
  };
  'GET /v1/accounts/{id}/payout-methods/{payoutMethodId}': {
    params: { id: string; payoutMethodId: string };
    reply: PayoutMethod;
  };
  'PATCH /v1/accounts/{id}/payout-methods/{payoutMethodId}': {
    params: { id: string; payoutMethodId: string };
    body?: { displayName?: string | undefined; bankAccount?: BankAccountInput | undefined };
    reply: PayoutMethod;
  };
  'DELETE /v1/accounts/{id}/payout-methods/{payoutMethodId}': {
    params: { id: string; payoutMethodId: string };
    reply: PayoutMethod;
  };
  'POST /v1/accounts/{id}/payouts': {
    params: { id: string };
    body: {
      amount: number;
      currency:
        | 'GBP'
        | 'USD'
        | 'EUR'
        | 'CHF'
        | 'CAD'
        | 'AUD'
        | 'NZD'
        | 'AED'
        | 'TRY'
        | 'PLN'
        | 'RON'
        | 'DKK'
        | 'HKD'
        | 'ZAR'
        | 'SEK'
        | 'NOK'
        | 'CZK'
        | 'HUF';
      payoutMethodId: string;
      metadata?: Record<string, string> | undefined;
    };
    reply: Payout;
  };
  'GET /v1/accounts/{id}/payouts': {
    params: { id: string };
    query?: {
      ascending?: boolean | undefined;
      limit?: number | undefined;
      startsAfter?: string | undefined;
      paginationToken?: string | undefined;
      startTimestamp?: number | undefined;
      endTimestamp?: number | undefined;
      start?: number | undefined;
      end?: number | undefined;
      startDate?: string | undefined;
      endDate?: string | undefined;
    };
    reply: { payouts: Payout[]; items: Payout[]; paginationToken: string | null };
  };
  'GET /v1/accounts/{id}/payouts/{payoutId}': { params: { id: string; payoutId: string }; reply: Payout };
  'POST /v1/transfers': {
    body: {
      amount: number;
      currency:
        | 'GBP'
        | 'USD'
        | 'EUR'
        | 'CHF'
        | 'CAD'
        | 'AUD'
        | 'NZD'
        | 'AED'
        | 'TRY'
        | 'PLN'
        | 'RON'
        | 'DKK'
        | 'HKD'
        | 'ZAR'
        | 'SEK'
        | 'NOK'
        | 'CZK'
        | 'HUF';
      source?: { accountId: string } | undefined;
      destination?: { accountId: string } | undefined;
      reason?: string | undefined;
      metadata?: Record<string, string> | undefined;
    };
    reply: Transfer;
  };
  'GET /v1/transfers': {
    query?: { ascending?: boolean | undefined; limit?: number | undefined; startsAfter?: string | undefined };
    reply: { items: Transfer[]; paginationToken: string | null };
  };
  'GET /v1/transfers/{id}': { params: { id: string }; reply: Transfer };
  'GET /v1/balances': {
    query?: {
      currency?:
        | (
            | 'GBP'
            | 'USD'
            | 'EUR'
            | 'CHF'
            | 'CAD'
            | 'AUD'
            | 'NZD'
            | 'AED'
            | 'TRY'
            | 'PLN'
            | 'RON'
            | 'DKK'
            | 'HKD'
            | 'ZAR'
            | 'SEK'
            | 'NOK'
            | 'CZK'
            | 'HUF'
          )[]
        | undefined;
    };
    reply: { items: Balance[] };
  };
  'GET /v1/balance-transactions': {
    query?: {
      ascending?: boolean | undefined;
      limit?: number | undefined;
      startsAfter?: string | undefined;
      payoutId?: string | undefined;
    };
    reply: { items: BalanceTransaction[]; paginationToken: string | null };
  };
  'POST /v1/conversions': {
    body: {
      sell: {
        amount: number;
        currency:
          | 'GBP'
          | 'USD'
          | 'EUR'
          | 'CHF'
          | 'CAD'
          | 'AUD'
          | 'NZD'
          | 'AED'
          | 'TRY'
          | 'PLN'
          | 'RON'
          | 'DKK'
          | 'HKD'
          | 'ZAR'
          | 'SEK'
          | 'NOK'
          | 'CZK'
          | 'HUF';
      };
      buy: {
        currency:
          | 'GBP'
          | 'USD'
          | 'EUR'
          | 'CHF'
          | 'CAD'
          | 'AUD'
          | 'NZD'
          | 'AED'
          | 'TRY'
          | 'PLN'
          | 'RON'
          | 'DKK'
          | 'HKD'
          | 'ZAR'
          | 'SEK'
          | 'NOK'
          | 'CZK'
          | 'HUF';
      };
      termAgreement: boolean;
      reason?: string | undefined;
      metadata?: Record<string, string> | undefined;
    };
    reply: Conversion;
  };
  'GET /v1/conversions': {
    query?: {
      startTimestamp?: number | undefined;
      endTimestamp?: number | undefined;
      ascending?: boolean | undefined;
      limit?: number | undefined;
      startsAfter?: string | undefined;
    };
    reply: { items: Conversion[]; paginationToken: string | null };
  };
  'GET /v1/conversions/{conversionId}': { params: { conversionId: string }; reply: Conversion };
  'GET /v1/conversions/rate': {
    query: {
      sellCurrency:
        | 'GBP'
        | 'USD'
        | 'EUR'
        | 'CHF'
        | 'CAD'
        | 'AUD'
        | 'NZD'
        | 'AED'
        | 'TRY'
        | 'PLN'
        | 'RON'
        | 'DKK'
        | 'HKD'
        | 'ZAR'
        | 'SEK'
        | 'NOK'
        | 'CZK'
        | 'HUF';
      sellAmount?: number | undefined;
      amount?: number | undefined;
      buyCurrency:
        | 'GBP'
        | 'USD'
        | 'EUR'
        | 'CHF'
        | 'CAD'
        | 'AUD'
        | 'NZD'
        | 'AED'
        | 'TRY'
        | 'PLN'
        | 'RON'
        | 'DKK'
        | 'HKD'
        | 'ZAR'
        | 'SEK'
        | 'NOK'
        | 'CZK'
        | 'HUF';
    };
    reply: IndicativeRate;
  };
  'GET /v1/platform-fees': {
    query?: { ascending?: boolean | undefined; limit?: number | undefined; startsAfter?: string | undefined };
    reply: { items: PlatformFee[]; paginationToken: string | null };
  };
  'GET /v1/platform-fees/{platformFeeId}': { params: { platformFeeId: string }; reply: PlatformFee };
  'GET /v1/platform-fees/{platformFeeId}/refunds': {
    params: { platformFeeId: string };
    query?: { ascending?: boolean | undefined; limit?: number | undefined; startsAfter?: string | undefined };
    reply: { items: PlatformFeeRefund[]; paginationToken: string | null };
  };
  'POST /v1/customers': {
    body: {
      email: string;
      firstName?: string | undefined;
      lastName?: string | undefined;
      homePhoneNumber?: string | undefined;
      mobilePhoneNumber?: string | undefined;
      metadata?: Record<string, string> | undefined;
    };
    reply: Customer;
  };
  'GET /v1/customers': {
    query?: {
      ascending?: boolean | undefined;
      limit?: number | undefined;
      startsAfter?: string | undefined;
      startTimestamp?: number | undefined;
      endTimestamp?: number | undefined;
      email?: string | undefined;
    };
    reply: { items: Customer[]; paginationToken: string | null };
  };
  'GET /v1/customers/{customerId}': { params: { customerId: string }; reply: Customer };
  'PATCH /v1/customers/{customerId}': {
    params: { customerId: string };
    body?: {
      firstName?: string | undefined;
      lastName?: string | undefined;
      homePhoneNumber?: string | undefined;
      mobilePhoneNumber?: string | undefined;
      defaultPaymentMethod?: string | null | undefined;
      metadata?: Record<string, string> | undefined;
    };
    reply: Customer;
  };
  'DELETE /v1/customers/{customerId}': { params: { customerId: string }; reply: { id: string } };
  'GET /v1/customers/{customerId}/payment-methods': {
    params: { customerId: string };
    query?: { ascending?: boolean | undefined; limit?: number | undefined; startsAfter?: string | undefined };
    reply: { items: StoredPaymentMethod[]; paginationToken: string | null };
  };
  'GET /v1/payment-methods/{paymentMethodId}': {
    params: { paymentMethodId: string };
    reply: StoredPaymentMethod;
  };
  'PATCH /v1/payment-methods/{paymentMethodId}': {
    params: { paymentMethodId: string };
    body: { billingAddress: Address };
    reply: StoredPaymentMethod;
  };
  'DELETE /v1/payment-methods/{paymentMethodId}': {
    params: { paymentMethodId: string };
    reply: { id: string };
  };
  'POST /v1/subscriptions': {
    body: {
      description?: string | undefined;
      customer: { id: string };
      paymentMethod?: { id: string } | undefined;
      price: {
        amount: number;
        currency:
          | 'GBP'
          | 'USD'
          | 'EUR'
          | 'CHF'
          | 'CAD'
          | 'AUD'
          | 'NZD'
          | 'AED'
          | 'TRY'
          | 'PLN'
          | 'RON'
          | 'DKK'
          | 'HKD'
          | 'ZAR'
          | 'SEK'
          | 'NOK'
          | 'CZK'
          | 'HUF';
        interval: { unit: 'Days' | 'Months'; count: number; times?: number | undefined };
      };
      billingCycleTimestamp?: number | undefined;
      shippingDetails?: ShippingDetails | undefined;
      metadata?: Record<string, string> | undefined;
      paymentSettings?:
        { statementDescriptor?: { descriptor: string; city: string } | undefined } | undefined;
    };
    reply: Subscription;
  };
  'GET /v1/subscriptions': {
    query?: {
      ascending?: boolean | undefined;
      limit?: number | undefined;
      startsAfter?: string | undefined;
      startTimestamp?: number | undefined;
      endTimestamp?: number | undefined;
    };
    reply: { items: Subscription[]; paginationToken: string | null };
  };
  'GET /v1/subscriptions/{subscriptionId}': { params: { subscriptionId: string }; reply: Subscription };
  'PATCH /v1/subscriptions/{subscriptionId}': {
    params: { subscriptionId: string };
    body?: {
      description?: string | undefined;
      paymentMethod?: { id: string } | undefined;
      price?:
        | {
            amount?: number | undefined;
            interval?: { unit: 'Days' | 'Months'; count: number; times?: number | undefined } | undefined;
          }
        | undefined;
      billingCycleTimestamp?: number | undefined;
      shippingDetails?: ShippingDetails | undefined;
      metadata?: Record<string, string> | undefined;
      paymentSettings?:
        { statementDescriptor?: { descriptor: string; city: string } | undefined } | undefined;
    };
    reply: Subscription;
  };
  'DELETE /v1/subscriptions/{subscriptionId}': {
    params: { subscriptionId: string };
    body?: { reason?: string | undefined };
    reply: Subscription;
  };
  'PATCH /v1/subscriptions/{subscriptionId}/pause': {
    params: { subscriptionId: string };
    body?: {
      reason?: string | undefined;
      resumeAtTimestamp?: number | undefined;
      resumeTimestamp?: number | undefined;
      unschedule?: boolean | undefined;
    };
    reply: Subscription;
  };
  'PATCH /v1/subscriptions/{subscriptionId}/resume': {
    params: { subscriptionId: string };
    reply: Subscription;
  };
  'DELETE /v1/subscriptions/{subscriptionId}/cancel': {
    params: { subscriptionId: string };
    body?: { reason?: string | undefined };
    reply: Subscription;
  };
  'GET /v1/subscriptions/{subscriptionId}/payment-sessions': {
    params: { subscriptionId: string };
    query?: {
      ascending?: boolean | undefined;
      limit?: number | undefined;
      startsAfter?: string | undefined;
      startTimestamp?: number | undefined;
      endTimestamp?: number | undefined;
    };
    reply: { items: PaymentSession[]; paginationToken: string | null };
  };
  'POST /v1/files': { reply: File };
  'GET /v1/files': {
    query?: {
      ascending?: boolean | undefined;
      limit?: number | undefined;
      startsAfter?: string | undefined;
      category?: 'Evidence' | 'VerificationDocument' | 'Report' | undefined;
    };
    reply: { items: File[]; paginationToken: string | null };
  };
  'GET /v1/files/{id}': { params: { id: string }; reply: File };
  'GET /v1/disputes': {
    query?: {
      ascending?: boolean | undefined;
      limit?: number | undefined;
      startsAfter?: string | undefined;
      startTimestamp?: number | undefined;
      endTimestamp?: number | undefined;
    };
    reply: { items: Dispute[]; paginationToken: string | null };
  };
  'GET /v1/disputes/{disputeId}': { params: { disputeId: string }; reply: Dispute };
  'POST /v1/disputes/{disputeId}/accept': { params: { disputeId: string }; reply: Dispute };
  'PATCH /v1/disputes/{disputeId}/evidence': {
    params: { disputeId: string };
    body?: DisputeEvidence;
    reply: Dispute;
  };
  'DELETE /v1/disputes/{disputeId}/evidence': {
    params: { disputeId: string };
    body?: {
      text?: ('billingAddress' | 'shippingAddress' | 'duplicateTransaction' | 'uncategorised')[] | undefined;
      files?:
        | (
            | 'proofOfDelivery'
            | 'customerSignature'
            | 'receipt'
            | 'shippingConfirmation'
            | 'customerCommunication'
            | 'refundPolicy'
            | 'recurringPaymentAgreement'
            | 'uncategorised'
          )[]
        | undefined;
    };
    reply: Dispute;
  };
  'POST /v1/disputes/{disputeId}/challenge': { params: { disputeId: string }; reply: Dispute };
  'POST /v1/wallet-pay/web-domains': { body: { domainName: string }; reply: WalletDomain };
  'GET /v1/wallet-pay/web-domains': {
    query?: { ascending?: boolean | undefined; limit?: number | undefined; startsAfter?: string | undefined };
    reply: { items: WalletDomain[]; paginationToken: string | null };
  };
  'GET /v1/wallet-pay/web-domains/{id}': { params: { id: string }; reply: WalletDomain };
  'DELETE /v1/wallet-pay/web-domains/{id}': { params: { id: string }; reply: { id: string } };
  'POST /v1/wallet-pay/sessions': { body: { displayName: string; domainName: string }; reply: WalletSession };
  'POST /v1/apple-pay/web-domains': { body: { domainName: string }; reply: WalletDomain };
  'GET /v1/apple-pay/web-domains': {
    query?: { ascending?: boolean | undefined; limit?: number | undefined; startsAfter?: string | undefined };
    reply: { items: WalletDomain[]; paginationToken: string | null };
  };
  'GET /v1/apple-pay/web-domains/{id}': { params: { id: string }; reply: WalletDomain };
  'DELETE /v1/apple-pay/web-domains/{id}': { params: { id: string }; reply: { id: string } };
  'POST /v1/apple-pay/sessions': { body: { displayName: string; domainName: string }; reply: WalletSession };
  'POST /v1/in-person/locations': {
    body: {
      name: string;
      address: LocationAddress;
      geoCoordinates?: { latitude: number; longitude: number } | undefined;
      metadata?: Record<string, string> | undefined;
    };
    reply: Location;
  };
  'GET /v1/in-person/locations': {
    query?: { ascending?: boolean | undefined; limit?: number | undefined; startsAfter?: string | undefined };
    reply: { items: Location[]; paginationToken: string | null };
  };
  'GET /v1/in-person/locations/{id}': { params: { id: string }; reply: Location };
  'PATCH /v1/in-person/locations/{id}': {
    params: { id: string };
    body?: { name?: string | undefined; metadata?: Record<string, string> | undefined };
    reply: Location;
  };
  'DELETE /v1/in-person/locations/{id}': { params: { id: string }; reply: { id: string } };
  'POST /v1/in-person/terminals': {
    body: {
      serialNumber: string;
      locationId: string;
      name?: string | undefined;
      metadata?: Record<string, string> | undefined;
    };
    reply: Terminal;
  };
  'GET /v1/in-person/terminals': {
    query?: { ascending?: boolean | undefined; limit?: number | undefined; startsAfter?: string | undefined };
    reply: { items: Terminal[]; paginationToken: string | null };
  };
  'GET /v1/in-person/terminals/{id}': { params: { id: string }; reply: Terminal };
  'PATCH /v1/in-person/terminals/{id}': {
    params: { id: string };
    body?: {
      locationId?: string | undefined;
      name?: string | undefined;
      metadata?: Record<string, string> | undefined;
    };
    reply: Terminal;
  };
  'DELETE /v1/in-person/terminals/{id}': { params: { id: string }; reply: { id: string } };
  'POST /v1/in-person/terminals/{id}/payment': {
    params: { id: string };
    body: {
      amounts: { requested: number };
      currency:
        | 'GBP'
        | 'USD'
        | 'EUR'
        | 'CHF'
        | 'CAD'
        | 'AUD'
        | 'NZD'
        | 'AED'
        | 'TRY'
        | 'PLN'
        | 'RON'
        | 'DKK'
        | 'HKD'
        | 'ZAR'
        | 'SEK'
        | 'NOK'
        | 'CZK'
        | 'HUF';
      paymentSession?:
        | {
            platformFee?: number | undefined;
            metadata?: Record<string, string> | undefined;
            paymentSettings?: PaymentSettings | undefined;
          }
        | undefined;
      settings?: { receiptPrintingSource?: 'Terminal' | 'PointOfSale' | undefined } | undefined;
    };
    reply: Terminal;
  };
  'POST /v1/in-person/terminals/{id}/refund': {
    params: { id: string };
    body: {
      paymentSession: { id: string };
      amount?: number | undefined;
      refundPlatformFee?: boolean | undefined;
      settings?: { receiptPrintingSource?: 'Terminal' | 'PointOfSale' | undefined } | undefined;
    };
    reply: Terminal;
  };
  'POST /v1/in-person/terminals/{id}/cancel-action': { params: { id: string }; reply: Terminal };
  'POST /v1/in-person/terminals/{id}/confirm-receipt': {
    params: { id: string };
    body?: {
      merchantCopy?: { status: 'Succeeded' | 'Failed' } | undefined;
      customerCopy?: { status: 'Succeeded' | 'Failed' } | undefined;
    };
    reply: Terminal;
  };
  'GET /v1/in-person/products': {
    query?: { ascending?: boolean | undefined; limit?: number | undefined; startsAfter?: string | undefined };
    reply: { items: Product[]; paginationToken: string | null };
  };
  'GET /v1/in-person/products/{id}': { params: { id: string }; reply: Product };
  'GET /v1/in-person/skus': {
    query: {
      country: string;
      productId?: string | undefined;
      limit?: number | undefined;
      startsAfter?: string | undefined;
    };
    reply: { items: Sku[]; paginationToken: string | null };
  };
  'GET /v1/in-person/skus/{id}': { params: { id: string }; reply: Sku };
  'GET /v1/in-person/orders': {
    query?: { ascending?: boolean | undefined; limit?: number | undefined; startsAfter?: string | undefined };
    reply: { items: Order[]; paginationToken: string | null };
  };
  'GET /v1/in-person/orders/{id}': { params: { id: string }; reply: Order };
  'GET /sandbox/terminals': { reply: { items: SandboxTerminal[] } };
  'GET /sandbox/terminals/{id}': {
    params: { id: string };
    query?: { state?: string | undefined; online?: boolean | undefined; waitSeconds?: number | undefined };
    reply: SandboxTerminal;
  };
  'POST /sandbox/terminals/{id}/present-card': {
    params: { id: string };
    body: { card: string; entryMode?: 'Contactless' | 'Contact' | 'Swipe' | 'Wallet' | undefined };
    reply: SimulatedTerminal;
  };
  'POST /sandbox/terminals/{id}/remove-card': { params: { id: string }; reply: SimulatedTerminal };
  'POST /sandbox/terminals/{id}/press-keys': {
    params: { id: string };
    body: {
      keys: ('0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | 'enter' | 'clear' | 'cancel')[];
    };
    reply: SimulatedTerminal;
  };
  'POST /sandbox/terminals/{id}/power': {
    params: { id: string };
    body: { state: 'off' | 'on' };
    reply: SimulatedTerminal;
  };
  'POST /sandbox/terminals/{id}/network': {
    params: { id: string };
    body: { state: 'off' | 'on' };
    reply: SimulatedTerminal;
  };
  'POST /sandbox/terminals/{id}/reader': {
    params: { id: string };
    body: { state: 'unplugged' | 'plugged-in' };
    reply: SimulatedTerminal;
  };
  'POST /sandbox/terminals/{id}/paper': {
    params: { id: string };
    body: { sheets: number };
    reply: SimulatedTerminal;
  };
  'POST /sandbox/terminals/{id}/control': {
    params: { id: string };
    body: { control: string; argument?: string | undefined };
    reply: SimulatedTerminal;
  };
  'POST /sandbox/terminals/{id}/cardholder': {
    params: { id: string };
    body: {
      script:
        'tap' | 'contact-pin' | 'wrong-pin-twice' | 'remove-early' | 'walk-away' | 'press-cancel' | 'none';
      card?: string | undefined;
      entryMode?: 'Contactless' | 'Contact' | 'Swipe' | 'Wallet' | undefined;
      pin?: string | undefined;
      delayMs?: number | undefined;
      actionId?: string | undefined;
    };
    reply: SimulatedTerminal;
  };
  'POST /sandbox/terminals/{id}/payment': {
    params: { id: string };
    body: {
      amounts: { requested: number };
      currency:
        | 'GBP'
        | 'USD'
        | 'EUR'
        | 'CHF'
        | 'CAD'
        | 'AUD'
        | 'NZD'
        | 'AED'
        | 'TRY'
        | 'PLN'
        | 'RON'
        | 'DKK'
        | 'HKD'
        | 'ZAR'
        | 'SEK'
        | 'NOK'
        | 'CZK'
        | 'HUF';
      paymentSession?:
        | {
            platformFee?: number | undefined;
            metadata?: Record<string, string> | undefined;
            paymentSettings?: PaymentSettings | undefined;
          }
        | undefined;
      settings?: { receiptPrintingSource?: 'Terminal' | 'PointOfSale' | undefined } | undefined;
      cardholder?:
        | {
            script?:
              | 'tap'
              | 'contact-pin'
              | 'wrong-pin-twice'
              | 'remove-early'
              | 'walk-away'
              | 'press-cancel'
              | 'none'
              | undefined;
            card?: string | undefined;
            entryMode?: 'Contactless' | 'Contact' | 'Swipe' | 'Wallet' | undefined;
            pin?: string | undefined;
            delayMs?: number | undefined;
          }
        | undefined;
    };
    reply: Terminal;
  };
  'POST /sandbox/terminals/{id}/refund': {
    params: { id: string };
    body: {
      paymentSession: { id: string };
      amount?: number | undefined;
      refundPlatformFee?: boolean | undefined;
      settings?: { receiptPrintingSource?: 'Terminal' | 'PointOfSale' | undefined } | undefined;
      cardholder?:
        | {
            script?:
              | 'tap'
              | 'contact-pin'
              | 'wrong-pin-twice'
              | 'remove-early'
              | 'walk-away'
              | 'press-cancel'
              | 'none'
              | undefined;
            card?: string | undefined;
            entryMode?: 'Contactless' | 'Contact' | 'Swipe' | 'Wallet' | undefined;
            pin?: string | undefined;
            delayMs?: number | undefined;
          }
        | undefined;
    };
    reply: Terminal;
  };
  'POST /sandbox/fleets': {
    body: { terminals: number; locationId?: string | undefined; namePrefix?: string | undefined };
    reply: Fleet;
  };
  'GET /sandbox/actions/{id}': { params: { id: string }; reply: SandboxAction };
  'GET /sandbox/actions/{id}/receipt': {
    params: { id: string };
    reply: { merchantCopy: string; customerCopy: string; fields: Record<string, string> };
  };
  'POST /sandbox/terminals/{id}/settle': {
    params: { id: string };
    body: { outcome: 'Charged' | 'NotCharged' };
    reply: Terminal;
  };
  'GET /sandbox/accounts': { reply: { items: SandboxAccount[] } };
  'PATCH /sandbox/accounts/{id}/settings': {
    params: { id: string };
    body?: {
      returnUrl?: string | undefined;
      statementDescriptor?: { descriptor: string; city: string } | undefined;
      currencies?:
        | (
            | 'GBP'
            | 'USD'
            | 'EUR'
            | 'CHF'
            | 'CAD'
            | 'AUD'
            | 'NZD'
            | 'AED'
            | 'TRY'
            | 'PLN'
            | 'RON'
            | 'DKK'
            | 'HKD'
            | 'ZAR'
            | 'SEK'
            | 'NOK'
            | 'CZK'
            | 'HUF'
          )[]
        | undefined;
      preAuthAllowed?: boolean | undefined;
      motoAllowed?: boolean | undefined;
      minimumPayoutMinor?: number | undefined;
      frozen?: boolean | undefined;
      threeDsRedirect?: boolean | undefined;
      verifyAboveMinor?:
        | {
            GBP?: number | undefined;
            USD?: number | undefined;
            EUR?: number | undefined;
            CHF?: number | undefined;
            CAD?: number | undefined;
            AUD?: number | undefined;
            NZD?: number | undefined;
            AED?: number | undefined;
            TRY?: number | undefined;
            PLN?: number | undefined;
            RON?: number | undefined;
            DKK?: number | undefined;
            HKD?: number | undefined;
            ZAR?: number | undefined;
            SEK?: number | undefined;
            NOK?: number | undefined;
            CZK?: number | undefined;
            HUF?: number | undefined;
          }
        | undefined;
    };
    reply: SandboxAccount;
  };
  'POST /sandbox/accounts/{id}/verification': {
    params: { id: string };
    body: {
      outcome: 'Verified' | 'Required';
      errors?:
        | { code: 'InvalidDocument' | 'InvalidField'; id: string; description?: string | undefined }[]
        | undefined;
    };
    reply: Account;
  };
  'POST /sandbox/accounts/{id}/persons/{personId}/verification': {
    params: { id: string; personId: string };
    body: {
      outcome: 'Verified' | 'Required';
      errors?:
        | { code: 'InvalidDocument' | 'InvalidField'; id: string; description?: string | undefined }[]
        | undefined;
    };
    reply: Person;
  };
  'POST /sandbox/payouts/{id}/outcome': {
    params: { id: string };
    body: {
      status:
        | 'Pending'
        | 'InProgress'
        | 'Completed'
        | 'Failed'
        | 'PendingAccountVerification'
        | 'PendingTransactionVerification'
        | 'PendingPayoutMethodAction'
        | 'PendingAccountAction'
        | 'Cancelled'
        | 'Expired'
        | 'Recalled'
        | 'Returned';
    };
    reply: Payout;
  };
  'POST /sandbox/payout-methods/{id}/verification': {
    params: { id: string };
    body: {
      status: 'Unverified' | 'Pending' | 'NotSupported' | 'Verified' | 'Rejected';
      nameOnAccount?: string | undefined;
      rejectionReason?: 'NameMismatch' | 'CheckUnavailable' | undefined;
    };
    reply: PayoutMethod;
  };
  'POST /sandbox/payment-sessions/{id}/authentication': {
    params: { id: string };
    body: { outcome: 'Identified' | 'Authenticated' | 'Failed' };
    reply: {
      paymentSessionId: string;
      status: 'PendingPayment' | 'PendingAction' | 'Processing' | 'Approved' | 'Captured' | 'Voided';
    };
  };
  'POST /sandbox/payment-sessions/{paymentSessionId}/fail-next': {
    params: { paymentSessionId: string };
    body: { type: 'Capture' | 'Void' | 'Refund' | null };
    reply: { paymentSessionId: string; type: 'Capture' | 'Void' | 'Refund' | null };
  };
  'POST /sandbox/payment-sessions/{paymentSessionId}/decline-next': {
    params: { paymentSessionId: string };
    body: {
      code:
        | 'insufficient_funds'
        | 'declined_do_not_honour'
        | 'invalid_card_number'
        | 'cvv2_failure'
        | 'cvc_required'
        | 'restricted_card'
        | 'blacklisted_card'
        | 'blacklisted_bin'
        | 'blacklisted_country'
        | 'blacklisted_ip'
        | 'risk_declined'
        | 'security_violation'
        | 'expired_card'
        | 'gateway_reject'
        | 'suspected_fraud'
        | 'contact_issuer'
        | 'bad_track_data'
        | 'not_permitted'
        | 'invalid_account'
        | 'pickup_card'
        | 'stolen_card'
        | 'issuer_decline'
        | 'closed_account'
        | 'account_not_activated'
        | 'limit_exceeded'
        | 'withdrawal_limit_exceeded'
        | '3ds_authentication_failure'
        | '3ds_cardholder_not_participating'
        | '3ds_authentication_required'
        | 'payment_method_option_amex_disabled'
        | 'issuer_error'
        | 'system_error'
        | 'unknown_error'
        | null;
    };
    reply: {
      paymentSessionId: string;
      code:
        | 'insufficient_funds'
        | 'declined_do_not_honour'
        | 'invalid_card_number'
        | 'cvv2_failure'
        | 'cvc_required'
        | 'restricted_card'
        | 'blacklisted_card'
        | 'blacklisted_bin'
        | 'blacklisted_country'
        | 'blacklisted_ip'
        | 'risk_declined'
        | 'security_violation'
        | 'expired_card'
        | 'gateway_reject'
        | 'suspected_fraud'
        | 'contact_issuer'
        | 'bad_track_data'
        | 'not_permitted'
        | 'invalid_account'
        | 'pickup_card'
        | 'stolen_card'
        | 'issuer_decline'
        | 'closed_account'
        | 'account_not_activated'
        | 'limit_exceeded'
        | 'withdrawal_limit_exceeded'
        | '3ds_authentication_failure'
        | '3ds_cardholder_not_participating'
        | '3ds_authentication_required'
        | 'payment_method_option_amex_disabled'
        | 'issuer_error'
        | 'system_error'
        | 'unknown_error'
        | null;
    };
  };
  'POST /sandbox/payment-sessions/{id}/disputes': {
    params: { id: string };
    body?: {
      amount?: number | undefined;
      category?:
        'Fraudulent' | 'Authorization' | 'ProcessingError' | 'CardholderDispute' | 'General' | undefined;
      reason?: { code: string; description: string } | undefined;
    };
    reply: Dispute;
  };
  'POST /sandbox/disputes/{id}/outcome': {
    params: { id: string };
    body: { status: 'Won' | 'Lost' | 'Cancelled' };
    reply: Dispute;
  };
  'GET /sandbox/clock': { reply: SandboxTime };
  'POST /sandbox/clock/advance': { body: { seconds: number }; reply: SandboxTime };
  'POST /sandbox/reset': { reply: SandboxReset };
  'POST /sandbox/events/{eventId}/deliver': { params: { eventId: string }; reply: Event };
  'GET /sandbox/webhooks': { reply: { items: WebhookEndpoint[] } };
  'GET /sandbox/deliveries': {
    query?: {
      ascending?: boolean | undefined;
      limit?: number | undefined;
      startsAfter?: string | undefined;
      status?: 'Pending' | 'Retrying' | 'Delivered' | 'Failed' | undefined;
      reply?: string | undefined;
      event?: string | undefined;
      object?: string | undefined;
      endpoint?: string | undefined;
      text?: string | undefined;
    };
    reply: { items: DeliverySummary[]; paginationToken: string | null };
  };
  'GET /sandbox/deliveries/{deliveryId}': { params: { deliveryId: string }; reply: Delivery };
  'POST /sandbox/deliveries/{deliveryId}/send': { params: { deliveryId: string }; reply: Delivery };
  'GET /sandbox/requests': {
    query?: {
      ascending?: boolean | undefined;
      limit?: number | undefined;
      startsAfter?: string | undefined;
      status?: string | undefined;
      method?: string | undefined;
      path?: string | undefined;
      object?: string | undefined;
      historyOf?: string | undefined;
      idempotencyKey?: 'used' | 'ignored' | undefined;
      account?: string | undefined;
      text?: string | undefined;
    };
    reply: { items: RequestSummary[]; paginationToken: string | null };
  };
  'GET /sandbox/requests/{id}': { params: { id: string }; reply: StoredRequest };
  'GET /sandbox/objects': {
    query: {
      ascending?: boolean | undefined;
      limit?: number | undefined;
      startsAfter?: string | undefined;
      startTimestamp?: number | undefined;
      endTimestamp?: number | undefined;
      type:
        | 'paymentSession'
        | 'transaction'
        | 'dispute'
        | 'customer'
        | 'paymentMethod'
        | 'subscription'
        | 'account'
        | 'person'
        | 'payoutMethod'
        | 'payout'
        | 'balanceTransaction'
        | 'transfer'
        | 'platformFee'
        | 'platformFeeRefund'
        | 'conversion'
        | 'file'
        | 'walletDomain'
        | 'terminal'
        | 'action'
        | 'location'
        | 'product'
        | 'sku'
        | 'order'
        | 'event'
        | 'webhook'
        | 'balance';
      account?: string | undefined;
      status?: string | undefined;
      category?: string | undefined;
      object?: string | undefined;
      historyOf?: string | undefined;
      text?: string | undefined;
    };
    reply: { items: ObjectSummary[]; paginationToken: string | null };
  };
  'GET /sandbox/objects/{id}': { params: { id: string }; reply: ObjectDetail };
  'GET /sandbox/search': { query: { text: string }; reply: { items: SearchResult[] } };
  'POST /sandbox/faults': {
    body: {
      title?: string | undefined;
      seed?: string | undefined;
      faults: (
        | {
            at: 'api.request';
            what: 'reset' | 'delay' | 'rate-limited' | 'unavailable';
            when?:
              | {
                  operation?: string | undefined;
                  id?: string | undefined;
                  nth?: number | undefined;
                  times?: number | undefined;
                  forMs?: number | undefined;
                  percent?: number | undefined;
                }
              | undefined;
            delayMs?: number | undefined;
          }
        | {
            at: 'api.reply';
            what: 'reset' | 'no-reply' | 'delay';
            when?:
              | {
                  operation?: string | undefined;
                  id?: string | undefined;
                  nth?: number | undefined;
                  times?: number | undefined;
                  forMs?: number | undefined;
                  percent?: number | undefined;
                }
              | undefined;
            delayMs?: number | undefined;
          }
        | {
            at: 'message.command';
            what:
              | 'lost'
              | 'delay'
              | 'twice'
              | 'out-of-order'
              | 'network-down'
              | 'broker-away'
              | 'unknown-message'
              | 'cut-message'
              | 'large-body'
              | 'other-action'
              | 'report-request'
              | 'presence-request';
            when?:
              | {
                  message?: string | undefined;
                  id?: string | undefined;
                  nth?: number | undefined;
                  times?: number | undefined;
                  forMs?: number | undefined;
                  percent?: number | undefined;
                }
              | undefined;
            delayMs?: number | undefined;
          }
        | {
            at: 'message.report';
            what: 'lost' | 'delay' | 'twice' | 'out-of-order' | 'network-down' | 'broker-away';
            when?:
              | {
                  message?: string | undefined;
                  id?: string | undefined;
                  nth?: number | undefined;
                  times?: number | undefined;
                  forMs?: number | undefined;
                  percent?: number | undefined;
                }
              | undefined;
            delayMs?: number | undefined;
          }
        | {
            at: 'terminal.state';
            what: 'power-cut' | 'network-down' | 'paper-out' | 'reader-unplugged';
            when?:
              | {
                  state?: string | undefined;
                  id?: string | undefined;
                  nth?: number | undefined;
                  times?: number | undefined;
                  forMs?: number | undefined;
                  percent?: number | undefined;
                }
              | undefined;
            delayMs?: number | undefined;
          }
        | {
            at: 'terminal.effect';
            what: 'power-cut-before' | 'power-cut-after';
            when?:
              | {
                  effect?: string | undefined;
                  id?: string | undefined;
                  nth?: number | undefined;
                  times?: number | undefined;
                  forMs?: number | undefined;
                  percent?: number | undefined;
                }
              | undefined;
            delayMs?: number | undefined;
          }
        | {
            at: 'device.message';
            what: 'lost' | 'delay' | 'twice' | 'split' | 'corrupt' | 'cut';
            when?:
              | {
                  id?: string | undefined;
                  nth?: number | undefined;
                  times?: number | undefined;
                  forMs?: number | undefined;
                  percent?: number | undefined;
                }
              | undefined;
            delayMs?: number | undefined;
          }
        | {
            at: 'device.charged';
            what: 'lost' | 'delay' | 'twice' | 'split' | 'corrupt' | 'cut';
            when?:
              | {
                  id?: string | undefined;
                  nth?: number | undefined;
                  times?: number | undefined;
                  forMs?: number | undefined;
                  percent?: number | undefined;
                }
              | undefined;
            delayMs?: number | undefined;
          }
        | {
            at: 'server.commit';
            what: 'delay' | 'kill-before' | 'kill-after';
            when?:
              | {
                  nth?: number | undefined;
                  times?: number | undefined;
                  forMs?: number | undefined;
                  percent?: number | undefined;
                }
              | undefined;
            delayMs?: number | undefined;
          }
        | {
            at: 'webhook.attempt';
            what:
              | 'dropped'
              | 'delay'
              | 'twice'
              | 'twice-at-once'
              | 'beside'
              | 'out-of-order'
              | 'slow-body'
              | 'wrong-secret'
              | 'cut-body'
              | 'unsigned'
              | 'altered-body'
              | 'spaced-body'
              | 'large-body'
              | 'unknown-type';
            when?:
              | {
                  eventType?: string | undefined;
                  id?: string | undefined;
                  untilAttempt?: number | undefined;
                  nth?: number | undefined;
                  times?: number | undefined;
                  forMs?: number | undefined;
                  percent?: number | undefined;
                }
              | undefined;
            delayMs?: number | undefined;
          }
        | {
            at: 'bank.authorisation';
            what: 'declined';
            when?:
              | {
                  id?: string | undefined;
                  nth?: number | undefined;
                  times?: number | undefined;
                  forMs?: number | undefined;
                  percent?: number | undefined;
                }
              | undefined;
            delayMs?: number | undefined;
          }
        | {
            at: 'bank.renewal';
            what: 'authentication-required';
            when?:
              | {
                  id?: string | undefined;
                  nth?: number | undefined;
                  times?: number | undefined;
                  forMs?: number | undefined;
                  percent?: number | undefined;
                }
              | undefined;
            delayMs?: number | undefined;
          }
        | {
            at: 'bank.settlement';
            what: 'failed';
            when?:
              | {
                  operation?: string | undefined;
                  id?: string | undefined;
                  nth?: number | undefined;
                  times?: number | undefined;
                  forMs?: number | undefined;
                  percent?: number | undefined;
                }
              | undefined;
            delayMs?: number | undefined;
          }
        | {
            at: 'bank.payout';
            what: 'refused';
            when?:
              | {
                  id?: string | undefined;
                  nth?: number | undefined;
                  times?: number | undefined;
                  forMs?: number | undefined;
                  percent?: number | undefined;
                }
              | undefined;
            delayMs?: number | undefined;
          }
        | {
            at: 'bank.dispute';
            what: 'opposite';
            when?:
              | {
                  id?: string | undefined;
                  nth?: number | undefined;
                  times?: number | undefined;
                  forMs?: number | undefined;
                  percent?: number | undefined;
                }
              | undefined;
            delayMs?: number | undefined;
          }
        | {
            at: 'cardholder.card';
            what: 'leaves' | 'cancels';
            when?:
              | {
                  id?: string | undefined;
                  nth?: number | undefined;
                  times?: number | undefined;
                  forMs?: number | undefined;
                  percent?: number | undefined;
                }
              | undefined;
            delayMs?: number | undefined;
          }
        | {
            at: 'cardholder.pin';
            what: 'wrong-pin';
            when?:
              | {
                  id?: string | undefined;
                  nth?: number | undefined;
                  times?: number | undefined;
                  forMs?: number | undefined;
                  percent?: number | undefined;
                }
              | undefined;
            delayMs?: number | undefined;
          }
        | {
            at: 'cardholder.challenge';
            what: 'leaves' | 'refuses';
            when?:
              | {
                  id?: string | undefined;
                  nth?: number | undefined;
                  times?: number | undefined;
                  forMs?: number | undefined;
                  percent?: number | undefined;
                }
              | undefined;
            delayMs?: number | undefined;
          }
      )[];
    };
    reply: {
      id: string;
      title: string;
      seed: string;
      status: 'Active' | 'Ended' | 'Ignored';
      createdTimestamp: number;
      faults: (
        | {
            at: 'api.request';
            what: 'reset' | 'delay' | 'rate-limited' | 'unavailable';
            when?: {
              operation?: string;
              id?: string;
              nth?: number;
              times?: number;
              forMs?: number;
              percent?: number;
            };
            delayMs?: number;
          }
        | {
            at: 'api.reply';
            what: 'reset' | 'no-reply' | 'delay';
            when?: {
              operation?: string;
              id?: string;
              nth?: number;
              times?: number;
              forMs?: number;
              percent?: number;
            };
            delayMs?: number;
          }
        | {
            at: 'message.command';
            what:
              | 'lost'
              | 'delay'
              | 'twice'
              | 'out-of-order'
              | 'network-down'
              | 'broker-away'
              | 'unknown-message'
              | 'cut-message'
              | 'large-body'
              | 'other-action'
              | 'report-request'
              | 'presence-request';
            when?: {
              message?: string;
              id?: string;
              nth?: number;
              times?: number;
              forMs?: number;
              percent?: number;
            };
            delayMs?: number;
          }
        | {
            at: 'message.report';
            what: 'lost' | 'delay' | 'twice' | 'out-of-order' | 'network-down' | 'broker-away';
            when?: {
              message?: string;
              id?: string;
              nth?: number;
              times?: number;
              forMs?: number;
              percent?: number;
            };
            delayMs?: number;
          }
        | {
            at: 'terminal.state';
            what: 'power-cut' | 'network-down' | 'paper-out' | 'reader-unplugged';
            when?: {
              state?: string;
              id?: string;
              nth?: number;
              times?: number;
              forMs?: number;
              percent?: number;
            };
            delayMs?: number;
          }
        | {
            at: 'terminal.effect';
            what: 'power-cut-before' | 'power-cut-after';
            when?: {
              effect?: string;
              id?: string;
              nth?: number;
              times?: number;
              forMs?: number;
              percent?: number;
            };
            delayMs?: number;
          }
        | {
            at: 'device.message';
            what: 'lost' | 'delay' | 'twice' | 'split' | 'corrupt' | 'cut';
            when?: { id?: string; nth?: number; times?: number; forMs?: number; percent?: number };
            delayMs?: number;
          }
        | {
            at: 'device.charged';
            what: 'lost' | 'delay' | 'twice' | 'split' | 'corrupt' | 'cut';
            when?: { id?: string; nth?: number; times?: number; forMs?: number; percent?: number };
            delayMs?: number;
          }
        | {
            at: 'server.commit';
            what: 'delay' | 'kill-before' | 'kill-after';
            when?: { nth?: number; times?: number; forMs?: number; percent?: number };
            delayMs?: number;
          }
        | {
            at: 'webhook.attempt';
            what:
              | 'dropped'
              | 'delay'
              | 'twice'
              | 'twice-at-once'
              | 'beside'
              | 'out-of-order'
              | 'slow-body'
              | 'wrong-secret'
              | 'cut-body'
              | 'unsigned'
              | 'altered-body'
              | 'spaced-body'
              | 'large-body'
              | 'unknown-type';
            when?: {
              eventType?: string;
              id?: string;
              untilAttempt?: number;
              nth?: number;
              times?: number;
              forMs?: number;
              percent?: number;
            };
            delayMs?: number;
          }
        | {
            at: 'bank.authorisation';
            what: 'declined';
            when?: { id?: string; nth?: number; times?: number; forMs?: number; percent?: number };
            delayMs?: number;
          }
        | {
            at: 'bank.renewal';
            what: 'authentication-required';
            when?: { id?: string; nth?: number; times?: number; forMs?: number; percent?: number };
            delayMs?: number;
          }
        | {
            at: 'bank.settlement';
            what: 'failed';
            when?: {
              operation?: string;
              id?: string;
              nth?: number;
              times?: number;
              forMs?: number;
              percent?: number;
            };
            delayMs?: number;
          }
        | {
            at: 'bank.payout';
            what: 'refused';
            when?: { id?: string; nth?: number; times?: number; forMs?: number; percent?: number };
            delayMs?: number;
          }
        | {
            at: 'bank.dispute';
            what: 'opposite';
            when?: { id?: string; nth?: number; times?: number; forMs?: number; percent?: number };
            delayMs?: number;
          }
        | {
            at: 'cardholder.card';
            what: 'leaves' | 'cancels';
            when?: { id?: string; nth?: number; times?: number; forMs?: number; percent?: number };
            delayMs?: number;
          }
        | {
            at: 'cardholder.pin';
            what: 'wrong-pin';
            when?: { id?: string; nth?: number; times?: number; forMs?: number; percent?: number };
            delayMs?: number;
          }
        | {
            at: 'cardholder.challenge';
            what: 'leaves' | 'refuses';
            when?: { id?: string; nth?: number; times?: number; forMs?: number; percent?: number };
            delayMs?: number;
          }
      )[];
      struck: number;
      struckByFault: number[];
      strikes: {
        number: number;
        fault: number;
        occurrence: number;
        timestamp: number;
        what: string;
        subject: string;
        ids: string[];
      }[];
    };
  };
  'GET /sandbox/faults': {
    query?: { strikes?: number | undefined; strikesAfter?: number | undefined };
    reply: {
      items: {
        id: string;
        title: string;
        seed: string;
        status: 'Active' | 'Ended' | 'Ignored';
        createdTimestamp: number;
        faults: (
          | {
              at: 'api.request';
              what: 'reset' | 'delay' | 'rate-limited' | 'unavailable';
              when?: {
                operation?: string;
                id?: string;
                nth?: number;
                times?: number;
                forMs?: number;
                percent?: number;
              };
              delayMs?: number;
            }
          | {
              at: 'api.reply';
              what: 'reset' | 'no-reply' | 'delay';
              when?: {
                operation?: string;
                id?: string;
                nth?: number;
                times?: number;
                forMs?: number;
                percent?: number;
              };
              delayMs?: number;
            }
          | {
              at: 'message.command';
              what:
                | 'lost'
                | 'delay'
                | 'twice'
                | 'out-of-order'
                | 'network-down'
                | 'broker-away'
                | 'unknown-message'
                | 'cut-message'
                | 'large-body'
                | 'other-action'
                | 'report-request'
                | 'presence-request';
              when?: {
                message?: string;
                id?: string;
                nth?: number;
                times?: number;
                forMs?: number;
                percent?: number;
              };
              delayMs?: number;
            }
          | {
              at: 'message.report';
              what: 'lost' | 'delay' | 'twice' | 'out-of-order' | 'network-down' | 'broker-away';
              when?: {
                message?: string;
                id?: string;
                nth?: number;
                times?: number;
                forMs?: number;
                percent?: number;
              };
              delayMs?: number;
            }
          | {
              at: 'terminal.state';
              what: 'power-cut' | 'network-down' | 'paper-out' | 'reader-unplugged';
              when?: {
                state?: string;
                id?: string;
                nth?: number;
                times?: number;
                forMs?: number;
                percent?: number;
              };
              delayMs?: number;
            }
          | {
              at: 'terminal.effect';
              what: 'power-cut-before' | 'power-cut-after';
              when?: {
                effect?: string;
                id?: string;
                nth?: number;
                times?: number;
                forMs?: number;
                percent?: number;
              };
              delayMs?: number;
            }
          | {
              at: 'device.message';
              what: 'lost' | 'delay' | 'twice' | 'split' | 'corrupt' | 'cut';
              when?: { id?: string; nth?: number; times?: number; forMs?: number; percent?: number };
              delayMs?: number;
            }
          | {
              at: 'device.charged';
              what: 'lost' | 'delay' | 'twice' | 'split' | 'corrupt' | 'cut';
              when?: { id?: string; nth?: number; times?: number; forMs?: number; percent?: number };
              delayMs?: number;
            }
          | {
              at: 'server.commit';
              what: 'delay' | 'kill-before' | 'kill-after';
              when?: { nth?: number; times?: number; forMs?: number; percent?: number };
              delayMs?: number;
            }
          | {
              at: 'webhook.attempt';
              what:
                | 'dropped'
                | 'delay'
                | 'twice'
                | 'twice-at-once'
                | 'beside'
                | 'out-of-order'
                | 'slow-body'
                | 'wrong-secret'
                | 'cut-body'
                | 'unsigned'
                | 'altered-body'
                | 'spaced-body'
                | 'large-body'
                | 'unknown-type';
              when?: {
                eventType?: string;
                id?: string;
                untilAttempt?: number;
                nth?: number;
                times?: number;
                forMs?: number;
                percent?: number;
              };
              delayMs?: number;
            }
          | {
              at: 'bank.authorisation';
              what: 'declined';
              when?: { id?: string; nth?: number; times?: number; forMs?: number; percent?: number };
              delayMs?: number;
            }
          | {
              at: 'bank.renewal';
              what: 'authentication-required';
              when?: { id?: string; nth?: number; times?: number; forMs?: number; percent?: number };
              delayMs?: number;
            }
          | {
              at: 'bank.settlement';
              what: 'failed';
              when?: {
                operation?: string;
                id?: string;
                nth?: number;
                times?: number;
                forMs?: number;
                percent?: number;
              };
              delayMs?: number;
            }
          | {
              at: 'bank.payout';
              what: 'refused';
              when?: { id?: string; nth?: number; times?: number; forMs?: number; percent?: number };
              delayMs?: number;
            }
          | {
              at: 'bank.dispute';
              what: 'opposite';
              when?: { id?: string; nth?: number; times?: number; forMs?: number; percent?: number };
              delayMs?: number;
            }
          | {
              at: 'cardholder.card';
              what: 'leaves' | 'cancels';
              when?: { id?: string; nth?: number; times?: number; forMs?: number; percent?: number };
              delayMs?: number;
            }
          | {
              at: 'cardholder.pin';
              what: 'wrong-pin';
              when?: { id?: string; nth?: number; times?: number; forMs?: number; percent?: number };
              delayMs?: number;
            }
          | {
              at: 'cardholder.challenge';
              what: 'leaves' | 'refuses';
              when?: { id?: string; nth?: number; times?: number; forMs?: number; percent?: number };
              delayMs?: number;
            }
        )[];
        struck: number;
        struckByFault: number[];
        strikes: {
          number: number;
          fault: number;
          occurrence: number;
          timestamp: number;
          what: string;
          subject: string;
          ids: string[];
        }[];
      }[];
    };
  };
  'GET /sandbox/faults/{id}': {
    params: { id: string };
    query?: { strikes?: number | undefined; strikesAfter?: number | undefined };
    reply: {
      id: string;
      title: string;
      seed: string;
      status: 'Active' | 'Ended' | 'Ignored';
      createdTimestamp: number;
      faults: (
        | {
            at: 'api.request';
            what: 'reset' | 'delay' | 'rate-limited' | 'unavailable';
            when?: {
              operation?: string;
              id?: string;
              nth?: number;
              times?: number;
              forMs?: number;
              percent?: number;
            };
            delayMs?: number;
          }
        | {
            at: 'api.reply';
            what: 'reset' | 'no-reply' | 'delay';
            when?: {
              operation?: string;
              id?: string;
              nth?: number;
              times?: number;
              forMs?: number;
              percent?: number;
            };
            delayMs?: number;
          }
        | {
            at: 'message.command';
            what:
              | 'lost'
              | 'delay'
              | 'twice'
              | 'out-of-order'
              | 'network-down'
              | 'broker-away'
              | 'unknown-message'
              | 'cut-message'
              | 'large-body'
              | 'other-action'
              | 'report-request'
              | 'presence-request';
            when?: {
              message?: string;
              id?: string;
              nth?: number;
              times?: number;
              forMs?: number;
              percent?: number;
            };
            delayMs?: number;
          }
        | {
            at: 'message.report';
            what: 'lost' | 'delay' | 'twice' | 'out-of-order' | 'network-down' | 'broker-away';
            when?: {
              message?: string;
              id?: string;
              nth?: number;
              times?: number;
              forMs?: number;
              percent?: number;
            };
            delayMs?: number;
          }
        | {
            at: 'terminal.state';
            what: 'power-cut' | 'network-down' | 'paper-out' | 'reader-unplugged';
            when?: {
              state?: string;
              id?: string;
              nth?: number;
              times?: number;
              forMs?: number;
              percent?: number;
            };
            delayMs?: number;
          }
        | {
            at: 'terminal.effect';
            what: 'power-cut-before' | 'power-cut-after';
            when?: {
              effect?: string;
              id?: string;
              nth?: number;
              times?: number;
              forMs?: number;
              percent?: number;
            };
            delayMs?: number;
          }
        | {
            at: 'device.message';
            what: 'lost' | 'delay' | 'twice' | 'split' | 'corrupt' | 'cut';
            when?: { id?: string; nth?: number; times?: number; forMs?: number; percent?: number };
            delayMs?: number;
          }
        | {
            at: 'device.charged';
            what: 'lost' | 'delay' | 'twice' | 'split' | 'corrupt' | 'cut';
            when?: { id?: string; nth?: number; times?: number; forMs?: number; percent?: number };
            delayMs?: number;
          }
        | {
            at: 'server.commit';
            what: 'delay' | 'kill-before' | 'kill-after';
            when?: { nth?: number; times?: number; forMs?: number; percent?: number };
            delayMs?: number;
          }
        | {
            at: 'webhook.attempt';
            what:
              | 'dropped'
              | 'delay'
              | 'twice'
              | 'twice-at-once'
              | 'beside'
              | 'out-of-order'
              | 'slow-body'
              | 'wrong-secret'
              | 'cut-body'
              | 'unsigned'
              | 'altered-body'
              | 'spaced-body'
              | 'large-body'
              | 'unknown-type';
            when?: {
              eventType?: string;
              id?: string;
              untilAttempt?: number;
              nth?: number;
              times?: number;
              forMs?: number;
              percent?: number;
            };
            delayMs?: number;
          }
        | {
            at: 'bank.authorisation';
            what: 'declined';
            when?: { id?: string; nth?: number; times?: number; forMs?: number; percent?: number };
            delayMs?: number;
          }
        | {
            at: 'bank.renewal';
            what: 'authentication-required';
            when?: { id?: string; nth?: number; times?: number; forMs?: number; percent?: number };
            delayMs?: number;
          }
        | {
            at: 'bank.settlement';
            what: 'failed';
            when?: {
              operation?: string;
              id?: string;
              nth?: number;
              times?: number;
              forMs?: number;
              percent?: number;
            };
            delayMs?: number;
          }
        | {
            at: 'bank.payout';
            what: 'refused';
            when?: { id?: string; nth?: number; times?: number; forMs?: number; percent?: number };
            delayMs?: number;
          }
        | {
            at: 'bank.dispute';
            what: 'opposite';
            when?: { id?: string; nth?: number; times?: number; forMs?: number; percent?: number };
            delayMs?: number;
          }
        | {
            at: 'cardholder.card';
            what: 'leaves' | 'cancels';
            when?: { id?: string; nth?: number; times?: number; forMs?: number; percent?: number };
            delayMs?: number;
          }
        | {
            at: 'cardholder.pin';
            what: 'wrong-pin';
            when?: { id?: string; nth?: number; times?: number; forMs?: number; percent?: number };
            delayMs?: number;
          }
        | {
            at: 'cardholder.challenge';
            what: 'leaves' | 'refuses';
            when?: { id?: string; nth?: number; times?: number; forMs?: number; percent?: number };
            delayMs?: number;
          }
      )[];
      struck: number;
      struckByFault: number[];
      strikes: {
        number: number;
        fault: number;
        occurrence: number;
        timestamp: number;
        what: string;
        subject: string;
        ids: string[];
      }[];
    };
  };
  'DELETE /sandbox/faults/{id}': { params: { id: string }; reply: { id: string; deleted: true } };
  'POST /sandbox/recordings': {
    body?: { title?: string | undefined };
    reply: {
      id: string;
      title: string;
      status: 'Recording' | 'Ended';
      startedTimestamp: number;
      endedTimestamp: number | null;
      items: number;
    };
  };
  'GET /sandbox/recordings': {
    reply: {
      items: {
        id: string;
        title: string;
        status: 'Recording' | 'Ended';
        startedTimestamp: number;
        endedTimestamp: number | null;
        items: number;
      }[];
    };
  };
  'GET /sandbox/recordings/{id}/file': { params: { id: string } };
  'DELETE /sandbox/recordings/{id}': { params: { id: string }; reply: { id: string; deleted: true } };
  'POST /sandbox/certificates': {
    body: {
      kind: string;
      name: string;
      terminalId?: string | undefined;
      cases: {
        id: string;
        title: string;
        rules: { id?: string | undefined; text: string; document?: string | undefined }[];
        status?: 'NotTried' | 'Running' | 'Passed' | 'Failed' | 'NotShown' | undefined;
        reason?: string | undefined;
      }[];
      casesLeftOut?: number | undefined;
    };
    reply: Certificate;
  };
  'GET /sandbox/certificates': { reply: { items: CertificateSummary[] } };
  'GET /sandbox/certificates/{id}': { params: { id: string }; reply: Certificate };
  'POST /sandbox/certificates/{id}/cases/{caseId}': {
    params: { id: string; caseId: string };
    body: {
      status: 'NotTried' | 'Running' | 'Passed' | 'Failed' | 'NotShown';
      reason?: string | undefined;
      recordingId?: string | undefined;
    };
    reply: Certificate;
  };
  'POST /sandbox/certificates/{id}/cases/{caseId}/trace': {
    params: { id: string; caseId: string };
    reply: { id: string; bytes: number };
  };
  'GET /sandbox/certificates/{id}/cases/{caseId}/trace': { params: { id: string; caseId: string } };
  'POST /sandbox/certificates/{id}/acts': {
    params: { id: string };
    body: { act: string; text: string };
    reply: CertificateAct;
  };
  'POST /sandbox/certificates/{id}/acts/{number}/answer': {
    params: { id: string; number: string };
    body: { done: boolean; reason?: string | undefined };
    reply: CertificateActAnswer;
  };
  'GET /sandbox/certificates/{id}/answers': {
    params: { id: string };
    query?: { after?: number | undefined; waitSeconds?: number | undefined };
    reply: { items: CertificateActAnswer[]; seen: boolean };
  };
  'POST /sandbox/certificates/{id}/end': {
    params: { id: string };
    body: { status: 'Ended' | 'BrokenOff' };
    reply: Certificate;
  };
  'POST /sandboxes': {
    body?: {
      name?: string | undefined;
      from?: string | undefined;
      seed?: string | undefined;
      clock?: number | undefined;
      webhooks?: 'on' | 'off' | undefined;
      expiresInSeconds?: number | null | undefined;
      idempotencyKeys?: 'on' | 'off' | undefined;
      strict?: 'on' | 'off' | undefined;
      pace?: 'real' | 'instant' | undefined;
    };
    reply: CreatedSandbox;
  };
  'GET /sandboxes': { reply: SandboxList };
  'GET /sandboxes/{name}': { params: { name: string }; reply: Sandbox };
  'PATCH /sandboxes/{name}': {
    params: { name: string };
    body?: {
      idempotencyKeys?: 'on' | 'off' | undefined;
      strict?: 'on' | 'off' | undefined;
      pace?: 'real' | 'instant' | undefined;
    };
    reply: Sandbox;
  };
  'DELETE /sandboxes/{name}': { params: { name: string }; reply: DeletedSandbox };
  'POST /sandboxes/{name}/dashboard-link': { params: { name: string }; reply: DashboardLink };
  'POST /sandboxes/{name}/snapshots': { params: { name: string }; reply: Snapshot };
  'GET /sandboxes/{name}/snapshots': { params: { name: string }; reply: SnapshotList };
  'GET /sandboxes/{name}/snapshots/{id}': { params: { name: string; id: string } };
  'DELETE /sandboxes/{name}/snapshots/{id}': { params: { name: string; id: string }; reply: DeletedSnapshot };
  'POST /sandboxes/restore': {
    query?: {
      name?: string | undefined;
      seed?: string | undefined;
      clock?: number | undefined;
      webhooks?: 'on' | 'off' | undefined;
      idempotencyKeys?: 'on' | 'off' | undefined;
      strict?: 'on' | 'off' | undefined;
      pace?: 'real' | 'instant' | undefined;
      expiresInSeconds?: number | undefined;
    };
    reply: CreatedSandbox;
  };
  'POST /pairing/terminals/{id}': {
    params: { id: string };
    body?: PairingRequest;
    reply: TerminalCredentials;
  };
  'POST /pairing/terminals': { body: FleetPairingRequest; reply: FleetCredentials };
  'POST /pairing/terminals/{id}/check': {
    params: { id: string };
    body: PairingCheckRequest;
    reply: PairingCheck;
  };
  'POST /pairing/simulators': { reply: BrokerCredentials };
  'GET /healthz': { reply: Health };
  'GET /openapi.json': { reply: {} };
}

type SplitRequest = {
  items: {
    accountId: string;
    amount: number;
    description?: string | undefined;
    fee?: { amount: number } | undefined;
    metadata?: Record<string, string> | undefined;
  }[];
};

type Address = {
  firstName?: string | undefined;
  lastName?: string | undefined;
  lineOne?: string | undefined;
  lineTwo?: string | undefined;
  city?: string | undefined;
  country: string;
  postalCode: string;
  region?: string | undefined;
};

type ShippingDetails = { address: Address; phoneNumber?: string | undefined };

type OrderLine = {
  reference: string;
  name: string;
  quantity: number;
  unitPrice: number;
  taxAmount: number;
  totalAmount: number;
  discountAmount?: number | undefined;
  productUrl?: string | undefined;
  imageUrl?: string | undefined;
};

type OrderDetails = { items: OrderLine[] };

type CustomerDetails = {
  id?: string | undefined;
  firstName?: string | undefined;
  lastName?: string | undefined;
  homePhoneNumber?: string | undefined;
  mobilePhoneNumber?: string | undefined;
  metadata?: Record<string, string> | undefined;
};

type FeeAllocation = {
  interchange?: { bookTo: string } | undefined;
  network?: { bookTo: string } | undefined;
  processor?: { bookTo: string } | undefined;
  gateway?: { bookTo: string } | undefined;
  miscPassThrough?: { bookTo: string } | undefined;
  combined?: { bookTo: string } | undefined;
};

type PaymentSettings = {
  paymentMethodOptions?: { disabled?: string[] | undefined } | undefined;
  threeDs?:
    | {
        challengeIndicator?:
          | 'NoPreference'
          | 'NoChallengeRequested'
          | 'ChallengeRequested'
          | 'TransactionRiskAnalysisAlreadyPerformed'
          | undefined;
        policy?: string | undefined;
      }
    | undefined;
  platform?: { paymentFees?: FeeAllocation | undefined } | undefined;
};

type RebillingRequest = {
  amountVariance?: 'Fixed' | 'Variable' | undefined;
  amountVeriance?: 'Fixed' | 'Variable' | undefined;
  numberOfDaysBetweenPayments: number;
  totalNumberOfPayments?: number | undefined;
  currentPaymentNumber?: number | undefined;
  expiry?: number | undefined;
};

type AuthenticationParameters = {
  eci: string;
  authenticationValue?: string | undefined;
  protocolVersion?: string | undefined;
  threeDsServerTransactionId?: string | undefined;
  acsTransactionId?: string | undefined;
  dsTransactionId?: string | undefined;
};

type WalletNetworkToken = {
  number: string;
  expiryMonth: string;
  expiryYear: string;
  type?: 'ApplePay' | 'GooglePay' | undefined;
};

type CredentialOnFileUsage = { initiator: 'Customer' | 'Merchant'; sequence: 'Initial' | 'Subsequent' };

type RebillingDetail = {
  amountVariance: 'Fixed' | 'Variable';
  numberOfDaysBetweenPayments: number;
  totalNumberOfPayments?: number;
  currentPaymentNumber?: number;
  expiry?: number;
};

type PaymentMethodDetails = {
  type: 'Card';
  tokenizedDetails?: { id: string; stored: boolean };
  card?: {
    scheme: 'Visa' | 'Mastercard' | 'Amex';
    last4: string;
    binDetails?: { issuer?: string; issuerCountry?: string; fundingType?: string; productType?: string };
  };
  wallet?: { type: 'ApplePay' | 'GooglePay' };
  billingAddress?: Address;
  checks?: { avsResponseCode?: string; cvvResponseCode?: string };
};

type Split = {
  id: string;
  accountId: string;
  amount: number;
  fee?: { amount: number };
  description?: string;
  metadata?: Record<string, string>;
};

type RequiredAction =
  | {
      type: 'Identify';
      identify: {
        scheme: string;
        paymentMethodId: string;
        uniqueId?: string;
        threeDsMethodUrl?: string;
        threeDsMethodSignature?: string;
        threeDsMethodData?: string;
        sessionId?: string;
        sessionSecret?: string;
        protocolVersion?: string;
        ravelinPublicKey?: string;
      };
    }
  | {
      type: 'Challenge';
      challenge: {
        acsUrl: string;
        cReq: string;
        threeDSServerTransactionID?: string;
        acsTransactionID?: string;
        acsRefNumber?: string;
        acsSignedContent?: string;
      };
    }
  | { type: 'Redirect'; url: string };

type PaymentSession = {
  id: string;
  amount: number;
  currency: string;
  paymentType: 'Standard' | 'Recurring' | 'Unscheduled';
  entryMode: 'Online' | 'MOTO' | 'InPerson';
  customerEmail?: string;
  customerId?: string;
  customerDetails?: CustomerDetails;
  credentialOnFileUsage?: CredentialOnFileUsage;
  previousPayment?: { id: string };
  rebillingDetail?: RebillingDetail;
  enabledPaymentMethods: string[];
  paymentMethod?: PaymentMethodDetails;
  platformFee?: number;
  splitPaymentDetail: { items: Split[] };
  status: 'PendingPayment' | 'PendingAction' | 'Processing' | 'Approved' | 'Captured' | 'Voided';
  metadata: Record<string, string>;
  clientSecret: string;
  lastError?: string;
  refundedAmount: number;
  statementDescriptor: { descriptor: string; city: string };
  requiredAction?: RequiredAction;
  returnUrl: string;
  authorizationType: 'FinalAuth' | 'PreAuth';
  captureFlow: 'Automatic' | 'Manual';
  verifyAccount?: boolean;
  shippingDetails?: ShippingDetails;
  orderDetails?: OrderDetails;
  paymentSettings?: PaymentSettings;
  createdTimestamp: number;
  lastUpdatedTimestamp: number;
};

type PaymentTransaction = {
  id: string;
  paymentSessionId: string;
  amount: number;
  currency: string;
  type: 'Authorization' | 'Void' | 'Capture' | 'Refund' | 'Chargeback' | 'ChargebackReversal';
  status: 'Pending' | 'Failed' | 'Succeeded';
  refundedAmount?: number;
  platformFee?: number;
  platformFeeRefundedAmount?: number;
  processingFee?: number;
  reason?: string;
  captureType?: 'Final' | 'NotFinal';
  captureTransaction?: { id: string };
  paymentMethod?: PaymentMethodDetails;
  splitPaymentDetail?: { items: Split[] };
  createdTimestamp: number;
  lastUpdatedTimestamp: number;
};

type SplitRefund = {
  items: { id: string; amount?: number | undefined; fee?: { amount: number } | undefined }[];
};

type WebhookCreated = {
  id: string;
  secret: string;
  url: string;
  active: boolean;
  eventTypes: (
    | 'PaymentSession.approved'
    | 'PaymentSession.captured'
    | 'PaymentSession.capture_failed'
    | 'PaymentSession.declined'
    | 'PaymentSession.requires_action'
    | 'PaymentSession.voided'
    | 'PaymentSession.void_failed'
    | 'PaymentSession.refunded'
    | 'PaymentSession.refund_failed'
    | 'Account.created'
    | 'Account.updated'
    | 'Account.verification_status_updated'
    | 'Person.created'
    | 'Person.updated'
    | 'Person.deleted'
    | 'PayoutMethod.created'
    | 'PayoutMethod.updated'
    | 'PayoutMethod.deleted'
    | 'Payout.created'
    | 'Payout.status_updated'
    | 'Customer.created'
    | 'Customer.updated'
    | 'Customer.deleted'
    | 'Subscription.created'
    | 'Subscription.updated'
    | 'Subscription.paused'
    | 'Subscription.resumed'
    | 'Subscription.cancelled'
    | 'Subscription.past_due'
    | 'Subscription.ended'
    | 'Transfer.created'
    | 'Transfer.updated'
    | 'Dispute.created'
    | 'Dispute.challenged'
    | 'Dispute.closed'
    | 'PlatformFee.created'
    | 'PlatformFee.refunded'
    | 'Conversion.created'
    | 'Conversion.updated'
    | 'Terminal.action_updated'
  )[];
  createdTimestamp: number;
};

type Webhook = {
  id: string;
  url: string;
  active: boolean;
  eventTypes: (
    | 'PaymentSession.approved'
    | 'PaymentSession.captured'
    | 'PaymentSession.capture_failed'
    | 'PaymentSession.declined'
    | 'PaymentSession.requires_action'
    | 'PaymentSession.voided'
    | 'PaymentSession.void_failed'
    | 'PaymentSession.refunded'
    | 'PaymentSession.refund_failed'
    | 'Account.created'
    | 'Account.updated'
    | 'Account.verification_status_updated'
    | 'Person.created'
    | 'Person.updated'
    | 'Person.deleted'
    | 'PayoutMethod.created'
    | 'PayoutMethod.updated'
    | 'PayoutMethod.deleted'
    | 'Payout.created'
    | 'Payout.status_updated'
    | 'Customer.created'
    | 'Customer.updated'
    | 'Customer.deleted'
    | 'Subscription.created'
    | 'Subscription.updated'
    | 'Subscription.paused'
    | 'Subscription.resumed'
    | 'Subscription.cancelled'
    | 'Subscription.past_due'
    | 'Subscription.ended'
    | 'Transfer.created'
    | 'Transfer.updated'
    | 'Dispute.created'
    | 'Dispute.challenged'
    | 'Dispute.closed'
    | 'PlatformFee.created'
    | 'PlatformFee.refunded'
    | 'Conversion.created'
    | 'Conversion.updated'
    | 'Terminal.action_updated'
  )[];
  createdTimestamp: number;
  lastUpdatedTimestamp: number;
};

type Event = {
  id: string;
  eventType:
    | 'PaymentSession.approved'
    | 'PaymentSession.captured'
    | 'PaymentSession.capture_failed'
    | 'PaymentSession.declined'
    | 'PaymentSession.requires_action'
    | 'PaymentSession.voided'
    | 'PaymentSession.void_failed'
    | 'PaymentSession.refunded'
    | 'PaymentSession.refund_failed'
    | 'Account.created'
    | 'Account.updated'
    | 'Account.verification_status_updated'
    | 'Person.created'
    | 'Person.updated'
    | 'Person.deleted'
    | 'PayoutMethod.created'
    | 'PayoutMethod.updated'
    | 'PayoutMethod.deleted'
    | 'Payout.created'
    | 'Payout.status_updated'
    | 'Customer.created'
    | 'Customer.updated'
    | 'Customer.deleted'
    | 'Subscription.created'
    | 'Subscription.updated'
    | 'Subscription.paused'
    | 'Subscription.resumed'
    | 'Subscription.cancelled'
    | 'Subscription.past_due'
    | 'Subscription.ended'
    | 'Transfer.created'
    | 'Transfer.updated'
    | 'Dispute.created'
    | 'Dispute.challenged'
    | 'Dispute.closed'
    | 'PlatformFee.created'
    | 'PlatformFee.refunded'
    | 'Conversion.created'
    | 'Conversion.updated'
    | 'Terminal.action_updated';
  data: {};
  endpoints: { webhookId: string; acknowledged: boolean; attempts: number }[];
  accountId?: string;
  createdTimestamp: number;
  lastUpdatedTimestamp: number;
  deliveryStatus: 'Pending' | 'Success' | 'Failed' | 'None';
};

type AccountAddress = {
  lineOne: string;
  lineTwo?: string | null | undefined;
  city: string;
  country: string;
  postalCode: string;
  region?: string | null | undefined;
};

type DocumentInput = {
  type:
    | 'Passport'
    | 'DriversLicense'
    | 'NationalId'
    | 'BankStatement'
    | 'CreditCardStatement'
    | 'OfficialGovernmentLetter'
    | 'PropertyTaxAssessment'
    | 'TaxReturn'
    | 'UtilityBill'
    | 'BusinessRegistration'
    | 'ArticlesOfIncorporation'
    | 'LetterOfAuthorization';
  front: string;
  back?: string | undefined;
  country?: string | undefined;
};

type BusinessInput = {
  name: string;
  type:
    | 'Corporation'
    | 'GovernmentEntity'
    | 'Charity'
    | 'LimitedPartnership'
    | 'PrivateCompany'
    | 'PublicCompany';
  registrationNumber: string;
  registeredAddress: AccountAddress;
  contactEmail: string;
  registrationDate?: string | undefined;
  phoneNumber?: string | undefined;
  tradingName?: string | undefined;
  tradingAddress?: AccountAddress | undefined;
  tradingCountries?: string[] | undefined;
  websiteUrl?: string | undefined;
  documents?: DocumentInput[] | undefined;
};

type IndividualInput = {
  firstName: string;
  lastName: string;
  dateOfBirth: string;
  gender: 'Male' | 'Female';
  nationalities: string[];
  address: AccountAddress;
  email: string;
  middleNames?: string | undefined;
  countryOfBirth?: string | undefined;
  phoneNumber?: string | undefined;
  documents?: DocumentInput[] | undefined;
};

type Document = {
  type:
    | 'Passport'
    | 'DriversLicense'
    | 'NationalId'
    | 'BankStatement'
    | 'CreditCardStatement'
    | 'OfficialGovernmentLetter'
    | 'PropertyTaxAssessment'
    | 'TaxReturn'
    | 'UtilityBill'
    | 'BusinessRegistration'
    | 'ArticlesOfIncorporation'
    | 'LetterOfAuthorization';
  front: string;
  back?: string;
  country?: string;
  category: 'ProofOfIdentity' | 'ProofOfAddress' | 'ProofOfBusiness' | 'Authorization';
  status: 'Pending' | 'Valid' | 'Invalid';
  invalidReason?: string;
  assignedTimestamp: number;
  lastUpdatedTimestamp: number;
};

type Business = {
  name?: string;
  type?:
    | 'Corporation'
    | 'GovernmentEntity'
    | 'Charity'
    | 'LimitedPartnership'
    | 'PrivateCompany'
    | 'PublicCompany';
  registrationNumber?: string;
  registeredAddress?: AccountAddress;
  contactEmail?: string;
  registrationDate?: string;
  phoneNumber?: string;
  tradingName?: string;
  tradingAddress?: AccountAddress;
  tradingCountries?: string[];
  websiteUrl?: string;
  documents: Document[];
};

type Individual = {
  firstName?: string;
  lastName?: string;
  dateOfBirth?: string;
  gender?: 'Male' | 'Female';
  nationalities?: string[];
  address?: AccountAddress;
  email?: string;
  middleNames?: string;
  countryOfBirth?: string;
  phoneNumber?: string;
  documents: Document[];
};

type VerificationError = { code: 'InvalidDocument' | 'InvalidField'; id: string; description: string };

type AccountVerification = {
  status: 'NotRequired' | 'Required' | 'PendingVerification' | 'Verified';
  requiredFields: { name: string }[];
  requiredDocuments: {
    category: 'ProofOfIdentity' | 'ProofOfAddress' | 'ProofOfBusiness' | 'Authorization';
    types: (
      | 'Passport'
      | 'DriversLicense'
      | 'NationalId'
      | 'BankStatement'
      | 'CreditCardStatement'
      | 'OfficialGovernmentLetter'
      | 'PropertyTaxAssessment'
      | 'TaxReturn'
      | 'UtilityBill'
      | 'BusinessRegistration'
      | 'ArticlesOfIncorporation'
      | 'LetterOfAuthorization'
    )[];
    quantity: number;
  }[];
  errors: VerificationError[];
  persons: {
    status: 'NotRequired' | 'Required' | 'PendingVerification' | 'Verified';
    required: { role: 'BusinessContact' | 'Director' | 'UltimateBeneficialOwner'; quantity: number }[];
  };
};

type Capability = {
  status: 'NotRequested' | 'Pending' | 'Disabled' | 'Enabled';
  available: boolean;
  requested: boolean;
  requiredFields: { name: string }[];
  requiredDocuments: {
    category: 'ProofOfIdentity' | 'ProofOfAddress' | 'ProofOfBusiness' | 'Authorization';
    types: (
      | 'Passport'
      | 'DriversLicense'
      | 'NationalId'
      | 'BankStatement'
      | 'CreditCardStatement'
      | 'OfficialGovernmentLetter'
      | 'PropertyTaxAssessment'
      | 'TaxReturn'
      | 'UtilityBill'
      | 'BusinessRegistration'
      | 'ArticlesOfIncorporation'
      | 'LetterOfAuthorization'
    )[];
    quantity: number;
  }[];
  disabledReason?: string;
  requestedTimestamp?: number;
  enabledTimestamp?: number;
  lastUpdatedTimestamp?: number;
};

type Account = {
  id: string;
  type: 'Standard' | 'Sub';
  status: 'ActionRequired' | 'Unverified' | 'VerificationPending' | 'Verified';
  actionsRequired: {
    action:
      | 'PayoutDetailsRequired'
      | 'PayoutMethodRequired'
      | 'PayoutMethodInvalid'
      | 'VerificationRequired'
      | 'AccountLocked';
    description: string;
  }[];
  frozen: boolean;
  email?: string;
  onboardingFlow: 'Hosted' | 'NonHosted';
  entityType?: 'Business' | 'Individual';
  business?: Business;
  individual?: Individual;
  verification: AccountVerification;
  metadata: Record<string, string>;
  settings: { payouts: { schedule: { type: 'Automatic' | 'Manual' } } };
  capabilities: {
    visaPayments: Capability;
    mastercardPayments: Capability;
    amexPayments: Capability;
    inPersonPayments: Capability;
  };
  termsOfService?: { acceptance: { ipAddress: string; userAgent?: string; when: number } };
  createdTimestamp: number;
  lastUpdatedTimestamp: number;
};

type BusinessChange = {
  name?: string | undefined;
  type?:
    | 'Corporation'
    | 'GovernmentEntity'
    | 'Charity'
    | 'LimitedPartnership'
    | 'PrivateCompany'
    | 'PublicCompany'
    | undefined;
  registrationNumber?: string | undefined;
  registeredAddress?: AccountAddress | undefined;
  contactEmail?: string | undefined;
  registrationDate?: string | undefined;
  phoneNumber?: string | undefined;
  tradingName?: string | undefined;
  tradingAddress?: AccountAddress | undefined;
  tradingCountries?: string[] | undefined;
  websiteUrl?: string | undefined;
  documents?: DocumentInput[] | undefined;
};

type IndividualChange = {
  firstName?: string | undefined;
  lastName?: string | undefined;
  dateOfBirth?: string | undefined;
  gender?: 'Male' | 'Female' | undefined;
  nationalities?: string[] | undefined;
  address?: AccountAddress | undefined;
  email?: string | undefined;
  middleNames?: string | undefined;
  countryOfBirth?: string | undefined;
  phoneNumber?: string | undefined;
  documents?: DocumentInput[] | undefined;
};

type AccountLink = { createdTimestamp: number; expiresTimestamp: number; url: string };

type PersonVerification = {
  status: 'NotRequired' | 'Required' | 'PendingVerification' | 'Verified';
  requiredFields: { name: string }[];
  requiredDocuments: {
    category: 'ProofOfIdentity' | 'ProofOfAddress' | 'ProofOfBusiness' | 'Authorization';
    types: (
      | 'Passport'
      | 'DriversLicense'
      | 'NationalId'
      | 'BankStatement'
      | 'CreditCardStatement'
      | 'OfficialGovernmentLetter'
      | 'PropertyTaxAssessment'
      | 'TaxReturn'
      | 'UtilityBill'
      | 'BusinessRegistration'
      | 'ArticlesOfIncorporation'
      | 'LetterOfAuthorization'
    )[];
    quantity: number;
  }[];
  errors: VerificationError[];
};

type Person = {
  id: string;
  firstName: string;
  lastName: string;
  dateOfBirth: string;
  gender: 'Male' | 'Female';
  nationalities: string[];
  address: AccountAddress;
  email: string;
  phoneNumber: string;
  middleNames?: string;
  countryOfBirth?: string;
  businessRoles: ('BusinessContact' | 'Director' | 'UltimateBeneficialOwner')[];
  documents: Document[];
  verification: PersonVerification;
  metadata: Record<string, string>;
  createdTimestamp: number;
  lastUpdatedTimestamp: number;
};

type BankAccountInput = {
  accountNumberType: 'UnitedKingdom' | 'UnitedStates' | 'Iban';
  accountNumber: string;
  bankIdType?: 'SortCode' | 'RoutingNumber' | undefined;
  bankId?: string | undefined;
  address?: AccountAddress | undefined;
};

type BankAccount = {
  accountNumberType: 'UnitedKingdom' | 'UnitedStates' | 'Iban';
  last4: string;
  bankIdType: 'SortCode' | 'RoutingNumber' | null;
  bankId?: string;
  bankName: string;
  address?: AccountAddress;
};

type PayoutMethod = {
  id: string;
  type: 'BankAccount';
  displayName?: string;
  status: 'Pending' | 'Valid' | 'Invalid';
  invalidReason: string | null;
  verification: {
    status: 'Unverified' | 'Pending' | 'NotSupported' | 'Verified' | 'Rejected';
    nameOnAccount?: string;
    rejectionReason?: 'NameMismatch' | 'CheckUnavailable';
  };
  currency: string;
  countryCode: string;
  bankAccount: BankAccount;
  createdTimestamp: number;
  lastUpdatedTimestamp: number;
};

type PayoutCalculation = {
  paymentsCapturedAmount: number;
  paymentsRefundedAmount: number;
  paymentsSplitAmount: number;
  paymentsSplitRefundedAmount: number;
  splitPaymentsAmount: number;
  splitPaymentsRefundedAmount: number;
  platformFeesCollectedAmount: number;
  platformFeesRefundedAmount: number;
  platformFeesPaidAmount: number;
  processingFeesPaidAmount: number;
  chargebacksAmount: number;
  chargebackReversalsAmount: number;
  platformChargebacksAmount: number;
  platformChargebackReversalsAmount: number;
  transferredInAmount: number;
  transferredOutAmount: number;
  payoutAmount: number;
  currency: string;
  numberOfPaymentsCaptured: number;
  numberOfPaymentsRefunded: number;
  numberOfPaymentsSplit: number;
  numberOfPaymentsSplitRefunded: number;
  numberOfSplitPayments: number;
  numberOfSplitPaymentsRefunded: number;
  numberOfPlatformFeesCollected: number;
  numberOfPlatformFeesRefunded: number;
  numberOfChargebacks: number;
  numberOfChargebackReversals: number;
  numberOfPlatformChargebacks: number;
  numberOfPlatformChargebackReversals: number;
  numberOfTransfersIn: number;
  numberOfTransfersOut: number;
  numberOfCustomers: number;
  numberOfNewCustomers: number;
};

type Payout = {
  id: string;
  paymentsTakenDate?: string;
  paymentsTakenDateFrom: string;
  paymentsTakenDateTo: string;
  amount: number;
  currency: string;
  status:
    | 'Pending'
    | 'InProgress'
    | 'Completed'
    | 'Failed'
    | 'PendingAccountVerification'
    | 'PendingTransactionVerification'
    | 'PendingPayoutMethodAction'
    | 'PendingAccountAction'
    | 'Cancelled'
    | 'Expired'
    | 'Recalled'
    | 'Returned';
  scheduleType: 'Automatic' | 'Manual';
  payoutMethod: {
    id: string;
    bankAccount: {
      bankIdType: 'SortCode' | 'RoutingNumber' | null;
      bankId?: string;
      bankName: string;
      accountNumberType: 'UnitedKingdom' | 'UnitedStates' | 'Iban';
      last4: string;
    };
  };
  failureReason?: 'InvalidPayoutMethod';
  payoutCalculation: PayoutCalculation;
  scheme: 'Ach' | 'Bacs' | 'Chaps' | 'Fps' | 'Swift' | 'Sepa' | 'SepaInstant';
  metadata?: Record<string, string>;
  createdTimestamp: number;
  scheduledTimestamp: number;
  completedTimestamp?: number;
};

type Transfer = {
  id: string;
  status: 'Pending' | 'Declined' | 'Completed';
  amount: number;
  currency: string;
  source?: { accountId: string };
  destination?: { accountId: string };
  reason?: string;
  metadata?: Record<string, string>;
  errors?: { code: 'InsufficientSourceBalance'; description: string }[];
  createdTimestamp: number;
  lastUpdatedTimestamp: number;
};

type Balance = {
  currency: string;
  pending: { amount: number };
  cleared: { amount: number };
  available: { amount: number };
  lastUpdatedTimestamp: number;
};

type BalanceTransaction = {
  id: string;
  type:
    | 'TransactionApproval'
    | 'TransactionCapture'
    | 'TransactionRefund'
    | 'TransactionChargeback'
    | 'TransactionChargebackReversal'
    | 'PlatformFee'
    | 'PlatformFeeRefund'
    | 'SplitPayment'
    | 'SplitPaymentRefund'
    | 'TransferIn'
    | 'TransferOut'
    | 'Payout'
    | 'PayoutReversal'
    | 'PlatformChargeback'
    | 'PlatformChargebackReversal'
    | 'Adjustment';
  amount: number;
  currency: string;
  description?: string;
  feeTotal: number;
  net: number;
  status: 'Pending' | 'Cleared' | 'Available';
  origin: { id: string; amount: number; accountId?: string };
  availableAt: number;
  createdTimestamp: number;
  lastUpdatedTimestamp: number;
};

type Conversion = {
  id: string;
  sell: { amount: number; currency: string };
  buy: {
    amount?: number;
    currency: string;
    fees?: {
      total: number;
      ryft?: { amount: number };
      platform?: { amount: number; ryftFee: { amount: number } };
    };
  };
  reason?: string;
  metadata?: Record<string, string>;
  status: 'InProgress' | 'Settled';
  rate?: number;
  estimatedSettlementDate?: string;
  settledTimestamp?: number;
  createdBy?: { id: string; name?: string };
  createdTimestamp: number;
  lastUpdatedTimestamp: number;
};

type IndicativeRate = {
  sell: { amount: number; currency: string };
  buy: {
    amount: number;
    currency: string;
    fees: {
      total: number;
      ryft?: { amount: number };
      platform?: { amount: number; ryftFee: { amount: number } };
    };
  };
  rate: number;
  fees: {
    total: number;
    ryft?: { amount: number };
    platform?: { amount: number; ryftFee: { amount: number } };
  };
  estimatedSettlementDate: string;
};

type PlatformFee = {
  id: string;
  paymentSessionId: string;
  amount: number;
  paymentAmount: number;
  processingFee: number;
  netAmount: number;
  currency: string;
  fromAccountId: string;
  createdTimestamp: number;
};

type PlatformFeeRefund = {
  id: string;
  platformFeeId: string;
  amount: number;
  currency: string;
  reason?: string;
  status: 'Pending' | 'Failed' | 'Succeeded';
  createdTimestamp: number;
  lastUpdatedTimestamp: number;
};

type Customer = {
  id: string;
  email: string;
  firstName?: string;
  lastName?: string;
  homePhoneNumber?: string;
  mobilePhoneNumber?: string;
  defaultPaymentMethod?: string;
  metadata: Record<string, string>;
  createdTimestamp: number;
  lastUpdatedTimestamp: number;
};

type StoredPaymentMethod = {
  id: string;
  type: 'Card';
  card: { scheme: 'Visa' | 'Mastercard' | 'Amex'; last4: string; expiryMonth: string; expiryYear: string };
  billingAddress?: Address;
  checks?: { avsResponseCode?: string; cvvResponseCode?: string };
  customerId?: string;
  createdTimestamp: number;
};

type SubscriptionPaymentSession = { id: string; clientSecret?: string; requiredAction?: RequiredAction };

type Subscription = {
  id: string;
  status: 'Pending' | 'Active' | 'PastDue' | 'Paused' | 'Cancelled' | 'Ended';
  description?: string;
  customer: { id: string };
  paymentMethod?: { id: string };
  paymentSessions: { initial: SubscriptionPaymentSession; latest: SubscriptionPaymentSession };
  price: {
    amount: number;
    currency: string;
    interval: { unit: 'Days' | 'Months'; count: number; times?: number };
  };
  balance: { amount: number };
  pausePaymentDetail?: { reason?: string; resumeAtTimestamp?: number; pausedAtTimestamp: number };
  cancelDetail?: { reason?: string; cancelledAtTimestamp: number };
  billingDetail: {
    totalCycles: number;
    currentCycle: number;
    currentCycleStartTimestamp: number;
    currentCycleEndTimestamp: number;
    billingCycleTimestamp: number;
    nextBillingTimestamp?: number;
    failureDetail?: { paymentAttempts: number; lastPaymentError: string };
  };
  shippingDetails?: ShippingDetails;
  metadata: Record<string, string>;
  paymentSettings: { statementDescriptor?: { descriptor: string; city: string } };
  createdTimestamp: number;
};

type File = {
  id: string;
  name: string;
  type: 'Csv' | 'Jpg' | 'Png' | 'Pdf';
  category: 'Evidence' | 'VerificationDocument' | 'Report';
  metadata: Record<string, string>;
  sizeInBytes: number;
  createdTimestamp: number;
  lastUpdatedTimestamp: number;
};

type DisputeEvidence = {
  text?:
    | {
        billingAddress?: string | undefined;
        shippingAddress?: string | undefined;
        duplicateTransaction?: string | undefined;
        uncategorised?: string | undefined;
      }
    | undefined;
  files?:
    | {
        proofOfDelivery?: { id: string } | undefined;
        customerSignature?: { id: string } | undefined;
        receipt?: { id: string } | undefined;
        shippingConfirmation?: { id: string } | undefined;
        customerCommunication?: { id: string } | undefined;
        refundPolicy?: { id: string } | undefined;
        recurringPaymentAgreement?: { id: string } | undefined;
        uncategorised?: { id: string } | undefined;
      }
    | undefined;
};

type Dispute = {
  id: string;
  amount: number;
  currency: string;
  status: 'Open' | 'Cancelled' | 'Accepted' | 'Challenged' | 'Lost' | 'Won' | 'Expired';
  category: 'Fraudulent' | 'Authorization' | 'ProcessingError' | 'CardholderDispute' | 'General';
  reason: { code: string; description: string };
  respondBy: number;
  recommendedEvidence: (
    | 'ProofOfDelivery'
    | 'BillingAddress'
    | 'ShippingAddress'
    | 'DuplicateTransaction'
    | 'CustomerSignature'
    | 'Receipt'
    | 'ShippingConfirmation'
    | 'CustomerCommunication'
    | 'RefundPolicy'
    | 'CancellationPolicy'
    | 'RecurringPaymentAgreement'
    | 'Uncategorised'
  )[];
  paymentSession: {
    id: string;
    paymentType: string;
    paymentMethod: { card: { scheme: string; last4: string } };
  };
  evidence?: DisputeEvidence;
  customer?: { email?: string; id?: string; createdTimestamp?: number };
  subAccount?: { id: string };
  createdTimestamp: number;
  lastUpdatedTimestamp: number;
};

type WalletDomain = { id: string; domainName: string; createdTimestamp: number };

type WalletSession = { sessionObject: string };

type LocationAddress = {
  lineOne: string;
  lineTwo?: string | null | undefined;
  city: string;
  country: string;
  postalCode: string;
  region?: string | null | undefined;
};

type Location = {
  id: string;
  name: string;
  address: LocationAddress;
  geoCoordinates: { latitude: number; longitude: number } | null;
  metadata: Record<string, string>;
  createdTimestamp: number;
  lastUpdatedTimestamp: number;
};

type Action = {
  type: 'Transaction';
  status: 'InProgress' | 'Succeeded' | 'Failed' | 'Cancelled';
  id: string;
  error: {
    code: string;
    reason?: string;
    settings: { receiptPrintingSource: 'Terminal' | 'PointOfSale' };
  } | null;
  transaction: {
    type: 'Payment' | 'Refund';
    paymentSessionId: string;
    amounts: { requested: number };
    currency: string;
    receiptDetail: {
      customerCopy: { status: 'NotRequired' | 'Required' | 'Succeeded' | 'Failed' };
      merchantCopy: { status: 'NotRequired' | 'Required' | 'Succeeded' | 'Failed' };
    };
    settings: { receiptPrintingSource: 'Terminal' | 'PointOfSale' };
  };
  createdTimestamp: number;
  completedTimestamp?: number;
};

type Terminal = {
  id: string;
  name: string;
  location: { id: string };
  device: { type: string; serialNumber: string };
  action: Action | null;
  metadata: Record<string, string>;
  createdTimestamp: number;
  lastUpdatedTimestamp: number;
};

type Product = {
  id: string;
  name: string;
  status: 'Available' | 'Unavailable';
  description: string;
  details: Record<string, string> | null;
  createdTimestamp: number;
  lastUpdatedTimestamp: number;
};

type Sku = {
  id: string;
  name: string;
  country: string;
  totalAmount: number;
  currency:
    | 'GBP'
    | 'USD'
    | 'EUR'
    | 'CHF'
    | 'CAD'
    | 'AUD'
    | 'NZD'
    | 'AED'
    | 'TRY'
    | 'PLN'
    | 'RON'
    | 'DKK'
    | 'HKD'
    | 'ZAR'
    | 'SEK'
    | 'NOK'
    | 'CZK'
    | 'HUF';
  status: 'Available' | 'Unavailable';
  productId: string;
  createdTimestamp: number;
  lastUpdatedTimestamp: number;
};

type Order = {
  id: string;
  status: 'AwaitingPayment' | 'ReadyToShip' | 'Shipped' | 'Cancelled';
  totalAmount: number;
  taxAmount: number;
  currency:
    | 'GBP'
    | 'USD'
    | 'EUR'
    | 'CHF'
    | 'CAD'
    | 'AUD'
    | 'NZD'
    | 'AED'
    | 'TRY'
    | 'PLN'
    | 'RON'
    | 'DKK'
    | 'HKD'
    | 'ZAR'
    | 'SEK'
    | 'NOK'
    | 'CZK'
    | 'HUF';
  items: {
    id: string;
    name: string;
    totalAmountPerUnit: number;
    taxAmountPerUnit: number;
    quantity: number;
  }[];
  customer: { email: string; firstName: string | null; lastName: string | null };
  shipping: {
    address: {
      businessName: string | null;
      firstName: string;
      lastName: string;
      lineOne: string;
      lineTwo: string | null;
      city: string;
      country: string;
      postalCode: string;
      region: string | null;
      deliveryInstructions: string | null;
    } | null;
    contact: { email: string; mobilePhoneNumber: string } | null;
    method: { id: string; name: string; description: string; totalAmount: number; taxAmount: number } | null;
  } | null;
  tracking: { items: { carrier: string; reference: string; shippedTimestamp: number }[] } | null;
  metadata: Record<string, string> | null;
  createdTimestamp: number;
  lastUpdatedTimestamp: number;
};

type SandboxTerminal = {
  id: string;
  serialNumber: string;
  name: string;
  accountId: string;
  online: boolean;
  simulatedBy: string | null;
  action: {
    id: string;
    type: 'Payment' | 'Refund';
    status: 'InProgress' | 'Succeeded' | 'Failed' | 'Cancelled';
  } | null;
  state: string | null;
};

type SimulatedTerminal = {
  id: string;
  power: 'off' | 'on';
  network: 'off' | 'on';
  paperSheets: number;
  screen: string[];
  card?: { name: string; entryMode: 'Contactless' | 'Contact' | 'Swipe' | 'Wallet' } | null;
  cardholder?:
    'tap' | 'contact-pin' | 'wrong-pin-twice' | 'remove-early' | 'walk-away' | 'press-cancel' | 'none';
  printer?: {
    paper: 'enough' | 'near end' | 'out';
    linesLeft: number;
    cover: 'open' | 'closed';
    error: 'none' | 'cutter' | 'mechanical' | 'unrecoverable' | 'head hot';
    drawer: 'open' | 'closed';
  };
  answer?: string;
  typedDigits?: number;
};

type Fleet = { items: { id: string; serialNumber: string }[] };

type SandboxAction = {
  type: 'Transaction';
  status: 'InProgress' | 'Succeeded' | 'Failed' | 'Cancelled';
  id: string;
  error: {
    code: string;
    reason?: string;
    settings: { receiptPrintingSource: 'Terminal' | 'PointOfSale' };
  } | null;
  transaction: {
    type: 'Payment' | 'Refund';
    paymentSessionId: string;
    amounts: { requested: number };
    currency: string;
    receiptDetail: {
      customerCopy: { status: 'NotRequired' | 'Required' | 'Succeeded' | 'Failed' };
      merchantCopy: { status: 'NotRequired' | 'Required' | 'Succeeded' | 'Failed' };
    };
    settings: { receiptPrintingSource: 'Terminal' | 'PointOfSale' };
  };
  createdTimestamp: number;
  completedTimestamp?: number;
  terminalId: string;
  accountId: string;
  phase: string;
  deadlineTimestamp: number | null;
  unknownReason: string | null;
  deviceReversals: {
    reference: string | null;
    outcome: 'Reversed' | 'NotReversed';
    amount: number;
    currency: string;
    reason: string | null;
    createdTimestamp: number;
  }[];
};

type AccountSettings = {
  returnUrl: string;
  statementDescriptor: { descriptor: string; city: string };
  currencies: (
    | 'GBP'
    | 'USD'
    | 'EUR'
    | 'CHF'
    | 'CAD'
    | 'AUD'
    | 'NZD'
    | 'AED'
    | 'TRY'
    | 'PLN'
    | 'RON'
    | 'DKK'
    | 'HKD'
    | 'ZAR'
    | 'SEK'
    | 'NOK'
    | 'CZK'
    | 'HUF'
  )[];
  preAuthAllowed: boolean;
  motoAllowed: boolean;
  minimumPayoutMinor: number;
  frozen: boolean;
  threeDsRedirect?: boolean;
  verifyAboveMinor?: {
    GBP?: number;
    USD?: number;
    EUR?: number;
    CHF?: number;
    CAD?: number;
    AUD?: number;
    NZD?: number;
    AED?: number;
    TRY?: number;
    PLN?: number;
    RON?: number;
    DKK?: number;
    HKD?: number;
    ZAR?: number;
    SEK?: number;
    NOK?: number;
    CZK?: number;
    HUF?: number;
  };
};

type SandboxAccount = {
  id: string;
  platformId: string | null;
  type: 'Standard' | 'Sub';
  name: string;
  settings: AccountSettings;
};

type SandboxTime = {
  nowTimestamp: number;
  offsetSeconds: number;
  pending: { jobs: number; deliveries: number };
};

type SandboxReset = { platformId: string; subAccountId: string };

type WebhookEndpoint = {
  id: string;
  url: string;
  active: boolean;
  eventTypes: string[];
  createdTimestamp: number;
  health: {
    deliveries: number;
    delivered: number;
    failed: number;
    waiting: number;
    failuresInRow: number;
    lastSuccessTimestamp: number | null;
    lastFailureTimestamp: number | null;
    lastFailure: string | null;
    nextAttemptTimestamp: number | null;
  };
};

type DeliverySummary = {
  id: string;
  eventId: string;
  eventType: string;
  objectId: string;
  accountId: string;
  webhookId: string;
  url: string;
  status: 'Pending' | 'Retrying' | 'Delivered' | 'Failed';
  attempts: number;
  lastResult: string | null;
  createdTimestamp: number;
  lastAttemptTimestamp: number | null;
  nextAttemptTimestamp: number | null;
};

type Delivery = {
  id: string;
  eventId: string;
  eventType: string;
  objectId: string;
  accountId: string;
  webhookId: string;
  url: string;
  status: 'Pending' | 'Retrying' | 'Delivered' | 'Failed';
  attempts: number;
  lastResult: string | null;
  createdTimestamp: number;
  lastAttemptTimestamp: number | null;
  nextAttemptTimestamp: number | null;
  endpoint: { active: boolean; deleted: boolean };
  body: string;
  signature: { header: string; algorithm: string; value: string | null };
  attemptLog: {
    number: number;
    createdTimestamp: number;
    sentTimestamp: number;
    elapsedMs: number;
    sentAgain: boolean;
    headers: {};
    reply: { status: number; headers: {}; body: string; isCut: boolean } | null;
    problem: string | null;
  }[];
  objectIds: string[];
  request: { id: string; method: string; path: string; status: number | null; whileItRan: boolean } | null;
};

type RequestSummary = {
  id: string;
  method: string;
  path: string;
  status: number | null;
  createdTimestamp: number;
  receivedTimestamp: number;
  elapsedMs: number;
  keyLastFour: string | null;
  accountId: string | null;
  requestId: string | null;
  operation: string | null;
  refusal: string | null;
  idempotencyKey: 'used' | 'ignored' | null;
  objectIds: string[];
};

type StoredRequest = {
  id: string;
  method: string;
  path: string;
  status: number | null;
  createdTimestamp: number;
  receivedTimestamp: number;
  elapsedMs: number;
  keyLastFour: string | null;
  accountId: string | null;
  requestId: string | null;
  operation: string | null;
  refusal: string | null;
  idempotencyKey: 'used' | 'ignored' | null;
  objectIds: string[];
  query: {};
  headers: {};
  body: unknown;
  replyHeaders: {};
  reply: unknown;
  section: string | null;
  reference: string | null;
  events: { id: string; eventType: string; objectId: string }[];
};

type ObjectSummary = {
  id: string;
  type:
    | 'paymentSession'
    | 'transaction'
    | 'dispute'
    | 'customer'
    | 'paymentMethod'
    | 'subscription'
    | 'account'
    | 'person'
    | 'payoutMethod'
    | 'payout'
    | 'balanceTransaction'
    | 'transfer'
    | 'platformFee'
    | 'platformFeeRefund'
    | 'conversion'
    | 'file'
    | 'walletDomain'
    | 'terminal'
    | 'action'
    | 'location'
    | 'product'
    | 'sku'
    | 'order'
    | 'event'
    | 'webhook'
    | 'balance';
  accountId: string | null;
  label: string | null;
  status: string | null;
  amount: number | null;
  currency: string | null;
  deleted: boolean;
  createdTimestamp: number | null;
};

type ObjectAction = {
  name: string;
  label: string;
  method: 'POST' | 'PATCH' | 'DELETE';
  path: string;
  accountId: string | null;
  body: {};
  fields: {
    member: string;
    label: string;
    type: 'amount' | 'choice' | 'text' | 'boolean' | 'timestamp';
    required: boolean;
    options?: string[];
    optionLabels?: string[];
    maxLength?: number;
    maximum?: number;
    currency?: string;
  }[];
};

type ObjectDetail = {
  id: string;
  type:
    | 'paymentSession'
    | 'transaction'
    | 'dispute'
    | 'customer'
    | 'paymentMethod'
    | 'subscription'
    | 'account'
    | 'person'
    | 'payoutMethod'
    | 'payout'
    | 'balanceTransaction'
    | 'transfer'
    | 'platformFee'
    | 'platformFeeRefund'
    | 'conversion'
    | 'file'
    | 'walletDomain'
    | 'terminal'
    | 'action'
    | 'location'
    | 'product'
    | 'sku'
    | 'order'
    | 'event'
    | 'webhook'
    | 'balance';
  accountId: string | null;
  label: string | null;
  status: string | null;
  amount: number | null;
  currency: string | null;
  deleted: boolean;
  createdTimestamp: number | null;
  object: {};
  state: string | null;
  nextMoment: { what: string; timestamp: number } | null;
  actions: ObjectAction[];
  names: { member: string; id: string }[];
  namedBy: {
    type:
      | 'paymentSession'
      | 'transaction'
      | 'dispute'
      | 'customer'
      | 'paymentMethod'
      | 'subscription'
      | 'account'
      | 'person'
      | 'payoutMethod'
      | 'payout'
      | 'balanceTransaction'
      | 'transfer'
      | 'platformFee'
      | 'platformFeeRefund'
      | 'conversion'
      | 'file'
      | 'walletDomain'
      | 'terminal'
      | 'action'
      | 'location'
      | 'product'
      | 'sku'
      | 'order'
      | 'event'
      | 'webhook'
      | 'balance';
    items: ObjectSummary[];
    hasMore: boolean;
  }[];
  history: {
    states: { status: string; createdTimestamp: number; eventId: string | null; requestId: string | null }[];
    events: { id: string; eventType: string; createdTimestamp: number }[];
    requests: { id: string; method: string; path: string; status: number | null; createdTimestamp: number }[];
    entries: {
      id: string;
      type: string;
      createdTimestamp: number;
      postings: { holder: string; amount: number; currency: string }[];
    }[];
    hasMore: { events: boolean; requests: boolean; entries: boolean };
  };
};

type SearchResult = {
  id: string;
  type:
    | 'paymentSession'
    | 'transaction'
    | 'dispute'
    | 'customer'
    | 'paymentMethod'
    | 'subscription'
    | 'account'
    | 'person'
    | 'payoutMethod'
    | 'payout'
    | 'balanceTransaction'
    | 'transfer'
    | 'platformFee'
    | 'platformFeeRefund'
    | 'conversion'
    | 'file'
    | 'walletDomain'
    | 'terminal'
    | 'action'
    | 'location'
    | 'product'
    | 'sku'
    | 'order'
    | 'event'
    | 'webhook'
    | 'balance'
    | 'request';
  label: string | null;
};

type CertificateAct = { number: number; act: string; text: string; askedTimestamp: number };

type CertificateCounts = {
  passed: number;
  failed: number;
  notShown: number;
  running: number;
  notTried: number;
};

type CertificateRule = { id: string | null; text: string; document: string | null };

type CertificateCase = {
  id: string;
  title: string;
  rules: CertificateRule[];
  status: 'NotTried' | 'Running' | 'Passed' | 'Failed' | 'NotShown';
  reason: string | null;
  recordingId: string | null;
  hasTrace: boolean;
};

type Certificate = {
  id: string;
  kind: string;
  name: string;
  terminalId: string | null;
  status: 'Running' | 'Ended' | 'BrokenOff';
  startedTimestamp: number;
  endedTimestamp: number | null;
  casesLeftOut: number;
  act: CertificateAct | null;
  counts: CertificateCounts;
  cases: CertificateCase[];
};

type CertificateSummary = {
  id: string;
  kind: string;
  name: string;
  terminalId: string | null;
  status: 'Running' | 'Ended' | 'BrokenOff';
  startedTimestamp: number;
  endedTimestamp: number | null;
  casesLeftOut: number;
  act: CertificateAct | null;
  counts: CertificateCounts;
};

type CertificateActAnswer = { number: number; done: boolean; reason: string | null };

type CreatedSandbox = {
  name: string;
  from: string | null;
  url: string;
  createdTimestamp: number;
  expiresTimestamp: number | null;
  idempotencyKeys: 'on' | 'off';
  strict: 'on' | 'off';
  pace: 'real' | 'instant';
  secretKey: string;
  publicKey: string;
  dashboardUrl: string;
  mqttTopic: string;
  accountId: string;
  subAccountId: string;
  terminals: { id: string; serialNumber: string }[];
};

type Sandbox = {
  name: string;
  from: string | null;
  url: string;
  createdTimestamp: number;
  expiresTimestamp: number | null;
  idempotencyKeys: 'on' | 'off';
  strict: 'on' | 'off';
  pace: 'real' | 'instant';
};

type SandboxList = { items: Sandbox[] };

type DashboardLink = { dashboardUrl: string };

type DeletedSandbox = { name: string; deleted: true };

type Snapshot = {
  id: string;
  sandbox: string;
  createdTimestamp: number;
  clockTimestamp: number;
  bytes: number;
};

type SnapshotList = { items: Snapshot[] };

type DeletedSnapshot = { id: string; deleted: true };

type PairingRequest = { keyScheme?: 'TDES' | 'AES' | undefined; unless?: 'Online' | 'Busy' | undefined };

type TerminalCredentials = {
  clientId: string;
  username: string;
  password: string;
  keys: { scheme: 'TDES' | 'AES'; initialKeyId: string; initialKey: string };
};

type FleetPairingRequest = {
  terminalIds: string[];
  keyScheme?: 'TDES' | 'AES' | undefined;
  unless?: 'Online' | 'Busy' | undefined;
};

type FleetCredentials = { items: TerminalCredentials[] };

type PairingCheckRequest = { password: string };

type PairingCheck = { current: boolean };

type BrokerCredentials = { clientId: string; username: string; password: string };

type Health = { status: 'ok'; store: 'ok'; broker: 'ok' };
