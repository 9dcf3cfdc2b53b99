/** How many requests each server has let through its rate limits, for each limit and key: an object as JSON. */
export const passedRequests: readonly string[] = [`ALTER TABLE instances ADD COLUMN passed TEXT`];
