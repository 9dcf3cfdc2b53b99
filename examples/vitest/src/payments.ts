/** Options of the payment provider's client. */
export interface PaymentsOptions {
  url: string;
  secretKey: string;
  fetch: typeof globalThis.fetch;
}

export interface StartedPayment {
  actionId: string;
  sessionId: string;
}

export interface Payments {
  /**
   * Starts a payment on the terminal, in minor units. @throws Error with the provider's message
   */
  take(terminalId: string, amountMinor: number): Promise<StartedPayment>;
  refund(terminalId: string, sessionId: string): Promise<StartedPayment>;
  cancel(terminalId: string): Promise<void>;
}

interface ActionReply {
  action: { id: string; transaction: { paymentSessionId: string } };
}

export function createPayments({ url, secretKey, fetch }: PaymentsOptions): Payments {
  async function post<Reply>(path: string, body: object = {}): Promise<Reply> {
    const response = await fetch(`${url}/v1${path}`, {
      method: 'POST',
      headers: { authorization: secretKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const reply = (await response.json()) as Reply & { errors?: { message: string }[] };
    if (!response.ok)
      throw new Error(reply.errors?.[0]?.message ?? `the provider responded with ${response.status}`);
    return reply;
  }
  const started = ({ action }: ActionReply): StartedPayment => ({
    actionId: action.id,
    sessionId: action.transaction.paymentSessionId,
  });
  return {
    take: async (terminalId, amountMinor) =>
      started(
        await post<ActionReply>(`/in-person/terminals/${terminalId}/payment`, {
          amounts: { requested: amountMinor },
          currency: 'GBP',
        }),
      ),
    refund: async (terminalId, sessionId) =>
      started(
        await post<ActionReply>(`/in-person/terminals/${terminalId}/refund`, {
          paymentSession: { id: sessionId },
        }),
      ),
    cancel: async (terminalId) => void (await post(`/in-person/terminals/${terminalId}/cancel-action`)),
  };
}
