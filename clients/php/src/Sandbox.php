<?php

declare(strict_types=1);

namespace Tapbench;

/** A sandbox of a server. `Server::createSandbox` makes one, `fork` a copy of it. */
final class Sandbox
{
    /** It expires without use, because a run that was killed deletes nothing. */
    private const DEFAULTS = ['expiresInSeconds' => 3_600];

    private const STEPS_MAX = 20;

    private const STEP_SECONDS = 0.5;

    public readonly string $name;

    /** Base URL of the API, without a trailing slash: with the key, the configuration of your code. */
    public readonly string $url;

    /** The account of the keys, a platform. */
    public readonly string $accountId;

    /** A sub account that exists from the start. */
    public readonly string $subAccountId;

    /** `instant` when cardholder and reader take no time, `real` otherwise; that of its creation. */
    public readonly string $pace;

    /** Calls the API with the secret key. */
    public readonly Client $client;

    /** Calls the API with the public key, as a customer's browser. */
    public readonly Client $browser;

    public readonly Checkout $checkout;

    /** Whether a test may end with faults of its plans that struck nothing. */
    public bool $allowUnstruck = false;

    private readonly \SensitiveParameterValue $secrets;

    private ?Terminal $terminal = null;

    /**
     * @param array<string, mixed> $created reply of `POST /sandboxes`
     * @param Webhooks $webhooks receives all events of the sandbox
     * @param array<string, true> $taken terminals whose cardholder does what the tests say, those of the source included
     */
    private function __construct(
        private readonly Client $host,
        #[\SensitiveParameter] array $created,
        public readonly Webhooks $webhooks,
        private array $taken = [],
    ) {
        $this->secrets = new \SensitiveParameterValue($created);
        $this->name = $created['name'];
        $this->url = $host->url;
        $this->accountId = $created['accountId'];
        $this->subAccountId = $created['subAccountId'];
        $this->pace = $created['pace'];
        $this->client = new Client($host->url, $created['secretKey']);
        $this->browser = new Client($host->url, $created['publicKey']);
        $this->checkout = new Checkout($this->client, $this->browser);
    }

    /**
     * Creates a sandbox with a webhook endpoint for all events.
     *
     * @internal
     * @param array<string, mixed> $options members of `POST /sandboxes`; its pace is `instant` unless they have another
     */
    public static function create(Client $host, Receiver $receiver, array $options = []): self
    {
        $created = $host->post('/sandboxes', $options + self::DEFAULTS + ['pace' => 'instant']);
        $path = "/{$created['name']}";
        $endpoint = ['url' => $receiver->url . $path, 'active' => true, 'eventTypes' => EventTypes::ALL];
        $secret = (new Client($host->url, $created['secretKey']))->post('/v1/webhooks', $endpoint)['secret'];
        return new self($host, $created, new Webhooks($receiver, $path, $created['name'], $secret));
    }

    /** Returns the secret key. It is in no dump of this object. */
    public function secretKey(): string
    {
        return $this->secrets->getValue()['secretKey'];
    }

    /** Returns the public key, of the customer's browser or app. */
    public function publicKey(): string
    {
        return $this->secrets->getValue()['publicKey'];
    }

    /** Returns the link that opens the dashboard of the sandbox in a browser. */
    public function dashboardUrl(): string
    {
        return $this->secrets->getValue()['dashboardUrl'];
    }

    /** Returns the simulated terminal, online. Its cardholder does nothing by itself. */
    public function terminal(): Terminal
    {
        return $this->terminal ??= $this->terminalOf($this->secrets->getValue()['terminals'][0]['id']);
    }

    /** Returns a simulated terminal once it is online. Its cardholder does nothing by itself. */
    public function terminalOf(string $terminalId): Terminal
    {
        $terminal = new Terminal($this->client, $this->webhooks, $terminalId);
        $terminal->comesOnline();
        // In a fork the cardholder goes on as in its source.
        if (!isset($this->taken[$terminalId])) {
            $terminal->cardholder('none');
            $this->taken[$terminalId] = true;
        }
        return $terminal;
    }

