/** What answers are declared to show and never do, and why. */
export const NEVER: readonly (readonly [what: RegExp, why: string])[] = [
  [/^PaymentSession\.status: Processing$/, 'a payment is decided in the call that asks for it'],
  [/^Account\.actionsRequired\.action: PayoutDetailsRequired$/, 'what is lacking is a payout method'],
  [
    /^AccountVerification\.requiredDocuments\.(category: (ProofOfAddress|Authorization)|types: (BankStatement|CreditCardStatement|OfficialGovernmentLetter|PropertyTaxAssessment|TaxReturn|UtilityBill|ArticlesOfIncorporation|LetterOfAuthorization))$/,
    'a proof of identity or of business is asked for, nothing else',
  ],
  [
    /^PersonVerification\.requiredDocuments\.(category: (ProofOfAddress|ProofOfBusiness|Authorization)|types: (BankStatement|CreditCardStatement|OfficialGovernmentLetter|PropertyTaxAssessment|TaxReturn|UtilityBill|BusinessRegistration|ArticlesOfIncorporation|LetterOfAuthorization))$/,
    'of a person a proof of identity is asked for',
  ],
  [
    /^Capability\.(status: (Pending|Disabled)|requiredFields\.name|requiredDocuments\..+|disabledReason)$/,
    'a capability that is requested is enabled',
  ],
  [
    /^PayoutMethod\.verification\.(status: (?!NotSupported)|nameOnAccount|rejectionReason)/,
    'no name on a bank account is compared',
  ],
  [/^PayoutMethod\.status: Pending$/, 'a bank answers at once whether it knows an account'],
  [/^Payout\.scheme: (Bacs|Chaps|Sepa)$/, 'each currency goes one way'],
  [/^Transfer\.status: Pending$/, 'only the event of one that is declined says so'],
  [/^BalanceTransaction\.type: TransactionApproval$/, 'an approval moves no money'],
  [/^PlatformFeeRefund\.status: (Pending|Failed)$/, 'it succeeds with the refund that it is of'],
  [/^File\.category: Report$/, 'the service makes no reports'],
  [/^(Product|Sku)\.status: Unavailable$/, 'the catalogue is fixed'],
  [/^(Sku|Order)\.currency: (?!GBP)/, 'the catalogue is fixed'],
  [/^Order\.shipping\.address\.(lineTwo|region)$/, 'the catalogue is fixed'],
];
