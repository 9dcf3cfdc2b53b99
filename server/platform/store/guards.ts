/**
 * What holds a rule that spans rows while transactions run beside each other: a unique index, a condition of the
 * statement that writes, or a lock that each of them takes first. A transaction of PostgreSQL that names its guards runs
 * at READ COMMITTED, where each statement sees what is committed when it begins; so the guards have to hold everything
 * that it relies on. One that names none runs at SERIALIZABLE.
 */
interface Guard {
  /** The rule, as one sentence. */
  rule: string;
  /** What holds it, also against the transactions that are SERIALIZABLE. */
  heldBy: string;
  /** The transactions that touch the rule. */
  touchedBy: string;
}

export const GUARDS = {
  jobClaims: {
    rule: 'A job is claimed by one instance, and of each key one job at a time.',
    heldBy:
      'The unique index `jobs_one_claimed`; each statement that claims, renews, postpones or removes a claim has the ' +
      'owner of the claim, or that there is none, in its condition.',
    touchedBy:
      'Claims of due jobs, the ends of jobs, and each transaction that adds, moves or cancels a job.',
  },
  deliveryAttempts: {
    rule: 'An attempt of a delivery is counted once, and one that is acknowledged or has failed is not tried again.',
    heldBy:
      '`saveDelivery`, `saveEnded` and `bringForward` change a row only in the state, and after the number of attempts, that was read.',
    touchedBy: 'Attempts by schedule, attempts by hand, and deliveries that a fault held back.',
  },
  idempotencyKeys: {
    rule: 'A request with an idempotency key is worked on by one attempt at a time, and takes effect once.',
    heldBy:
      'The primary key of `idempotency_keys`; the statement that claims a key has in its condition that it is free, and ' +
      'the one that keeps the answer, in the transaction of the work, that the claim is still that of the attempt.',
    touchedBy:
      'Each request with an idempotency key: its claim, and the transaction of its work, which keeps the guards that it ' +
      'has without a key.',
  },
  latestRows: {
    rule: 'A log keeps its latest rows, within a number and a size, by a running total in each row.',
    heldBy: 'A lock on the log, which each transaction that writes to it takes first.',
    touchedBy: 'Writes of the request log and of timelines.',
  },
  actionInProgress: {
    rule: 'A terminal has one action in progress, whose reports, deadline and requests take effect one after another.',
    heldBy:
      'The row of the terminal, which each transaction that starts or changes an action locks first, and the unique ' +
      'index `actions_one_in_progress`.',
    touchedBy:
      'Starts of payments and refunds on a terminal, cancellations, receipt confirmations, reports, deadlines, reversals ' +
      'of payment terminals, and what is repeated when a server starts.',
  },
  terminalRegistration: {
    rule:
      'A terminal is at a location that is not deleted, is not deleted while it has an action in progress, and has one current ' +
      'pairing.',
    heldBy:
      'The rows of the location and of the terminal, which are locked, in this order, before they are read for a change; the ' +
      'unique index `terminals_live_serial`; a lock on the list of paired simulators.',
    touchedBy:
      'Creations, changes and deletions of terminals, pairings, fleets, deletions of locations; starts of actions lock the ' +
      'terminal too.',
  },
  paymentMoney: {
    rule: 'A payment is not captured beyond its amount, not refunded or disputed beyond what is captured, and by one at a time.',
    heldBy:
      'The row of the payment session, which is locked before it is read for a change of it, or of what belongs to it.',
    touchedBy:
      'Attempts, updates of a payment session, captures, voids, refunds, disputes, actions of terminals, the ends of holds, ' +
      'failures of accepted transactions, and payments of subscriptions.',
  },
  accountDetails: {
    rule:
      'What an account may do, and what is due of it, follows from all its persons, documents, payout methods and ' +
      'verifications, and its payouts follow from that.',
    heldBy:
      'The row of the account, which is locked before it, its persons, payout methods, onboarding links and payouts are read ' +
      'for a change; the unique index `accounts_by_email`.',
    touchedBy:
      'Creations and changes of accounts, persons and payout methods, verifications, onboarding pages, and payouts.',
  },
  availableBalance: {
    rule:
      'Payouts, transfers and conversions take no more than what an account has available, and a balance transaction is in ' +
      'one payout.',
    heldBy:
      'The row of the account, which each that takes from a balance locks before it reads it. Others only add an amount, which ' +
      'may be negative, and are as if they came before or after: what a payout consists of is added up and assigned by one ' +
      'statement.',
    touchedBy:
      'Payouts by hand and on schedule, transfers, conversions; payments, refunds and fees, which read no balance, and chargebacks.',
  },
  chargebackPayer: {
    rule: 'An account pays a chargeback when its balance suffices, and otherwise its platform does.',
    heldBy:
      'A row of the balance, which a dispute, and whatever else reads the balance before it takes from it, locks first.',
    touchedBy: 'Disputes, and captures that are disputed at once; payouts, transfers and conversions.',
  },
  registrationLimits: {
    rule: 'A platform has at most so many webhooks, and an account at most so many wallet domains.',
    heldBy:
      'The row of the account, which is locked before its webhooks or domains are counted and one is added; the unique index ' +
      '`wallet_domains_live_name`.',
    touchedBy: 'Creations of webhooks and wallet domains; deletions, which make room, are one statement.',
  },
  customerEmail: {
    rule: 'An account has one customer with an e-mail address.',
    heldBy:
      'The unique index `customers_live_email`; a customer is added unless it is there, and then read again.',
    touchedBy: 'Attempts, which add the customer of an address, and requests about customers.',
  },
  storedCards: {
    rule:
      'A card is stored with a customer who is not deleted, and is deleted with the customer, whose default card is one that ' +
      'is stored.',
    heldBy:
      'The row of the customer, which is written, unless it is deleted, before a card is stored, and otherwise locked before ' +
      'the customer and the cards are read for a change.',
    touchedBy:
      'Attempts that store their card, updates and deletions of customers, deletions of cards, and subscriptions.',
  },
  subscriptionBilling: {
    rule:
      'A subscription, the payments of its cycles, its card and its job change together, and a customer who has one is not ' +
      'deleted.',
    heldBy:
      'The rows of the customer and of the subscription, which are locked, in this order, before a subscription or one of its ' +
      'payment sessions is read for a change.',
    touchedBy:
      'Creations and changes of subscriptions, their jobs, attempts that pay one, and deletions of customers.',
  },
  sandboxReset: {
    rule: 'A reset deletes everything that was written before it, and what is written after it finds nothing of that.',
    heldBy:
      'A lock on every table that a reset empties, which it takes before it reads, and which each transaction that writes waits ' +
      'for. What a server holds and writes later is compared then: requests of the log with the time of the reset, timelines with the ' +
      'actions that are left.',
    touchedBy: 'Resets, and each transaction that writes.',
  },
} as const satisfies Record<string, Guard>;