    /** Returns the time of the sandbox, a Unix timestamp in seconds. */
    public function now(): int
    {
        return $this->client->get('/sandbox/clock')['nowTimestamp'];
    }

    /** Advances the clock of this sandbox alone. What is due is done. */
    public function advance(int $days = 0, int $hours = 0, int $minutes = 0, int $seconds = 0): void
    {
        $total = (($days * 24 + $hours) * 60 + $minutes) * 60 + $seconds;
        $time = $this->client->post('/sandbox/clock/advance', ['seconds' => $total]);
        if ($time['pending']['jobs'] > 0) {
            $isDone = fn (): bool => $this->client->get('/sandbox/clock')['pending']['jobs'] === 0;
            Wait::until('what is due is done', $isDone);
        }
    }

    /**
     * Advances the clock by the same step until `look` returns a truthy value, and returns that.
     *
     * For what the server plans only when something before it is done, such as the next try of a webhook.
     *
     * @template T
     * @param callable(): T $look
     * @return T
     */
    public function advanceUntil(
        string $what,
        callable $look,
        int $days = 0,
        int $hours = 0,
        int $minutes = 0,
        int $seconds = 0,
    ): mixed {
        for ($steps = 0; $steps < self::STEPS_MAX; $steps++) {
            $this->advance($days, $hours, $minutes, $seconds);
            try {
                return Wait::until($what, $look, self::STEP_SECONDS);
            } catch (NotInTime) {
                continue;
            }
        }
        throw new NotInTime('advanced the clock ' . self::STEPS_MAX . " times, but not: $what");
    }

    /**
     * Creates a copy of this sandbox with everything in it, terminals as they stand, and new keys.
     *
     * @param array<string, mixed> $options further members of `POST /sandboxes`, such as `name`
     */
    public function fork(array $options = []): self
    {
        $created = $this->host->post('/sandboxes', ['from' => $this->name] + $options + self::DEFAULTS);
        $fork = new self($this->host, $created, $this->webhooks->ofFork($created['name']), $this->taken);
        $fork->allowUnstruck = $this->allowUnstruck;
        return $fork;
    }

    /**
     * Begins a plan of faults, such as `['at' => 'webhook.attempt', 'what' => 'lost']`, and returns it.
     *
     * @param array<string, mixed> ...$faults
     * @return array<string, mixed>
     */
    public function faults(array ...$faults): array
    {
        return $this->beginPlan(['faults' => $faults]);
    }

    /**
     * Begins a plan with its members of `POST /sandbox/faults`, such as `faults` and `seed`, and returns it.
     *
     * @param array<string, mixed> $plan
     * @return array<string, mixed>
     */
    public function beginPlan(array $plan): array
    {
        return $this->client->post('/sandbox/faults', $plan);
    }

    /**
     * Returns the faults of the plans of this sandbox that have struck nothing.
     *
     * @return list<array<string, mixed>>
     */
    public function unstruck(): array
    {
        $unstruck = [];
        foreach ($this->client->get('/sandbox/faults', ['strikes' => 0])['items'] as $plan) {
            foreach ($plan['faults'] as $index => $fault) {
                if ($plan['struckByFault'][$index] === 0) {
                    $unstruck[] = $fault;
                }
            }
        }
        return $unstruck;
    }

    /** Deletes the sandbox, and throws UnstruckFaults when faults of its plans have struck nothing, unless it permits them. */
    public function close(): void
    {
        try {
            $this->expectStruck();
        } finally {
            $this->delete();
        }
    }

    /**
     * Throws UnstruckFaults when faults of its plans have struck nothing, unless it permits them.
     *
     * @internal
     */
    public function expectStruck(): void
    {
        $unstruck = $this->allowUnstruck ? [] : $this->unstruck();
        if ($unstruck !== []) {
            throw new UnstruckFaults($unstruck);
        }
    }

    /** Deletes the sandbox with everything in it. */
    public function delete(): void
    {
        $this->host->delete("/sandboxes/$this->name");
    }
}
