import type { Command, ListedCommand } from './command-line/command.ts';

/** A command before it is loaded. */
interface CommandEntry {
  /** What the list of commands and the command's own help say first. */
  summary: string;
  load(): Promise<Command>;
}

/** All commands by name, in the order of the help. Only the command that is typed is loaded. */
export const COMMANDS: Record<string, CommandEntry> = {
  up: {
    summary: 'Run the server, its broker and simulated terminals',
    load: async () => (await import('./commands/up.ts')).up,
  },
  down: {
    summary: 'Stop the server of the data folder',
    load: async () => (await import('./commands/down.ts')).down,
  },
  server: {
    summary: 'Run the server and its broker without terminals',
    load: async () => (await import('./commands/server.ts')).server,
  },
  agent: {
    summary: 'Run one terminal, with a virtual or a real reader',
    load: async () => (await import('./commands/agent.ts')).agent,
  },
  sim: {
    summary: 'Run many simulated terminals',
    load: async () => (await import('./commands/sim.ts')).sim,
  },
  watch: {
    summary: 'Show terminals and their actions on a text screen',
    load: async () => (await import('./commands/watch.ts')).watch,
  },
  open: {
    summary: 'Open the dashboard in the browser and print its link',
    load: async () => (await import('./commands/open.ts')).open,
  },
  wait: {
    summary: 'Wait until a server is ready',
    load: async () => (await import('./commands/wait.ts')).wait,
  },
  sandbox: {
    summary: 'List the sandboxes of the server',
    load: async () => (await import('./commands/sandbox.ts')).sandboxList,
  },
  'sandbox create': {
    summary: 'Create a sandbox',
    load: async () => (await import('./commands/sandbox.ts')).sandboxCreate,
  },
  'sandbox fork': {
    summary: 'Create a sandbox as a copy of another',
    load: async () => (await import('./commands/sandbox.ts')).sandboxFork,
  },
  'sandbox update': {
    summary: 'Change the settings of a sandbox',
    load: async () => (await import('./commands/sandbox.ts')).sandboxUpdate,
  },
  'sandbox delete': {
    summary: 'Delete a sandbox',
    load: async () => (await import('./commands/sandbox.ts')).sandboxDelete,
  },
  'sandbox save': {
    summary: 'Save a sandbox in a file',
    load: async () => (await import('./commands/sandbox-snapshot.ts')).sandboxSave,
  },
  'sandbox restore': {
    summary: 'Create a sandbox from a file',
    load: async () => (await import('./commands/sandbox-snapshot.ts')).sandboxRestore,
  },
  clock: {
    summary: 'Print the time of the sandbox',
    load: async () => (await import('./commands/clock.ts')).clock,
  },
  'clock advance': {
    summary: 'Advance the time of the sandbox',
    load: async () => (await import('./commands/clock.ts')).clockAdvance,
  },
  reset: {
    summary: 'Delete the data of the sandbox',
    load: async () => (await import('./commands/reset.ts')).reset,
  },
  keys: {
    summary: 'Print the API keys of the server on this machine',
    load: async () => (await import('./commands/keys.ts')).keys,
  },
  terminals: {
    summary: 'List terminals and whether they are online',
    load: async () => (await import('./commands/terminals.ts')).terminals,
  },
  'terminals add': {
    summary: 'Register a terminal',
    load: async () => (await import('./commands/terminals-add.ts')).terminalsAdd,
  },
  locations: {
    summary: 'List the locations of terminals',
    load: async () => (await import('./commands/locations.ts')).locations,
  },
  'locations add': {
    summary: 'Create a location',
    load: async () => (await import('./commands/locations.ts')).locationsAdd,
  },
  'locations delete': {
    summary: 'Delete a location that has no terminal',
    load: async () => (await import('./commands/locations.ts')).locationsDelete,
  },
  pay: {
    summary: 'Take a payment on a terminal',
    load: async () => (await import('./commands/pay.ts')).pay,
  },
  refund: {
    summary: 'Refund a payment on a terminal',
    load: async () => (await import('./commands/refund.ts')).refund,
  },
  settle: {
    summary: 'Settle an action whose outcome at a payment terminal is unknown',
    load: async () => (await import('./commands/settle.ts')).settle,
  },
  cancel: {
    summary: 'Cancel the action in progress on a terminal',
    load: async () => (await import('./commands/cancel.ts')).cancel,
  },
  'confirm-receipt': {
    summary: 'Report that the point of sale printed a receipt copy, or failed to',
    load: async () => (await import('./commands/confirm-receipt.ts')).confirmReceipt,
  },
  action: {
    summary: 'Print an action on a terminal with its state on the server',
    load: async () => (await import('./commands/action.ts')).action,
  },
  receipt: {
    summary: 'Print the receipt of an action on a terminal',
    load: async () => (await import('./commands/receipt.ts')).receipt,
  },
  'present-card': {
    summary: 'Present a card to a simulated terminal',
    load: async () => (await import('./commands/present-card.ts')).presentCard,
  },
  'remove-card': {
    summary: 'Remove the card from a simulated terminal',
    load: async () => (await import('./commands/simulated-terminal.ts')).removeCard,
  },
  'press-keys': {
    summary: 'Press keys of a simulated terminal',
    load: async () => (await import('./commands/simulated-terminal.ts')).pressKeys,
  },
  cardholder: {
    summary: 'Set what a simulated cardholder does',
    load: async () => (await import('./commands/simulated-terminal.ts')).cardholder,
  },
  power: {
    summary: 'Switch the power of a simulated terminal off or on',
    load: async () => (await import('./commands/simulated-terminal.ts')).power,
  },
  network: {
    summary: 'Disconnect or reconnect a simulated terminal',
    load: async () => (await import('./commands/simulated-terminal.ts')).network,
  },
  reader: {
    summary: 'Unplug the card reader of a simulated terminal, or plug it in again',
    load: async () => (await import('./commands/simulated-terminal.ts')).reader,
  },
  paper: {
    summary: 'Set the sheets of paper of a simulated terminal',
    load: async () => (await import('./commands/simulated-terminal.ts')).paper,
  },
  control: {
    summary: 'Use a control of a stand-alone payment terminal',
    load: async () => (await import('./commands/simulated-terminal.ts')).control,
  },
  listen: {
    summary: 'Receive webhooks, verify their signatures and print them',
    load: async () => (await import('./commands/listen.ts')).listen,
  },
  webhooks: {
    summary: 'List the webhook endpoints',
    load: async () => (await import('./commands/webhooks.ts')).webhooks,
  },
  'webhooks add': {
    summary: 'Register a webhook endpoint and print its secret',
    load: async () => (await import('./commands/webhooks.ts')).webhooksAdd,
  },
  'webhooks delete': {
    summary: 'Delete a webhook endpoint',
    load: async () => (await import('./commands/webhooks.ts')).webhooksDelete,
  },
  'webhooks health': {
    summary: 'Show how the latest deliveries to each endpoint went',
    load: async () => (await import('./commands/webhook-deliveries.ts')).webhooksHealth,
  },
  'webhooks deliveries': {
    summary: 'List deliveries to webhook endpoints, or print one with its attempts',
    load: async () => (await import('./commands/webhook-deliveries.ts')).webhooksDeliveries,
  },
  'webhooks send': {
    summary: 'Send deliveries again, in an order of your own',
    load: async () => (await import('./commands/webhook-deliveries.ts')).webhooksSend,
  },
  events: {
    summary: 'List events with their deliveries, or print one',
    load: async () => (await import('./commands/events.ts')).events,
  },
  'events deliver': {
    summary: 'Deliver an event again',
    load: async () => (await import('./commands/events.ts')).eventsDeliver,
  },
  accounts: {
    summary: 'List the platform and its sub accounts',
    load: async () => (await import('./commands/accounts.ts')).accounts,
  },
  'accounts settings': {
    summary: 'Change the settings of an account that the API has no field for',
    load: async () => (await import('./commands/accounts.ts')).accountsSettings,
  },
  'accounts verify': {
    summary: 'Set the result of the verification of a sub account or a person',
    load: async () => (await import('./commands/accounts.ts')).accountsVerify,
  },
  disputes: {
    summary: 'List disputes',
    load: async () => (await import('./commands/disputes.ts')).disputes,
  },
  'disputes open': {
    summary: 'Dispute a captured payment as its cardholder',
    load: async () => (await import('./commands/disputes.ts')).disputesOpen,
  },
  'disputes decide': {
    summary: 'Decide a dispute as the card scheme, or withdraw it',
    load: async () => (await import('./commands/disputes.ts')).disputesDecide,
  },
  authenticate: {
    summary: 'Continue a payment that waits for 3-D Secure, as its cardholder',
    load: async () => (await import('./commands/outcomes.ts')).authenticate,
  },
  'decline-next': {
    summary: 'Decline the next attempt to pay a payment session',
    load: async () => (await import('./commands/outcomes.ts')).declineNext,
  },
  'fail-next': {
    summary: 'Make the next capture, void or refund of a payment fail',
    load: async () => (await import('./commands/outcomes.ts')).failNext,
  },
  'payout-status': {
    summary: 'Set the status of a payout',
    load: async () => (await import('./commands/outcomes.ts')).payoutStatus,
  },
  'verify-payout-method': {
    summary: 'Set the verification of a payout method, as its bank',
    load: async () => (await import('./commands/outcomes.ts')).verifyPayoutMethod,
  },
  trigger: {
    summary: 'Make an event happen, by the calls that lead to it',
    load: async () => (await import('./commands/trigger.ts')).trigger,
  },
  logs: {
    summary: 'Print the requests that the server receives',
    load: async () => (await import('./commands/logs.ts')).logs,
  },
  faults: {
    summary: 'List the faults of the sandbox, with how often each struck',
    load: async () => (await import('./commands/faults.ts')).faults,
  },
  'faults points': {
    summary: 'Print where faults can strike, and what each does',
    load: async () => (await import('./commands/faults.ts')).faultsPoints,
  },
  'faults add': {
    summary: 'Put a fault on the sandbox',
    load: async () => (await import('./commands/faults.ts')).faultsAdd,
  },
  'faults load': {
    summary: 'Put the faults of a file on the sandbox',
    load: async () => (await import('./commands/faults.ts')).faultsLoad,
  },
  'faults show': {
    summary: 'Print each time that a fault of a plan struck',
    load: async () => (await import('./commands/faults.ts')).faultsShow,
  },
  'faults delete': {
    summary: 'End a plan of faults and delete it',
    load: async () => (await import('./commands/faults.ts')).faultsDelete,
  },
  hunt: {
    summary: 'Look for faults after which a shop and the money disagree',
    load: async () => (await import('./commands/hunt.ts')).hunt,
  },
  drill: {
    summary: 'Play a failure in a shop, and say what it cost',
    load: async () => (await import('./commands/drill.ts')).drill,
  },
  compare: {
    summary: 'Say where another server of the API differs from this one',
    load: async () => (await import('./commands/compare.ts')).compare,
  },
  certify: {
    summary: 'List the rules that a certificate shows',
    load: async () => (await import('./commands/certify.ts')).certify,
  },
  'certify device': {
    summary: 'Say which rules of the terminal protocol a device keeps',
    load: async () => (await import('./commands/certify-device.ts')).certifyDevice,
  },
  'certify endpoint': {
    summary: 'Say which rules of webhooks an endpoint keeps',
    load: async () => (await import('./commands/certify-endpoint.ts')).certifyEndpoint,
  },
  'certify till': {
    summary: 'Say which rules of money a till keeps under faults',
    load: async () => (await import('./commands/certify-till.ts')).certifyTill,
  },
  record: {
    summary: 'Record the sandbox in a trace file',
    load: async () => (await import('./commands/record.ts')).record,
  },
  recordings: {
    summary: 'List the recordings that the server holds',
    load: async () => (await import('./commands/record.ts')).recordings,
  },
  'recordings save': {
    summary: 'Save a recording in a trace file',
    load: async () => (await import('./commands/record.ts')).recordingsSave,
  },
  'recordings delete': {
    summary: 'Delete a recording',
    load: async () => (await import('./commands/record.ts')).recordingsDelete,
  },
  replay: {
    summary: 'Repeat a trace file and compare what comes of it',
    load: async () => (await import('./commands/replay.ts')).replay,
  },
  trace: {
    summary: 'Print what a trace file has recorded',
    load: async () => (await import('./commands/trace.ts')).trace,
  },
  objects: {
    summary: 'List the objects of a type, of all accounts',
    load: async () => (await import('./commands/objects.ts')).objects,
  },
  object: {
    summary: 'Print an object of any type with its relations and its history',
    load: async () => (await import('./commands/objects.ts')).object,
  },
  find: {
    summary: 'Find what has an id, a serial number or an e-mail address',
    load: async () => (await import('./commands/objects.ts')).find,
  },
  mcp: {
    summary: 'Give the tools of Tapbench to a coding agent, over MCP',
    load: async () => (await import('./commands/mcp.ts')).mcp,
  },
  pair: {
    summary: 'Create the MQTT credentials of a terminal and its keys for card data',
    load: async () => (await import('./commands/pair.ts')).pair,
  },
  readers: {
    summary: 'List serial ports and the drivers that fit',
    load: async () => (await import('./commands/readers.ts')).readers,
  },
  doctor: {
    summary: 'Test a reader step by step and suggest fixes',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  udev: {
    summary: 'Print a udev rule that gives access to readers on Linux',
    load: async () => (await import('./commands/udev.ts')).udev,
  },
  twin: {
    summary: 'Simulate a card reader on a serial line',
    load: async () => (await import('./commands/twin.ts')).twin,
  },
  'broker-acl': {
    summary: 'Write the users and access rules for an external MQTT broker',
    load: async () => (await import('./commands/broker-acl.ts')).brokerAcl,
  },
  docs: {
    summary: 'Write the documents that are generated from the code',
    load: async () => (await import('./commands/docs.ts')).docs,
  },
};

/** Returns the names of a command and its subcommands; empty for an unknown command. */
export function commandsNamed(first: string | undefined): string[] {
  return Object.keys(COMMANDS).filter((name) => name.split(' ')[0] === first);
}

/** Loads every command, in the order of the help. */
export function loadAllCommands(): Promise<ListedCommand[]> {
  return Promise.all(
    Object.values(COMMANDS).map(async ({ summary, load }) => ({ ...(await load()), summary })),
  );
}
