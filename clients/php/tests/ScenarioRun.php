<?php

declare(strict_types=1);

namespace Tapbench\Tests;

use PHPUnit\Framework\Assert;
use Tapbench\Action;
use Tapbench\ApiError;
use Tapbench\Card;
use Tapbench\Client;
use Tapbench\Event;
use Tapbench\Sandbox;
use Tapbench\Terminal;
use Tapbench\UnstruckFaults;
use Tapbench\Wait;

/**
 * Runs a scenario of clients/scenarios.json on one sandbox with the helpers of this package. Each step is a method, named as
 * the step in camel case.
 */
final class ScenarioRun
{
    private readonly Terminal $terminal;

    /** @param array<string, mixed> $saved */
    public function __construct(private readonly Sandbox $sandbox, private array $saved = [])
    {
        $this->terminal = $sandbox->terminal();
        $this->saved['sandbox'] = ['subAccountId' => $sandbox->subAccountId];
        $this->saved['terminal'] = ['id' => $this->terminal->id];
    }

    /** @return list<array{name: string, steps: list<array<string, mixed>>}> */
    public static function scenarios(): array
    {
        $text = (string) file_get_contents(__DIR__ . '/../../scenarios.json');
        $scenarios = json_decode($text, true, 512, JSON_THROW_ON_ERROR)['scenarios'];
        return $scenarios ?: throw new \RuntimeException('scenarios.json has no scenarios');
    }

    /** @param list<array<string, mixed>> $steps */
    public function run(array $steps): void
    {
        foreach ($steps as $step) {
            $method = 'step' . str_replace('-', '', ucwords($step['do'], '-'));
            Assert::assertTrue(method_exists($this, $method), "unknown step: {$step['do']}");
            $nested = array_intersect_key($step, ['steps' => true]);
            $this->$method(...$this->filled(array_diff_key($step, ['do' => true, 'steps' => true])), ...$nested);
        }
    }

    /** Returns a value with `{name.member}` replaced by what was saved under the name. */
    private function filled(mixed $value): mixed
    {
        if (is_array($value)) {
            return array_map($this->filled(...), $value);
        }
        if (!is_string($value)) {
            return $value;
        }
        if (preg_match('/^\{([\w.]+)\}$/', $value, $whole)) {
            return $this->named($whole[1]);
        }
        return preg_replace_callback('/\{([\w.]+)\}/', fn (array $part) => $this->named($part[1]), $value);
    }

    private function named(string $path): mixed
    {
        return array_reduce(explode('.', $path), fn (mixed $value, string $name) => $value[$name], $this->saved);
    }

    private function started(Action $action): void
    {
        $this->saved['session'] = ['id' => $action->paymentSessionId];
    }

    /** @param array<string, mixed> $with */
    private function stepPay(int $amount, array $with = []): void
    {
        $this->started($this->terminal->pay($amount, more: $with));
    }

    private function stepRefund(?int $amount = null): void
    {
        $this->started($this->terminal->refund($this->saved['session']['id'], $amount));
    }

    private function stepCancel(): void
    {
        $this->terminal->cancel();
    }

    private function stepConfirmReceipt(string $copy): void
    {
        $this->terminal->confirmReceipt($copy);
    }

    private function stepPresent(string $card): void
    {
        $this->terminal->present($card);
    }

    private function stepEnterPin(string $pin): void
    {
        $this->terminal->enterPin($pin);
    }

    /** @param list<string> $keys */
    private function stepPress(array $keys): void
    {
        $this->terminal->press(...$keys);
    }

    private function stepReaches(string $state): void
    {
        $this->terminal->reaches($state);
    }

    /** @param array<string, mixed> $expect */
    private function stepEnds(array $expect): void
    {
        self::assertMatches($expect, $this->terminal->ends()->json);
    }

    private function stepPaper(int $sheets): void
    {
        $this->terminal->paper($sheets);
    }

    private function stepNetwork(bool $on): void
    {
        $this->terminal->network($on);
    }

    private function stepReader(bool $on): void
    {
        $this->terminal->reader($on);
    }

    private function stepRemoveCard(): void
    {
        $this->terminal->removeCard();
    }

    private function stepCardholder(string $script, ?string $card = null, ?int $delayMs = null): void
    {
        $this->terminal->cardholder($script, $card, $delayMs);
    }

    private function stepComesOnline(): void
    {
        $this->terminal->comesOnline();
    }

    /** @param array<string, mixed> $expect */
    private function stepReceipt(array $expect): void
    {
        self::assertMatches($expect, $this->terminal->receipt());
    }

    private function stepPower(bool $on): void
    {
        $this->terminal->power($on);
    }

    /**
     * @param array<string, mixed> $with
     * @param array<string, mixed> $expect
     */
    private function stepCheckout(
        int $amount,
        string $card,
        array $with = [],
        array $expect = [],
        ?string $account = null,
    ): void {
        $checkout = $account === null ? $this->sandbox->checkout : $this->sandbox->checkout->asAccount($account);
        $this->saved['session'] = $checkout->pay($amount, self::card($card), more: $with);
        self::assertMatches($expect, $this->saved['session']);
    }

