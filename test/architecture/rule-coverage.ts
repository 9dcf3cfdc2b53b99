import type { Shown } from './coverage.ts';

/** A rule in our own words, and the test that shows it. */
export type Rule = readonly [rule: string, ...Shown];

const SESSION = 'server/api/payments/session-rules.test.ts';
const MOVEMENTS = 'server/api/payments/captures-voids-refunds.test.ts';
const ATTEMPT = 'server/api/payments/attempt.test.ts';
const UPDATE = 'server/api/payments/update.test.ts';
const HOLDS = 'journeys/holds-and-expiry.test.ts';
const MATRIX = 'journeys/visibility.test.ts';
const ACCOUNTS = 'server/api/accounts/accounts.test.ts';
const PERSONS = 'server/api/accounts/persons.test.ts';
const PERSON_RULES = 'server/api/accounts/person.rules.test.ts';
const METHODS = 'journeys/payout-method.test.ts';
const PAYOUTS = 'journeys/payout.test.ts';
const LEDGER = 'journeys/ledger.test.ts';
const CHANGE = 'server/api/subscriptions/change.test.ts';
const PAUSE = 'server/api/subscriptions/pause.test.ts';
const DISPUTES = 'journeys/dispute.test.ts';
const WALLETS = 'server/api/wallets/wallet.test.ts';
const LOCATIONS = 'server/api/in-person/location.test.ts';
const TERMINALS = 'server/api/in-person/terminal.test.ts';
const DELIVERY = 'server/platform/outbox/delivery.test.ts';
const EVENTS = 'server/api/webhooks/event.test.ts';
const QUERY = 'server/platform/http/query.test.ts';
const PAGING = 'server/platform/http/paging.test.ts';
const CREDENTIALS = 'server/platform/http/credentials.test.ts';
const REFUND = 'journeys/refund.test.ts';
const RECEIPT = 'journeys/point-of-sale-receipt.test.ts';

const FORMS = 'server/platform/http/member-forms.test.ts';
const LIMITS = 'server/platform/http/schema-limits.test.ts';
const STATED = 'architecture/stated-limits.test.ts';
const REPLIES = 'journeys/reply-shapes.test.ts';
const REFUSED = 'journeys/refusals.test.ts';
const CAPABLE = 'journeys/capabilities.test.ts';
const DOCUMENT = 'server/platform/http/whole-document.test.ts';

const FORM = '%i members of bodies have to be %s';
const LIMIT = 'each of the %i limits of bodies is refused by its name when it is broken';
const WITHIN = 'and what is just within a limit passes';
const METADATA = 'metadata is limited in all of the %i places where there is any';
const LENGTHS = 'the %i texts whose lengths are stated have them';
const REQUIRED = 'the %i members that are stated to be required are';
const NAMED = 'the %i members whose values are named take these and no other';
const ANSWERS =
  'every operation answers as it is declared, and so does every event, wherever an action has come';
const PROVOKED = '%i refusals are given for what their rows say, with status, code and message';
const SHAPES = 'members of a new session that have the wrong shape are refused by their name';
const SPLITS = 'a platform divides its own payment between its sub accounts';
const VERIFIES = 'a verification looks at a card and moves no money';
const BY_HAND = 'the rules of a payout by hand';
const EVIDENCE =
  'a dispute takes the money, evidence is gathered and submitted, and winning brings the money back';
const CHANGES = 'a change of one that is %s';

