<?php

declare(strict_types=1);

namespace Tapbench;

/** A simulated terminal with the calls of a point of sale, and what its cardholder and its surroundings do. */
final class Terminal
{
    private readonly string $path;

    private readonly string $controls;

    /** The most that one request waits. */
    private const REQUEST_WAITS_SECONDS = 10;

    /** An action ends without a step of a terminal that has no power. */
    private const LOOK_AT_ACTION_EVERY_SECONDS = 1;

    /** @internal */
    public function __construct(
        private readonly Client $client,
        private readonly Webhooks $webhooks,
        public readonly string $id,
    ) {
        $this->path = "/v1/in-person/terminals/$id";
        $this->controls = "/sandbox/terminals/$id";
    }

    /**
     * Starts a payment; `amount` is in minor units.
     *
     * @param array<string, mixed> $more further members of the request
     */
    public function pay(int $amount, string $currency = 'GBP', array $more = []): Action
    {
        $body = ['amounts' => ['requested' => $amount], 'currency' => $currency] + $more;
        return Action::of($this->client->post("$this->path/payment", $body)['action']);
    }

    /**
     * Starts the refund of a captured payment; of all that is left unless `amount` is given.
     *
     * @param array<string, mixed> $more further members of the request
     */
    public function refund(string $paymentSessionId, ?int $amount = null, array $more = []): Action
    {
        $body = ['paymentSession' => ['id' => $paymentSessionId]] + $more;
        $body += $amount === null ? [] : ['amount' => $amount];
        return Action::of($this->client->post("$this->path/refund", $body)['action']);
    }

    /** Cancels the action in progress, as the cashier. */
    public function cancel(): Action
    {
        return Action::of($this->client->post("$this->path/cancel-action")['action']);
    }

    /** Confirms that the point of sale printed a receipt `copy`: `merchantCopy` or `customerCopy`. */
    public function confirmReceipt(string $copy, string $status = 'Succeeded'): Action
    {
        $this->reaches($copy === 'merchantCopy' ? 'awaitingMerchantReceipt' : 'awaitingCustomerReceipt');
        $body = [$copy => ['status' => $status]];
        return Action::of($this->client->post("$this->path/confirm-receipt", $body)['action']);
    }

    /** Returns the latest action. */
    public function action(): Action
    {
        return Action::of($this->client->get($this->path)['action']);
    }

    /** Waits until the latest action is not in progress any more, and returns it. */
    public function ends(): Action
    {
        // The event Terminal.action_updated reports the end.
        return $this->webhooks->until('the action of the terminal has ended', function (): ?Action {
            $action = $this->action();
            return $action->status === 'InProgress' ? null : $action;
        });
    }

    /**
     * Returns the receipt of the latest action: `merchantCopy`, `customerCopy` and their fields.
     *
     * @return array<string, mixed>
     */
    public function receipt(): array
    {
        return $this->client->get("/sandbox/actions/{$this->action()->id}/receipt");
    }

    /** Presents a card, which is read as soon as the terminal asks for one. */
    public function present(string $card = 'visa-contactless', ?string $entryMode = null): void
    {
        $body = ['card' => $card] + ($entryMode === null ? [] : ['entryMode' => $entryMode]);
        $this->client->post("$this->controls/present-card", $body);
    }

    /** Removes the card from the reader. */
    public function removeCard(): void
    {
        $this->client->post("$this->controls/remove-card");
    }

    /** Waits until the terminal asks for a PIN, and enters it. */
    public function enterPin(string $pin): void
    {
        $this->press(...str_split($pin), ...['enter']);
    }

    /** Waits until the terminal accepts keys, and presses them: digits, `enter`, `clear`, `cancel`. */
    public function press(string ...$keys): void
    {
        $end = microtime(true) + Wait::TIMEOUT_SECONDS;
        $accepting = [TerminalStates::AWAITING_PIN, ...(in_array('cancel', $keys, true) ? [TerminalStates::AWAITING_CARD] : [])];
        $ended = [TerminalStates::SUCCEEDED, TerminalStates::FAILED, TerminalStates::CANCELLED];
        $wanted = ['state' => implode(',', [...$accepting, ...$ended]), 'waitSeconds' => self::LOOK_AT_ACTION_EVERY_SECONDS];
        while (true) {
            try {
                $this->client->post("$this->controls/press-keys", ['keys' => array_values($keys)]);
                return;
            } catch (ApiError $refused) {
                $status = $this->action()->status;
            }
            if ($status !== 'InProgress' || microtime(true) > $end) {
                throw new NotInTime("no key was pressed: $refused->reason (the action is $status)");
            }
            $this->client->get($this->controls, $wanted);
            // The last state that the server knows can be one that the terminal has left.
            usleep(5_000);
        }
    }

    /** Sets what the simulated cardholder does by itself from now on, such as `tap`; `none` at first. */
    public function cardholder(string $script, ?string $card = null, ?int $delayMs = null): void
    {
        $body = ['script' => $script, 'card' => $card, 'delayMs' => $delayMs];
        $given = array_filter($body, static fn (mixed $member): bool => $member !== null);
        $this->client->post("$this->controls/cardholder", $given);
    }

    /** Switches the power on or off. */
    public function power(bool $on): void
    {
        $this->client->post("$this->controls/power", ['state' => $on ? 'on' : 'off']);
    }

    /** Connects or disconnects the network. */
    public function network(bool $on): void
    {
        $this->client->post("$this->controls/network", ['state' => $on ? 'on' : 'off']);
    }

    /** Plugs the card reader in, or takes it away. */
    public function reader(bool $pluggedIn): void
    {
        $this->client->post("$this->controls/reader", ['state' => $pluggedIn ? 'plugged-in' : 'unplugged']);
    }

    /** Sets the number of sheets of paper in the printer; a receipt copy takes one. */
    public function paper(int $sheets): void
    {
        $this->client->post("$this->controls/paper", ['sheets' => $sheets]);
    }

    /** Returns whether the terminal is connected to the server. */
    public function online(): bool
    {
        return $this->client->get($this->controls)['online'];
    }

    /** Returns the state of the terminal's state machine, such as `awaitingPin`; null when none is known. */
    public function state(): ?string
    {
        return $this->client->get($this->controls)['state'];
    }

    /** Waits until the terminal's state machine is in a state, named by a part of its dotted path. */
    public function reaches(string $state): void
    {
        $reached = static fn (array $seen): bool => in_array($state, explode('.', $seen['state'] ?? ''), true);
        $this->wait("the terminal is in state $state", $reached, ['state' => $state]);
    }

    /** Waits until the terminal is connected to the server. */
    public function comesOnline(): void
    {
        $this->wait('the terminal is online', static fn (array $seen): bool => $seen['online'], ['online' => 'true']);
    }

    /**
     * Lets the server reply when the terminal is as wanted.
     *
     * @param callable(array<string, mixed>): bool $isSo
     * @param array<string, string> $wanted
     */
    private function wait(string $what, callable $isSo, array $wanted): void
    {
        $end = microtime(true) + Wait::TIMEOUT_SECONDS;
        do {
            $left = max(0, min(self::REQUEST_WAITS_SECONDS, (int) ceil($end - microtime(true))));
            if ($isSo($this->client->get($this->controls, $wanted + ['waitSeconds' => $left]))) {
                return;
            }
        } while (microtime(true) < $end);
        throw new NotInTime('waited ' . Wait::TIMEOUT_SECONDS . " s, but not: $what");
    }
}
