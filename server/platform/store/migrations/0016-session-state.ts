/** The state of a payment session in its machine; until now it was derived from the status and the required action. */
export const sessionState: readonly string[] = [
  `ALTER TABLE payment_sessions ADD COLUMN state TEXT NOT NULL DEFAULT 'awaitingPayment'`,
  `UPDATE payment_sessions SET state = CASE
     WHEN status = 'Approved' THEN 'approved'
     WHEN status = 'Captured' THEN 'captured'
     WHEN status = 'Voided' THEN 'voided'
     WHEN status = 'PendingAction' AND required_action LIKE '%"type":"Identify"%' THEN 'identifying'
     WHEN status = 'PendingAction' THEN 'challenging'
     ELSE 'awaitingPayment' END`,
];