/** Every rule that the specification states, section by section. */
export const RULES: Readonly<Record<string, readonly Rule[]>> = {
  'Spec §1': [
    [
      'the document names no sandbox controls with live keys',
      DOCUMENT,
      'with live keys the document names no control of a sandbox, and none is served',
    ],
    [
      'a platform captures, voids and refunds',
      MOVEMENTS,
      'what may be done to a payment depends on where it stands',
    ],
    [
      'payouts are made by themselves',
      PAYOUTS,
      "Monday's payments are paid out on Wednesday, less what went, and the shop hears of it",
    ],
    [
      'a platform takes a fee of the payments of its sub accounts',
      SESSION,
      'a platform fee comes out of the payment of a sub account',
    ],
    [
      'subscriptions are billed by the service',
      'server/api/subscriptions/billing.test.ts',
      'a year of months is billed on the last days of its months, and ends after its cycles',
    ],
    [
      'the sandbox controls are absent with live keys',
      'server/platform/http/credentials.test.ts',
      'in %s, each key is let in where it belongs',
    ],
  ],
  'Spec §2.1': [
    ['every metadata has its number of entries', STATED, METADATA],
    ['every phone number is E.164', FORMS, FORM],
    ['every currency is one of ISO 4217', FORMS, FORM],
    ['every country has two letters', FORMS, FORM],
    ['every calendar date is yyyy-MM-dd', FORMS, FORM],
    ['every amount is a whole number of minor units', FORMS, FORM],
    ['every moment is in epoch seconds', FORMS, FORM],
    ['every e-mail address is one', FORMS, FORM],
    ['every limit of every body holds, and names the member', LIMITS, LIMIT],
    ['every limit of every query holds, too', LIMITS, 'each of the %i limits of queries too'],
    ['and goes no further than it says', LIMITS, WITHIN],
    ['whatever an answer may show some answer shows', REPLIES, ANSWERS],
    ['ten entries of metadata on payment sessions', SESSION, SHAPES],
    ['five entries of metadata on accounts', ACCOUNTS, '%j is refused'],
    ['five entries of metadata on persons', PERSONS, '%j is no good of a person'],
    ['amounts are whole numbers of minor units', SESSION, SHAPES],
    ['currencies are ISO 4217', SESSION, SHAPES],
    ['metadata has few entries, short keys and short values', LOCATIONS, 'a location with %s is refused'],
    [
      'metadata is in the events',
      'journeys/online-payment.test.ts',
      'a payment with 3DS: the shop hears of every step, in order, whole, and never the secret',
    ],
    ['lists answer items and a token, null at the end', PAGING, 'a full last page ends the list'],
    [
      'payout lists are also called payouts',
      PAYOUTS,
      'payouts are listed under both names, by either token, and by when payments were taken',
    ],
    ['calendar dates and phone numbers have one form', PERSONS, '%j is no good of a person'],
    [
      'ids have the prefixes of their kinds',
      'server/api/in-person/catalogue.test.ts',
      'the fixed ids are of the forms of the wire',
    ],
  ],
  'Spec §2.2': [
    ['order lines, shipping and splits have their inner shapes', LIMITS, LIMIT],
    ['order lines, shipping and splits are shown as they were given', REPLIES, ANSWERS],
    ['amount and currency are the minimal request', STATED, REQUIRED],
    ['flows, types, entry modes and authorisations are those named', STATED, NAMED],
    [
      'no splits go with a processing fee that was passed on, later either',
      UPDATE,
      'splits never go with a processing fee that was passed on, whenever they are named',
    ],
    [
      'a customer is named by customerId or customerDetails.id',
      UPDATE,
      'until it is paid a session takes changes; what is not named stays',
    ],
    [
      'a required action may be a redirect',
      'server/api/payments/three-ds.test.ts',
      'where the account asks for it a browser is redirected, an app is not',
    ],
    [
      'cards are taken unless said, and wallets count as cards',
      SESSION,
      'a session shows what it was asked for, with what the account says for the rest',
    ],
    [
      'the statement names the account unless said',
      SESSION,
      'a session shows what it was asked for, with what the account says for the rest',
    ],
    ['a wallet is paid with as a card is', ATTEMPT, 'a wallet pays with the card in it, and nobody is asked'],
    [
      'an e-mail address is needed before a payment is taken',
      ATTEMPT,
      'what cannot be paid, or not with that, is refused',
    ],
    [
      'the address of a named customer will do',
      ATTEMPT,
      'a named customer brings his address, and stays whatever the attempt says',
    ],
    [
      'an address makes a customer',
      ATTEMPT,
      'the customer is whoever has the address: made once, found again in any case',
    ],
    [
      'a platform fee is at most the amount, with the Account header',
      SESSION,
      'a platform fee comes out of the payment of a sub account',
    ],
    ['splits come to at most the amount', SESSION, SPLITS],
    ['splits go with no platform fee, passed-on processing fee or Account header', SESSION, SPLITS],
    [
      'splits of a capture stand in place of those of the session; later ones are not written to it',
      MOVEMENTS,
      'splits of a capture stand in place of those of its session; later ones are not written to it',
    ],
    [
      'capture is automatic unless it is asked for by hand',
      SESSION,
      'a session shows what it was asked for, with what the account says for the rest',
    ],
    [
      'a hold lasts seven days',
      HOLDS,
      'what is approved and not captured within seven days is voided by itself',
    ],
    [
      'MOTO needs approval; as a payment type it means the entry mode',
      SESSION,
      'what the account is not set up for is refused',
    ],
    [
      'the address to return to is https, and that of the account by default',
      SESSION,
      'a page to return to is https; an app has a scheme of its own',
    ],
    [
      'the session is in the query parameter ps of the way back',
      'server/bank/three-ds/pages.test.ts',
      'a person approves the challenge, and comes back to the shop with the payment made',
    ],
    [
      'the client secret is told to nobody else, and not in events',
      MATRIX,
      'a client secret is told to who asks for its session, and to nobody else',
    ],
    ['PreAuth is for accounts that may', SESSION, 'what the account is not set up for is refused'],
    [
      'the first of a series is begun by the customer, the others by the merchant (1)',
      ATTEMPT,
      'a series begins with the customer, whose card is kept, and goes on without him',
    ],
    ['a verification has amount 0 and moves no money (2)', SESSION, VERIFIES],
    ['a verification is captured by hand, and Automatic is refused (2)', SESSION, VERIFIES],
    ['a verification has no fee and no splits (2)', SESSION, VERIFIES],
    [
      'one refund is under way at a time (3)',
      'journeys/online-payment.test.ts',
      'a movement can be made to fail after it was accepted: no money moves, and it may be tried again',
    ],
    [
      'only what is captured is refunded (3)',
      MOVEMENTS,
      'what may be done to a payment depends on where it stands',
    ],
    [
      'the last error is told, and forgotten at the next try (4)',
      ATTEMPT,
      'a declined payment may be tried again, and what went wrong before is forgotten',
    ],
    [
      'a required action is there while the bank asks (4)',
      'server/api/payments/three-ds.test.ts',
      'a browser is told where to show itself, then where the cardholder is asked',
    ],
  ],
  'Spec §2.3': [
    ['onboarding flow, entity type and schedule are those named', STATED, NAMED],
    [
      'a card scheme is taken when it was requested',
      CAPABLE,
      'a card of a scheme that is not requested is declined as disabled, until the scheme is requested',
    ],
    [
      'a terminal takes payments when that was requested',
      CAPABLE,
      'a terminal takes payments while in-person payments are requested, of the schemes that are',
    ],
    ['every member and status of an account is shown', REPLIES, ANSWERS],
    [
      'card schemes and in-person payments are asked for one by one',
      ACCOUNTS,
      'a change leaves what it does not name, and replaces what it does',
    ],
    ['terms are accepted with address and moment', ACCOUNTS, '%j is refused'],
    [
      'a Hosted account has an e-mail address unless it says what it is',
      ACCOUNTS,
      'a Hosted account begins with an e-mail address and waits for its holder',
    ],
    [
      'the address may be in the block',
      ACCOUNTS,
      'the e-mail address of a Hosted business is that of its block unless one is given',
    ],
    [
      'the address of a NonHosted account is ignored',
      ACCOUNTS,
      'a NonHosted business is asked for what it did not say',
    ],
    ['a frozen account takes payments and is not paid out', PAYOUTS, BY_HAND],
    [
      'one document of each type, a new one in place of the old',
      ACCOUNTS,
      'documents show files of the account or its platform, one of each type',
    ],
    [
      'verification submits itself when all is there',
      'journeys/onboarding.test.ts',
      'a business that supplies everything is verified by itself, and everybody hears of it',
    ],
    [
      'a document that is no good is asked for again',
      'journeys/onboarding.test.ts',
      'a document that cannot be read is refused, and another one serves',
    ],
  ],
  'Spec §2.4': [
    ['roles and gender are those named, and there', STATED, REQUIRED],
    ['gender and roles are of the values named', STATED, NAMED],
    [
      'a person has at least one role, a gender of the two, and the rest',
      PERSONS,
      '%j is no good of a person',
    ],
    [
      'a document of a type that is there takes its place, whatever its status',
      'server/api/accounts/document.rules.test.ts',
      'a document of a type that is there takes its place, whatever its status; others stay',
    ],
  ],
  'Spec §2.5': [
    ['type, currency, country and bank account are required', STATED, REQUIRED],
    [
      'why a method is Invalid is there when it is read',
      PAYOUTS,
      'a payout that fails comes back, and is made again when the bank account is put right',
    ],
    [
      'bank ids are looked at as banks do',
      'server/api/payouts/bank-account.rules.test.ts',
      'lengths, digits and bank ids are looked at, and no refusal repeats the number',
    ],
    [
      'only some countries for each currency',
      'server/api/payouts/bank-account.rules.test.ts',
      'each currency has its own way to name an account, and its own countries',
    ],
    [
      'the number of a bank account is never shown again',
      METHODS,
      'a payout method is added, renamed and taken away, and its number is never seen again',
    ],
    ['one payout method for each currency', METHODS, 'an account has one payout method for each currency'],
    [
      'Invalid, with a reason',
      PAYOUTS,
      'a payout that fails comes back, and is made again when the bank account is put right',
    ],
  ],
  'Spec §2.6': [
    [
      'a payout may be held up, cancelled, expire, be returned or recalled',
      PAYOUTS,
      'a payout may be held up: it then goes on, or comes to nothing and the money is back',
    ],
    ['every status, scheme and member of a payout is shown', REPLIES, ANSWERS],
    [
      'the deprecated dates are still told',
      PAYOUTS,
      "Monday's payments are paid out on Wednesday, less what went, and the shop hears of it",
    ],
    [
      'by hand or by itself, and it says which',
      PAYOUTS,
      'a payout by hand takes what it needs, and carries over what is too much',
    ],
    [
      'a payout says all that it is made of',
      'server/api/payouts/payout-calculation.test.ts',
      'a calculation names every sum and every counter, also those that are nothing',
    ],
    [
      'and comes to its calculation',
      'journeys/money-out.test.ts',
      'whatever is sold, refunded, disputed and paid out, each payout is what its balance transactions say',
    ],
    [
      'Failed says why; Completed says when',
      PAYOUTS,
      'a payout that fails comes back, and is made again when the bank account is put right',
    ],
  ],
  'Spec §2.7': [
    ['all lengths are those stated', STATED, LENGTHS],
    ['name, first line, city, country and postal code are required', STATED, REQUIRED],
    ['coordinates are degrees', LIMITS, LIMIT],
    ['names, lines, cities and codes have their lengths', LOCATIONS, 'a location with %s is refused'],
    ['the US and Canada need a region', LOCATIONS, 'a location with %s is refused'],
    ['what is empty is null', LOCATIONS, 'a location is shown whole, with null for what is empty'],
  ],
  'Spec §2.8': [
    ['error and transaction of an action have their inner shapes', REPLIES, ANSWERS],
    [
      'a terminal shows its latest action',
      TERMINALS,
      'terminals are listed with their latest actions, newest first',
    ],
    [
      'every state of an action is one status',
      'server/api/in-person/action.machine.test.ts',
      'every state has exactly one status of the API',
    ],
  ],
  'Spec §3': [
    [
      'only Approved is captured or voided, and only when Manual',
      MOVEMENTS,
      'what may be done to a payment depends on where it stands',
    ],
    [
      'a capture is an event',
      'journeys/online-payment.test.ts',
      'a payment with 3DS: the shop hears of every step, in order, whole, and never the secret',
    ],
    [
      'billing goes on when a pause is over',
      PAUSE,
      'a pause is scheduled, takes effect when the next cycle is due, and lasts until it is ended',
    ],
    [
      'a refund leaves the payment Captured',
      MOVEMENTS,
      'a payment is refunded in parts, never more than was captured',
    ],
    [
      'each state of a payment is one status',
      'server/api/payments/payment-session.machine.test.ts',
      'each phase is one status of the API',
    ],
    [
      'what leads from one to the next',
      'server/api/payments/payment-session.machine.test.ts',
      'what leads on from %s, and nothing else does',
    ],
    [
      'a session that nobody pays expires',
      HOLDS,
      'a session that is not paid within seven days expires: it stays pending, and takes no attempt and no change',
    ],
    [
      'an approved session takes no update',
      UPDATE,
      'a session that is approved, captured or voided takes no changes',
    ],
    [
      'a pause takes effect when the next cycle is due',
      PAUSE,
      'a pause is scheduled, takes effect when the next cycle is due, and lasts until it is ended',
    ],
    ['a pause can be edited, also once it is on', PAUSE, 'a pause is edited as long as it lasts'],
    [
      'a pause that has not begun can be taken back',
      PAUSE,
      'a pause that has not begun is taken back, and the cycle is billed as ever',
    ],
    ['a cancelled subscription stays so', CHANGE, 'cancels at once and for good'],
    [
      'no update of what is Cancelled or Ended',
      'server/api/subscriptions/subscription.rules.test.ts',
      CHANGES,
    ],
    ['evidence only while Open, none after a challenge', DISPUTES, EVIDENCE],
    [
      'payouts move on to Completed or Failed',
      'server/api/payouts/payout.machine.test.ts',
      'a payout completes or fails, and a completed one may still come back',
    ],
    [
      'cancel-action makes room for a new action',
      'journeys/cancel.test.ts',
      'cancel ends the action at once and a new one starts',
    ],
  ],
  'Spec §4': [
    ['every list has its longest page', STATED, 'each of the %i lists has the longest page that it may have'],
    ['every list tells a token when there is more', REPLIES, ANSWERS],
    [
      'newest first unless asked',
      PAGING,
      'a page is ten items, newest first, ties in the order they were made',
    ],
    ['ascending in every spelling of clients', QUERY, 'ascending=%s is %s'],
    ['10 unless asked, 50 at most', QUERY, 'limit=%s is refused'],
    ['startsAfter goes on where the page ended', PAGING, 'walking the pages either way meets each item once'],
  ],
  'Spec §4.1': [
    [
      'the list is of today in UTC unless asked',
      'server/api/payments/list.test.ts',
      'a list shows the sessions of today, newest first, unless it is asked for a window',
    ],
    [
      'a window begins before it ends, ends included',
      'server/api/payments/list.test.ts',
      'a window that ends before it starts, and a token of another list, are refused',
    ],
    [
      'only Approved and Manual is captured or voided',
      MOVEMENTS,
      'what may be done to a payment depends on where it stands',
    ],
    [
      'attempt and continue are for the front end',
      ATTEMPT,
      "a browser of any origin may attempt and continue, with the shop's public key",
    ],
  ],
  'Spec §4.2': [
    [
      'endpoints are listed newest first',
      'server/api/webhooks/webhook.test.ts',
      'endpoints are listed newest first and belong to the platform whatever the Account header says',
    ],
    [
      'events are listed newest first',
      EVENTS,
      'events are paged through in both directions, ties in the order they were recorded',
    ],
    [
      'the Account header selects the events of a sub account',
      EVENTS,
      "a sub account's event is told to the platform's endpoints and read under its account alone",
    ],
  ],
  'Spec §4.3': [
    ['only NonHosted accounts are changed by PATCH', ACCOUNTS, 'a Hosted account is not changed by the API'],
    [
      'verify is not for individuals',
      ACCOUNTS,
      'verify answers the account of a business, and is not for individuals',
    ],
    [
      'authorize and links are for Hosted accounts',
      'server/api/accounts/account-links.test.ts',
      'only a Hosted account has a page',
    ],
    [
      'a link is good for a while',
      'server/api/accounts/account-links.test.ts',
      'a link leads to a page of this server for two hours',
    ],
  ],
  'Spec §4.4': [
    ['only a Business has persons', PERSONS, 'only a business has persons'],
    [
      'nine persons, five directors, four owners, one contact',
      PERSONS,
      'an account has nine persons, five directors, four owners, one contact',
    ],
    [
      'a person is deleted only before verification',
      PERSON_RULES,
      'a person whose verification is %s can be deleted: %s',
    ],
    [
      'files go with the person',
      PERSONS,
      'a person whose verification has not begun is deleted, with the files that no other document shows',
    ],
  ],
  'Spec §4.5': [
    ['one payout method for each currency', METHODS, 'an account has one payout method for each currency'],
    [
      'name and bank account change, currency and country do not',
      METHODS,
      'a payout method is added, renamed and taken away, and its number is never seen again',
    ],
    [
      'deleting answers the payout method',
      METHODS,
      'a payout method is added, renamed and taken away, and its number is never seen again',
    ],
  ],
  'Spec §4.6': [
    ['amount, currency and method are required', STATED, REQUIRED],
    ['a payout by hand is for NonHosted accounts set to Manual', PAYOUTS, BY_HAND],
    ['its method is Valid (1)', PAYOUTS, BY_HAND],
    ['at least the minimum of the account (2)', PAYOUTS, BY_HAND],
    [
      'verification is not Required (3)',
      PAYOUTS,
      'an account that has to be verified is not paid out, by hand or by itself',
    ],
    ['the account is not frozen (4)', PAYOUTS, BY_HAND],
    [
      'payouts by when their payments were taken',
      PAYOUTS,
      'payouts are listed under both names, by either token, and by when payments were taken',
    ],
  ],
  'Spec §4.7': [
    [
      'a transfer is between accounts of one platform',
      LEDGER,
      'a transfer names one account of the platform, an amount and a currency',
    ],
    [
      'balances are those of this moment',
      'server/api/ledger/post-entry.test.ts',
      'money is pending, then cleared, then available, by the passing of time alone',
    ],
    [
      'balance transactions of one payout',
      PAYOUTS,
      "Monday's payments are paid out on Wednesday, less what went, and the shop hears of it",
    ],
    [
      'a conversion sells one currency for another',
      'server/api/ledger/conversions.test.ts',
      'what is sold goes at once; priced after a second, what is bought comes at four',
    ],
    [
      'rates are indicative, and not asked for too often',
      LEDGER,
      'no rates while the desk is closed, nor for who asks too often',
    ],
  ],
  'Spec §4.8': [
    [
      'a customer goes with all payment methods',
      'server/api/customers/customer.test.ts',
      'a deleted customer is gone, and all payment methods too',
    ],
    [
      'a single-use payment method is not deleted',
      'server/api/customers/payment-method.test.ts',
      'only a stored one can be deleted',
    ],
  ],
  'Spec §4.9': [
    [
      'what is disputed is not refunded',
      DISPUTES,
      'what is disputed is not refunded, unless it has come back',
    ],
    [
      'nor at a terminal',
      DISPUTES,
      'a terminal refunds what is not disputed, and what it refunds is not disputed meanwhile',
    ],
    ['files of evidence are uploaded before', DISPUTES, 'evidence is of the right kind, and uploaded before'],
    ['no evidence after the challenge', DISPUTES, EVIDENCE],
    [
      'accepting takes the loss',
      DISPUTES,
      'what is lost, accepted or not answered in time stays lost; what is withdrawn comes back',
    ],
  ],
  'Spec §4.10': [
    [
      'the verification file is provided by the service',
      WALLETS,
      'the server provides the verification file, to be served by every site',
    ],
    [
      'both spellings are one storage',
      WALLETS,
      'a site registered under one path is there under the other, until it is taken away',
    ],
    ['99 domains for each account', WALLETS, 'an account has 99 sites, and room again when one is gone'],
    [
      'the domain hosts the verification file, as octet-stream',
      WALLETS,
      'with the setting on, a site is registered only when it serves its verification file',
    ],
  ],
  'Spec §4.11': [
    [
      'the Account header works on every call',
      MATRIX,
      'what a path names of another account does not exist, for any operation, either way',
    ],
    ['address and coordinates never change', LOCATIONS, 'to %s'],
    [
      'a location with a terminal is not deleted',
      LOCATIONS,
      'is refused while a terminal stands there, and done once it has gone',
    ],
  ],
  'Spec §4.12': [
    ['requested amount and currency are required, and the payment of a refund', STATED, REQUIRED],
    ['a terminal needs its serial number', TERMINALS, 'a terminal with %s is refused'],
    ['a deleted terminal takes no payments', TERMINALS, 'makes it unknown, for payments too'],
    [
      'the result arrives by webhook',
      'journeys/payment.test.ts',
      'a tapped payment ends captured, and the shop hears of it in order',
    ],
    [
      'a refund without an amount is whole',
      REFUND,
      'a payment is refunded in part, then the rest, and no more',
    ],
    ['the platform fee goes back in proportion when asked', REFUND, 'a platform fee goes back in proportion'],
    [
      'receipts of the point of sale are confirmed',
      RECEIPT,
      'merchant copy, customer copy, captured; events in that order',
    ],
  ],
  'Spec §4.13': [
    ['files are of known types and sizes', 'server/api/files/files.test.ts', '%s takes no %s named %s'],
    [
      'a SKU is of one country',
      'server/api/in-person/catalogue.test.ts',
      'SKUs are those of one country, and of one product if it is named',
    ],
  ],
  'Spec §5': [
    [
      'an account has a secret and a public key (1)',
      'server/api/accounts/bootstrap.test.ts',
      'the first start makes a platform with its keys and a sub account linked to it',
    ],
    [
      'deliveries are signed (7)',
      DELIVERY,
      'a delivery is the recorded bytes, signed under the whole secret',
    ],
    ['keys are sent in Authorization (2)', CREDENTIALS, 'in %s, each key is let in where it belongs'],
    [
      'the public key opens a session by its client secret, and no more (3)',
      MATRIX,
      'the public key opens a session by its own client secret, and nothing else',
    ],
    [
      'all else takes the secret key (4, 5)',
      MATRIX,
      'no operation is open to callers without a key, nor to accounts that are not linked',
    ],
    [
      'keys are in no answer and no log (4)',
      CREDENTIALS,
      'a refused key is told why, in the envelope, without the key in it',
    ],
    [
      'the Account header chooses a linked sub account (6)',
      CREDENTIALS,
      'the Account header chooses a linked sub account',
    ],
    [
      'objects of one account are not there for another (6)',
      MATRIX,
      'a list shows what the account has, and takes no token of another',
    ],
  ],
  'Spec §6': [
    ['every event type is recorded, delivered and of its declared shape (2, 8)', REPLIES, ANSWERS],
    ['every state of a delivery is shown (5)', REPLIES, ANSWERS],
    [
      'an event has the whole object (1)',
      EVENTS,
      'an event carries the whole object, and says whom it was told and how that stands',
    ],
    [
      'every endpoint that listens is told (1)',
      DELIVERY,
      'one endpoint acknowledges, the other fails for good: the event has failed',
    ],
    [
      'every type has its name (2)',
      'server/api/webhooks/event-types.test.ts',
      'there are forty event types, each named for its object and what happened to it',
    ],
    [
      "a sub account's events are its own, told to the platform (3)",
      EVENTS,
      "a sub account's event is told to the platform's endpoints and read under its account alone",
    ],
    [
      'events of terminals (4)',
      'journeys/payment.test.ts',
      'a tapped payment ends captured, and the shop hears of it in order',
    ],
    [
      'each delivery is signed with the secret of its endpoint (6)',
      DELIVERY,
      'a delivery is the recorded bytes, signed under the whole secret',
    ],
    [
      'HMAC-SHA256 over the body (6)',
      'server/platform/outbox/signature.test.ts',
      'a signature is the HMAC-SHA256 in hex under the whole text of the secret',
    ],
    [
      '0, 1, 5, 10, 10 and 10 minutes between tries (7)',
      DELIVERY,
      'an endpoint that fails is tried seven times: at once, then after 0, 1, 5, 10, 10 and 10 minutes',
    ],
  ],
  'Spec §7': [
    ['every rule that is broken is refused, by status, code and message (2, 3)', REFUSED, PROVOKED],
    ['every refusal is one that the document names (3)', REFUSED, PROVOKED],
    [
      'every refusal is provoked, or shown elsewhere (2)',
      REFUSED,
      'every refusal of the table is provoked, or shown by a test that is there',
    ],
    [
      '429 over the rate (1)',
      'server/platform/http/rate-limit.test.ts',
      'the refusal says when to come back',
    ],
    [
      'no update of an approved session (2)',
      UPDATE,
      'a session that is approved, captured or voided takes no changes',
    ],
    [
      'an account of another platform is refused (2)',
      MATRIX,
      'what a body names of another account does not exist either',
    ],
    [
      'refusals have one form (3)',
      'journeys/reply-shapes.test.ts',
      'every operation answers as it is declared, and so does every event, wherever an action has come',
    ],
    [
      'refusals come in one order (3)',
      'server/platform/http/refusal-order.test.ts',
      'of several reasons to refuse, the first in the order is given',
    ],
    [
      'nothing that is sent is a fault',
      'journeys/malformed.test.ts',
      '2,000 malformed requests over all routes: none is a fault, none hangs, and the books stay right',
    ],
  ],
  'Spec §8': [
    [
      'a platform has fifty endpoints for webhooks',
      'server/api/webhooks/webhook.test.ts',
      'a platform has fifty endpoints, and room again when one is gone',
    ],
    ['metadata entries, keys and values', STATED, METADATA],
    ['lengths of location fields', STATED, LENGTHS],
    [
      '5 a second in the sandbox, 50 live, and a burst',
      'journeys/rate-limit.test.ts',
      'in %s each kind of key has %i requests a second, and as many again in a burst',
    ],
    [
      '25 at most on a page of payout methods',
      METHODS,
      "an account's payout methods are its platform's to see, and nobody else's",
    ],
    [
      'least and most of a payment in each currency',
      SESSION,
      'each currency has a least and a most amount, and both may be paid',
    ],
    [
      'five directors and so on also when two come at once',
      PERSONS,
      'two who come at once do not make two contacts',
    ],
    [
      'one payout method for each currency also when two come at once',
      METHODS,
      'of two that are added at once, one is',
    ],
  ],
  'Spec §9': [
    [
      'the version is 1.1.0 (1)',
      DOCUMENT,
      'the version is that of the interface, and what is deprecated is marked',
    ],
    [
      'what is deprecated is marked (2)',
      DOCUMENT,
      'the version is that of the interface, and what is deprecated is marked',
    ],
    ['everything is under /v1', 'server/platform/http/paths.test.ts', 'there is nothing at %s'],
    [
      'paymentFees stand in three places',
      SESSION,
      'who pays for the processing may be said in three places, and is shown in one',
    ],
  ],
};