    /**
     * @param array<string, mixed> $expect
     * @param array<string, mixed>|null $session
     */
    private function stepAttempt(string $card, array $expect, ?array $session = null): void
    {
        $session ??= $this->saved['session'];
        $this->saved['session'] = $this->sandbox->checkout->attempt($session, self::card($card));
        self::assertMatches($expect, $this->saved['session']);
    }

    /** @param array<string, mixed> $expect */
    private function stepAnswerChallenge(string $code, array $expect): void
    {
        self::assertMatches($expect, $this->sandbox->checkout->answerChallenge($this->saved['session'], $code));
    }

    /**
     * @param array<string, mixed>|null $body
     * @param array<string, mixed> $expect
     * @param array<string, mixed>|null $refused
     */
    private function stepCall(
        string $method,
        string $path,
        ?array $body = null,
        ?string $account = null,
        ?string $save = null,
        array $expect = [],
        ?array $refused = null,
        ?string $idempotencyKey = null,
    ): void {
        try {
            $reply = $this->clientOf($account)->request($method, $path, $body, $idempotencyKey);
        } catch (ApiError $error) {
            self::assertMatches($refused ?? throw $error, ['status' => $error->status, 'code' => $error->errorCode]);
            return;
        }
        Assert::assertNull($refused, "$method $path was not refused");
        self::assertMatches($expect, $reply);
        if ($save !== null) {
            $this->saved[$save] = $reply;
        }
    }

    /** @param array<string, mixed> $expect */
    private function stepEventually(string $path, array $expect, ?string $account = null): void
    {
        $client = $this->clientOf($account);
        $matches = static fn (): bool => self::mismatch($expect, $client->get($path)) === null;
        Wait::until("$path is " . json_encode($expect), $matches);
    }

    private function stepAdvance(int ...$by): void
    {
        $this->sandbox->advance(...$by);
    }

    /**
     * @param array<string, mixed> $expect
     * @param array<string, int>|null $advancing
     */
    private function stepReceives(string $type, array $expect = [], int $count = 1, ?array $advancing = null): void
    {
        $webhooks = $this->sandbox->webhooks;
        if ($advancing !== null) {
            $arrived = static fn (): bool => count($webhooks->received($type)) >= $count;
            $this->sandbox->advanceUntil("$count × $type arrived", $arrived, ...$advancing);
        }
        $event = $webhooks->waitFor($type, fn (Event $event) => !self::mismatch($expect, $event->data), $count);
        Assert::assertSame($type, $event->type);
    }

    /** @param list<int> $statuses */
    private function stepReply(array $statuses): void
    {
        $this->sandbox->webhooks->replyWith(...$statuses);
    }

    /**
     * @param list<array<string, mixed>> $steps
     * @param array<string, mixed> $with
     */
    private function stepFork(array $steps, array $with = [], ?string $fails = null): void
    {
        Assert::assertContains($fails, [null, 'unstruck']);
        $fork = $this->sandbox->fork($with);
        try {
            (new self($fork, $this->saved))->run($steps);
        } catch (\Throwable $failure) {
            $fork->delete();
            throw $failure;
        }
        $failed = null;
        try {
            $fork->close();
        } catch (UnstruckFaults) {
            $failed = 'unstruck';
        }
        Assert::assertSame($fails, $failed);
    }

    private function stepPace(string $expect): void
    {
        Assert::assertSame($expect, $this->sandbox->pace);
    }

    /** @param list<array<string, mixed>> $faults */
    private function stepFaults(array $faults): void
    {
        $this->sandbox->faults(...$faults);
    }

    /** @param array<string, mixed> $plan */
    private function stepPlan(array $plan): void
    {
        self::assertMatches($plan, $this->sandbox->beginPlan($plan));
    }

    /** @param list<array<string, mixed>> $expect */
    private function stepUnstruck(array $expect): void
    {
        self::assertMatches($expect, $this->sandbox->unstruck());
    }

    private function stepAllowUnstruck(): void
    {
        $this->sandbox->allowUnstruck = true;
    }

    private function stepDownload(string $path): void
    {
        Assert::assertStringStartsWith("\x1f\x8b", $this->sandbox->client->download($path));
    }

    private function clientOf(?string $account): Client
    {
        return $account === null ? $this->sandbox->client : $this->sandbox->client->asAccount($account);
    }

    private static function card(string $name): Card
    {
        return match ($name) {
            'approved' => Card::approved(),
            'challenged' => Card::challenged(),
            'declined' => Card::declined(),
        };
    }

    /** Fails unless `actual` has the members of `expected`, at any depth. */
    private static function assertMatches(mixed $expected, mixed $actual): void
    {
        $found = self::mismatch($expected, $actual);
        Assert::assertNull($found, (string) $found);
    }

    /** Returns where `actual` differs from the members of `expected`; lists have the same length. */
    private static function mismatch(mixed $expected, mixed $actual, string $path = 'reply'): ?string
    {
        $isListOfOtherLength = is_array($expected) && is_array($actual) && $expected !== []
            && array_is_list($expected) && count($expected) !== count($actual);
        if (!is_array($expected) || !is_array($actual) || $isListOfOtherLength) {
            return $actual === $expected ? null : "$path is " . json_encode($actual);
        }
        foreach ($expected as $name => $member) {
            $found = self::mismatch($member, $actual[$name] ?? null, "$path.$name");
            if ($found !== null) {
                return $found;
            }
        }
        return null;
    }
}