/**
 * Why a transaction is SERIALIZABLE: what it relies on, and no guard holds. PostgreSQL undoes one of two that could break it,
 * and the store runs it again.
 */
export const SERIALIZABLE = {
  deletion:
    'Retention reads what belongs to objects and then deletes all of it, while anything may be added to them.',
  sandboxClock: 'The clock of a sandbox is read and set forward, and never back.',
  faults: 'The plans of faults and what they struck are read and counted together.',
  sentByHand: 'A delivery by hand follows from the state of the event and of the endpoint.',
  start: 'A server that starts reads what others have left, and changes tables and rows of its own.',
  oneInstant: 'All tables are read as they are at one instant.',
} as const satisfies Record<string, string>;

export type SerializableReason = keyof typeof SERIALIZABLE;

/** Tables whose rows are locked before they are changed, in the order in which a transaction locks them. */
export const ROW_LOCKS = [
  'accounts',
  'customers',
  'subscriptions',
  'locations',
  'terminals',
  'payment_sessions',
] as const;

export type LockedTable = (typeof ROW_LOCKS)[number];

/** A row that is locked: of this table, with the id that a row has in this column. */
export interface LockedRow {
  of: LockedTable;
  column: string;
}

const OF_ACCOUNT = { of: 'accounts', column: 'account_id' } as const;
const OF_SESSION = { of: 'payment_sessions', column: 'session_id' } as const;
const OF_TERMINAL = { of: 'terminals', column: 'terminal_id' } as const;

/**
 * What a transaction with guards locks before it writes a row of a table: `insert` before it adds the row, or changes the
 * column that names what is locked; `change` before it updates or deletes the row. `storedObjects` requires these locks.
 */
export const WRITE_LOCKS: Readonly<Record<string, { insert?: LockedRow; change?: LockedRow }>> = {
  accounts: { change: { of: 'accounts', column: 'id' } },
  persons: { insert: OF_ACCOUNT, change: OF_ACCOUNT },
  payout_methods: { insert: OF_ACCOUNT, change: OF_ACCOUNT },
  payouts: { insert: OF_ACCOUNT, change: OF_ACCOUNT },
  webhooks: { insert: OF_ACCOUNT },
  wallet_domains: { insert: OF_ACCOUNT },
  customers: { change: { of: 'customers', column: 'id' } },
  subscriptions: { change: { of: 'subscriptions', column: 'id' } },
  locations: { change: { of: 'locations', column: 'id' } },
  terminals: {
    insert: { of: 'locations', column: 'location_id' },
    change: { of: 'terminals', column: 'id' },
  },
  actions: { insert: OF_TERMINAL, change: OF_TERMINAL },
  payment_sessions: { change: { of: 'payment_sessions', column: 'id' } },
  payment_transactions: { insert: OF_SESSION, change: OF_SESSION },
  disputes: { insert: OF_SESSION, change: OF_SESSION },
};

