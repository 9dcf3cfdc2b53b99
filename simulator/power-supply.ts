import type { Agent } from '../agent/agent.ts';
import type { ActionHostState } from '../agent/lifecycle/action-host.ts';
import type { ActionJournal } from '../agent/lifecycle/action-journal.ts';
import type { DueEffect } from '../agent/lifecycle/action-run-parts.ts';
import { messageOf } from '../protocol/failures.ts';
import type { Log } from '../protocol/log.ts';
import type { SimulatedTerminalState } from './terminal-state.ts';

/** A power cut around an effect of the machine of a terminal. */
interface PowerCut {
  moment: 'before' | 'after';
  /** Called when the power is cut. */
  onCut(): void;
}

/** Returns the power cut around an effect that is about to run; undefined for none. */
export type CutAroundEffect = (due: DueEffect) => PowerCut | undefined;

/** Returns a `beforeEffect` of an agent that cuts its power where `cutAround` says so. */
export function powerCuts(cutAround: CutAroundEffect, powerOff: () => void) {
  return (due: DueEffect): (() => void) | undefined => {
    const powerCut = cutAround(due);
    if (!powerCut) return undefined;
    const cut = () => {
      powerOff();
      powerCut.onCut();
    };
    if (powerCut.moment === 'after') return cut;
    cut();
    return undefined;
  };
}

interface PowerSupplyParts {
  /** Creates an agent that starts from the journal, or from `state`. */
  boot(state?: ActionHostState): Agent;
  journal: ActionJournal;
  log: Log;
  /** State of another terminal, for the first start. */
  state?: SimulatedTerminalState | undefined;
}

type PowerSupply = ReturnType<typeof createPowerSupply>;
export type { PowerSupply };

/**
 * Creates the power and network switches. Each power-on boots a new agent, which resumes from the journal; the
 * network can be cut without power.
 */
export function createPowerSupply({ boot, journal, log, state }: PowerSupplyParts) {
  let agent: Agent | undefined;
  let network = state?.network ?? 'on';
  let restored = state;
  const powerOn = () => {
    if (agent) return;
    agent = boot(restored?.agent);
    restored = undefined;
    agent.start();
    if (network === 'off') agent.networkCut();
  };
  return {
    get agent() {
      return agent;
    },
    get power(): 'on' | 'off' {
      return agent ? 'on' : 'off';
    },
    get network() {
      return network;
    },
    /** Switches the power on, unless it is off in the given state. */
    start() {
      if (restored?.power !== 'off') return powerOn();
      const { action } = restored.agent;
      restored = undefined;
      if (action) journal.save(action);
      else journal.clear();
    },
    powerOn,
    powerOff() {
      agent?.powerCut();
      agent = undefined;
    },
    switchNetwork(to: 'on' | 'off') {
      if (to === network) return;
      network = to;
      if (to === 'off') agent?.networkCut();
      else agent?.networkRestored();
    },
    async stop() {
      const running = agent;
      agent = undefined;
      await running?.stop();
    },
    exportState(): Pick<SimulatedTerminalState, 'power' | 'network' | 'agent'> {
      if (agent) return { power: 'on', network, agent: agent.exportState() };
      return { power: 'off', network, agent: { ...NOTHING_KEPT, action: readJournal(journal, log) } };
    },
  };
}

/** What an agent without power keeps outside its journal. */
const NOTHING_KEPT = { isDormant: true, lastSnapshot: null, endedActionIds: [] };

/** Returns the entry of a journal; null when there is none, or it cannot be used, as when the power returns. */
function readJournal(journal: ActionJournal, log: Log) {
  try {
    return journal.load() ?? null;
  } catch (error) {
    log.error({ problem: messageOf(error) }, 'the journal cannot be used and is not exported');
    return null;
  }
}
