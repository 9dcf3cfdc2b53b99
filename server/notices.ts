/** What happened, for whoever watches this process: the console of `tapbench up`, a test. Never money's record. */
export type Notice =
  | { kind: 'request'; method: string; path: string; status: number; elapsedMs: number }
  | { kind: 'terminal.registered'; terminalId: string; serialNumber: string; simulatedBy: string | null }
  | { kind: 'terminal.removed'; terminalId: string }
  | { kind: 'terminal.presence'; terminalId: string; online: boolean }
  | { kind: 'terminal.stepped'; terminalId: string; actionId: string; event: string; state: string }
  | {
      kind: 'action.updated';
      terminalId: string;
      actionId: string;
      type: string;
      status: string;
      detail: string;
    }
  | { kind: 'sandbox.reset' }
  | { kind: 'event.recorded'; eventId: string; eventType: string; objectId: string }
  | {
      kind: 'webhook.attempted';
      eventId: string;
      eventType: string;
      url: string;
      attempt: number;
      answer: string;
      acknowledged: boolean;
    };

export interface Notices {
  tell(notice: Notice): void;
  /** Returns the function that stops listening. */
  listen(listener: (notice: Notice) => void): () => void;
}

export function createNotices(): Notices {
  const listeners = new Set<(notice: Notice) => void>();
  return {
    tell: (notice) => listeners.forEach((listener) => listener(notice)),
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
