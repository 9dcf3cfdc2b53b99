import { command } from '../command-line/command.ts';

export const udev = command({
  name: 'udev',
  details:
    'Serial ports belong to the group dialout. The rule gives the logged-in user access to known readers and bridge chips without that group, and links their ports under /dev/tapbench.',
  parameters: {},
  options: {},
  examples: [
    {
      line: 'tapbench udev | sudo tee /etc/udev/rules.d/70-tapbench.rules && sudo udevadm control --reload && sudo udevadm trigger',
      description: 'installs it',
    },
  ],
  async run({ context }) {
    const { DRIVERS } = await import('../../agent/readers/drivers.ts');
    const chips = new Map(
      DRIVERS.flatMap(({ usb }) => usb).map((chip) => [`${chip.vendorId}:${chip.productId ?? ''}`, chip]),
    );
    context.out.write(
      '# Card readers that Tapbench drives: for the person at the machine (systemd-logind uaccess).\n',
    );
    for (const { vendorId, productId, what } of chips.values()) {
      const ids = [
        `ATTRS{idVendor}=="${vendorId.toLowerCase()}"`,
        ...(productId ? [`ATTRS{idProduct}=="${productId.toLowerCase()}"`] : []),
      ];
      const rule = ['SUBSYSTEM=="tty"', ...ids, 'TAG+="uaccess"', 'SYMLINK+="tapbench/%k"'];
      context.out.write(`# ${what}\n${rule.join(', ')}\n`);
    }
  },
});
