import type { Services } from '../platform/services.ts';
import type { TraceSnapshot } from './trace-format.schema.ts';
import type { Items } from './trace-items.ts';

/** A simulated terminal, as its simulator exports it. */
interface ExportedTerminal {
  terminalId: string;
  deviceType?: string;
  cardholder?: unknown;
  readLatencyMs?: number;
  state?: { cardholder?: { options?: unknown } };
}

/**
 * Records each simulated terminal that comes online for the first time, and finds the terminals of other programs, whose
 * messages a replay cannot send.
 */
export function watchTerminals({ notices, exportTerminals }: Services, items: Items) {
  const simulated = new Set<string>();
  const reporting = new Set<string>();
  const attached = new Set<string>();
  let exporting: Promise<unknown> = Promise.resolve();

  async function attach(terminalId: string, put: ReturnType<Items['reserve']>['put']): Promise<void> {
    const terminals = ((await exportTerminals?.()) ?? []) as ExportedTerminal[];
    const found = terminals.find((terminal) => terminal.terminalId === terminalId);
    if (!found || simulated.has(terminalId)) return;
    simulated.add(terminalId);
    const { state, cardholder, ...member } = found;
    put({ kind: 'terminal', ...member, cardholder: state?.cardholder?.options ?? cardholder });
  }

  const end = notices.listen((notice) => {
    if (notice.kind === 'message.received' && notice.name !== 'cards.offered' && notice.name !== 'simulated')
      reporting.add(notice.terminalId);
    if (notice.kind !== 'terminal.presence' || !notice.online) return;
    const { terminalId } = notice;
    if (simulated.has(terminalId) || attached.has(terminalId)) return;
    attached.add(terminalId);
    const { put } = items.reserve();
    exporting = Promise.all([exporting, attach(terminalId, put)]).catch(() => undefined);
  });

  return {
    end,
    /** Takes note of the simulated terminals of the snapshot with which the recording begins. */
    knows({ lines }: TraceSnapshot): void {
      for (const line of lines) {
        if (Array.isArray(line)) continue;
        const { terminals } = line as { terminals?: ExportedTerminal[] | null };
        for (const { terminalId } of terminals ?? []) simulated.add(terminalId);
      }
    },
    settled: async () => void (await exporting),
    /** Returns why the recording cannot be replayed, as far as its terminals are concerned. */
    obstacles: () =>
      [...reporting]
        .filter((id) => !simulated.has(id))
        .map((id) => `the terminal ${id} is not simulated: its messages cannot be sent again`),
  };
}
