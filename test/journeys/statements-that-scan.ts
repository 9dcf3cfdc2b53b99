/** Statements that may read whole what they are about, and why. */
export const READ_WHOLE: readonly (readonly [RegExp, string])[] = [
  [/FROM accounts WHERE onboarding_flow IS NULL/, 'once at a start and at a reset'],
  [/^DELETE FROM api_keys/, 'two keys, at a start'],
  [/^SELECT hash FROM api_keys WHERE account_id/, 'two keys, at a start on a shared database'],
  [/^UPDATE terminals SET online = 0/, 'once at a start'],
  [/FROM actions WHERE status = 'InProgress' ORDER BY seq/, 'by an index of what is in progress alone'],
  [/^UPDATE jobs SET claimed_by = NULL/, 'by an index of what is claimed alone'],
  [/^WITH RECURSIVE found/, 'the queues that it has found, each by an index'],
  [/FROM (products|skus|orders) WHERE/, 'the catalogue, which nothing is added to'],
  [/FROM balance_transactions WHERE payout_id = \?/, 'adds up what is in one payout'],
  [/^UPDATE balance_transactions SET payout_id/, 'ranks what waits to be paid out'],
  [/FROM fault_plans ORDER BY seq/, '100 at most'],
  [/^SELECT id, passed FROM instances/, 'the servers on a database'],
  [/FROM fault_recoveries ORDER BY/, 'what faults took from terminals and will give back'],
  [/FROM accounts a LEFT JOIN webhooks/, 'sorts the endpoints of one platform, 50 at most'],
  [/FROM deliveries WHERE event_id IN/, 'sorts the deliveries of one page of events'],
  [/FROM terminals AS terminal LEFT JOIN actions/, 'all terminals of a platform, for GET /sandbox/terminals'],
  [/FROM subscription_sessions WHERE subscription_id = \?/, 'sorts the payments of one subscription'],
];

/** Further ones of /sandbox and the dashboard on the embedded store, where a sort of what an index found is a step too. */
export const READ_WHOLE_IN_SANDBOX: readonly (readonly [RegExp, string])[] = [
  ...READ_WHOLE,
  [/^USE TEMP B-TREE.* AND seq >= \? AND seq <= \? ORDER BY seq/, 'sorts at most the rows of one batch'],
  [
    /^USE TEMP B-TREE.*(IN \(SELECT|origin_id = \?|\(id = \? OR \(entry_id)/,
    'sorts what indexes found for one object',
  ],
  [/^USE TEMP B-TREE.*FROM jobs WHERE subject IN/, 'sorts the jobs of one object'],
  [/FROM jobs WHERE due_ms <= \?/, 'counts what is due: the jobs of payments that are not finished'],
  [/FROM webhooks WHERE deleted = 0/, '50 of each account at most'],
  [/FROM \(SELECT state, .* LIMIT 1000\) AS latest/, 'the latest thousand of one endpoint'],
  [/^USE TEMP B-TREE.*FROM postings AS posting JOIN/, 'sorts the postings of a hundred entries at most'],
  [/^USE TEMP B-TREE.*AS delivery WHERE .* event_id = \?/, 'sorts the deliveries of one event'],
  [/AS delivery WHERE 1 = 1 AND 1 = 1 ORDER BY/, 'a page in the order of the table'],
  [/FROM requests/, 'the log of requests: 10000 unless REQUEST_LOG_MAX is set'],
  [/FROM action_timelines ORDER BY seq DESC LIMIT 1$/, 'the newest row'],
  [
    /\? OR owner.platform_id = \?\) LIMIT 1 OFFSET 0\)( AND (1 = 1|deleted = 0|stored = 1))* ORDER BY seq/,
    'a page in the order of the table',
  ],
];

/** Statements that may read more rows when the tables have more, and why. */
export const READ_MORE: readonly (readonly [RegExp, string])[] = [
  ...READ_WHOLE.map(([pattern, why]) => [new RegExp(pattern.source.replace('^', ': ')), why] as const),
  [
    /FROM (persons|payout_methods|wallet_domains|webhooks) WHERE (account_id = \? AND )?deleted = 0/,
    'of one account',
  ],
  [/SUM\(CASE WHEN available_ms/, 'the rows of one balance: one for each day and stripe'],
  [/FROM requests/, 'the log of requests: 10000 unless REQUEST_LOG_MAX is set'],
  [/FROM accounts WHERE EXISTS/, 'a database has one platform, to which all its accounts belong'],
  [
    /FROM platform_fee_refunds WHERE EXISTS.* LIMIT 1 OFFSET 0\)( AND 1 = 1)* ORDER BY/,
    'skips copies without a platform fee',
  ],
  [/AS delivery WHERE 1 = 1 AND 1 = 1 ORDER BY/, 'skips copies without an event'],
  [/JOIN payouts AS paid/, 'the payouts of one account: one for each day and currency'],
];
