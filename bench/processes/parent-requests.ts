interface Question {
  id: number;
  what: string;
  given: unknown;
}

// oxlint-disable-next-line no-explicit-any -- each handler names what its own parent sends it
type Handler = (given: any) => unknown;

/** Handles the requests of the parent (bench/child.ts). Exits with the parent, or on `stop` after its handler. */
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
