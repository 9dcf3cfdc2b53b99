interface Question {
  id: number;
  what: string;
  given: unknown;
}

// oxlint-disable-next-line no-explicit-any -- each handler names what its own parent sends it
type Handler = (given: any) => unknown;

/**
 * The child's side of bench/child.ts: does what the parent asks, and ends with the parent or when told to.
 * A handler `stop` cleans up first.
 */
export function handleParentRequests(handlers: Record<string, Handler>): void {
  process.on('message', (message) => {
    const { id, what, given } = message as Question;
    answer(handlers[what], given).then(
      (value) => (what === 'stop' ? process.exit(0) : process.send!({ id, value })),
      (error: unknown) => {
        const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
        process.send!({ id, problem });
        if (what === 'stop') process.exit(1);
      },
    );
  });
  process.on('disconnect', () => process.exit(0));
}

async function answer(handler: Handler | undefined, given: unknown): Promise<unknown> {
  return handler?.(given);
}
