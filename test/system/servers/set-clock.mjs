// Loaded into a server by --import: its machine's clock is ahead by CLOCK_AHEAD_MS, or behind where that is negative.
const aheadMs = Number(process.env.CLOCK_AHEAD_MS);
const MachineDate = Date;

globalThis.Date = class extends MachineDate {
  constructor(...values) {
    if (values.length === 0) super(MachineDate.now() + aheadMs);
    else super(...values);
  }

  static now() {
    return MachineDate.now() + aheadMs;
  }
};
