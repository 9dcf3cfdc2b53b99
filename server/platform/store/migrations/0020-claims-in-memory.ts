/**
 * The only instance on an SQLite file claims several jobs of a subject, since its runner runs them one after the other.
 * Its claims do not end, so `claimed_until_ms` is 0. Claims that end are still one of a subject.
 */
export const claimsInMemory: readonly string[] = [
  `DROP INDEX jobs_one_claimed`,
  `CREATE UNIQUE INDEX jobs_one_claimed ON jobs (subject) WHERE claimed_by IS NOT NULL AND claimed_until_ms > 0`,
];
