/** When plans are discarded first, after a connection has begun to use a schema; then after twice the time, and so on. */
const FIRST_MS = 1_000;

/** From then on PostgreSQL has analysed the tables that grow, and plans their statements again (autovacuum_naptime). */
const LAST_MS = 64_000;

/**
 * Returns whether a connection has to discard its plans, at most once for each time that doubles. PostgreSQL keeps the
 * plan of a statement until the tables are analysed. In a new database it takes any index of a table for as good as
 * another, so that a plan of the first seconds may read all objects of an account to find one.
 */
export function createPlanAge(begunMs: number) {
  let discardAfterMs = FIRST_MS;
  return {
    isOver(nowMs: number): boolean {
      if (discardAfterMs > LAST_MS || nowMs - begunMs < discardAfterMs) return false;
      while (discardAfterMs <= nowMs - begunMs) discardAfterMs *= 2;
      return true;
    },
  };
}

export type PlanAge = ReturnType<typeof createPlanAge>;
