import type { Command } from './command.ts';

type Load = () => Promise<Command>;

/** Loaders of all commands by name, in the order of the help. Only the command that is typed is loaded. */
export const COMMANDS: Record<string, Load> = {
  up: async () => (await import('./commands/up.ts')).up,
  server: async () => (await import('./commands/server.ts')).server,
  agent: async () => (await import('./commands/agent.ts')).agent,
  sim: async () => (await import('./commands/sim.ts')).sim,
  watch: async () => (await import('./commands/watch.ts')).watch,
  open: async () => (await import('./commands/open.ts')).open,
  wait: async () => (await import('./commands/wait.ts')).wait,
  terminals: async () => (await import('./commands/terminals.ts')).terminals,
  'terminals add': async () => (await import('./commands/terminals-add.ts')).terminalsAdd,
  pay: async () => (await import('./commands/pay.ts')).pay,
  refund: async () => (await import('./commands/refund.ts')).refund,
  cancel: async () => (await import('./commands/cancel.ts')).cancel,
  'confirm-receipt': async () => (await import('./commands/confirm-receipt.ts')).confirmReceipt,
  'present-card': async () => (await import('./commands/present-card.ts')).presentCard,
  listen: async () => (await import('./commands/listen.ts')).listen,
  pair: async () => (await import('./commands/pair.ts')).pair,
  readers: async () => (await import('./commands/readers.ts')).readers,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  udev: async () => (await import('./commands/udev.ts')).udev,
  twin: async () => (await import('./commands/twin.ts')).twin,
  'broker-acl': async () => (await import('./commands/broker-acl.ts')).brokerAcl,
  docs: async () => (await import('./commands/docs.ts')).docs,
};

/** Returns the loaders of a command and its subcommands; empty for an unknown command. */
export function commandsNamed(first: string | undefined): Load[] {
  return Object.entries(COMMANDS).flatMap(([name, load]) => (name.split(' ')[0] === first ? [load] : []));
}

/** Loads every command, in the order of the help. */
export function loadAllCommands(): Promise<Command[]> {
  return Promise.all(Object.values(COMMANDS).map((load) => load()));
}