/** How what a row names stays there from the read that finds it to the write of the row. */
export const KEPT = {
  locked: 'Its row is locked before it is read.',
  ofLocked: 'It belongs to an object whose row is locked, and is read after the lock.',
  resetDelayed:
    'Only a reset deletes it, or retention, long after its last change; `delayReset` is called before it is read.',
  sameTransaction: 'The transaction that adds the row has added it.',
  mayBeGone: 'It may be gone: what reads it expects that.',
} as const;

/**
 * What the rows of the tables that a reset empties name, by column, and how that is kept. `storedObjects` requires that a
 * transaction with guards that adds a row has locked a row or called `delayReset`.
 */
export const REFERENCES: Readonly<Record<string, keyof typeof KEPT>> = {
  'locations.account_id': 'resetDelayed',
  'terminals.account_id': 'ofLocked',
  'terminals.location_id': 'locked',
  'terminals.last_action_id': 'sameTransaction',
  'actions.account_id': 'ofLocked',
  'actions.session_id': 'locked',
  'actions.terminal_id': 'locked',
  'payment_sessions.account_id': 'resetDelayed',
  'payment_sessions.customer_id': 'locked',
  'payment_sessions.previous_session_id': 'resetDelayed',
  'payment_sessions.three_ds_run_id': 'sameTransaction',
  'payment_transactions.account_id': 'ofLocked',
  'payment_transactions.capture_id': 'ofLocked',
  'payment_transactions.session_id': 'locked',
  'three_ds_runs.session_id': 'locked',
  'webhooks.account_id': 'locked',
  'events.account_id': 'resetDelayed',
  'events.object_id': 'mayBeGone',
  'deliveries.event_id': 'sameTransaction',
  'deliveries.webhook_id': 'mayBeGone',
  'balances.account_id': 'ofLocked',
  'balance_transactions.account_id': 'ofLocked',
  'balance_transactions.origin_account_id': 'ofLocked',
  'balance_transactions.origin_id': 'ofLocked',
  'balance_transactions.payout_id': 'sameTransaction',
  'transfers.account_id': 'resetDelayed',
  'transfers.source_id': 'locked',
  'transfers.destination_id': 'resetDelayed',
  'platform_fees.account_id': 'ofLocked',
  'platform_fees.capture_id': 'sameTransaction',
  'platform_fees.from_account_id': 'ofLocked',
  'platform_fees.session_id': 'locked',
  'platform_fees.split_id': 'ofLocked',
  'platform_fee_refunds.fee_id': 'ofLocked',
  'conversions.account_id': 'locked',
  'persons.account_id': 'locked',
  'account_links.account_id': 'resetDelayed',
  'customers.account_id': 'resetDelayed',
  'customers.default_payment_method_id': 'ofLocked',
  'payment_methods.account_id': 'ofLocked',
  'payment_methods.customer_id': 'locked',
  'payment_methods.session_id': 'locked',
  'subscriptions.account_id': 'ofLocked',
  'subscriptions.customer_id': 'locked',
  'subscriptions.initial_session_id': 'sameTransaction',
  'subscriptions.latest_session_id': 'sameTransaction',
  'subscriptions.payment_method_id': 'ofLocked',
  'subscription_sessions.session_id': 'sameTransaction',
  'subscription_sessions.subscription_id': 'locked',
  'payout_methods.account_id': 'locked',
  'payouts.account_id': 'locked',
  'payouts.method_id': 'ofLocked',
  'disputes.account_id': 'ofLocked',
  'disputes.bearer_id': 'ofLocked',
  'disputes.platform_id': 'ofLocked',
  'disputes.session_id': 'locked',
  'wallet_domains.account_id': 'locked',
  'files.account_id': 'resetDelayed',
  'requests.account_id': 'mayBeGone',
  'action_timelines.action_id': 'mayBeGone',
  'fault_strikes.plan_id': 'mayBeGone',
  'fault_recoveries.terminal_id': 'mayBeGone',
  'accounts.platform_id': 'resetDelayed',
};

/** Columns that end as those of `REFERENCES` do and name no row: ids of other programs, groups and members of JSON. */
export const OTHER_IDS: readonly string[] = [
  'three_ds_runs.acs_id',
  'postings.entry_id',
  'balance_transactions.entry_id',
  'requests.request_id',
];

export type GuardName = keyof typeof GUARDS;
