<?php

declare(strict_types=1);

namespace Tapbench\Tests;

use PHPUnit\Framework\TestCase;
use Tapbench\ApiError;
use Tapbench\EventTypes;
use Tapbench\NotInTime;
use Tapbench\SandboxForEachTest;
use Tapbench\Server;
use Tapbench\Wait;
use Tapbench\Webhooks;

final class SandboxTest extends TestCase
{
    use SandboxForEachTest;

    private const SAM = ['email' => 'sam@example.com'];

    public function testASandboxHasNothingOfAnother(): void
    {
        $customer = $this->sandbox->client->post('/v1/customers', self::SAM);
        $other = Server::ofRun()->createSandbox();
        try {
            $other->client->get("/v1/customers/{$customer['id']}");
            self::fail('another sandbox has the customer');
        } catch (ApiError $refused) {
            self::assertSame([404, 'not_found'], [$refused->status, $refused->errorCode]);
        } finally {
            $other->delete();
        }
    }

    public function testADeletedSandboxIsGone(): void
    {
        $other = Server::ofRun()->createSandbox();
        $other->delete();
        $this->expectException(ApiError::class);
        $this->expectExceptionMessage('403 forbidden');
        $other->client->get('/v1/customers');
    }

    public function testASandboxThatIsLeftBehindExpiresWithinAnHour(): void
    {
        $kept = Server::ofRun()->client->get("/sandboxes/{$this->sandbox->name}");
        self::assertEqualsWithDelta(3_600, $kept['expiresTimestamp'] - $kept['createdTimestamp'], 60);
    }

    public function testTheClockAdvancesByDaysInThisSandboxAlone(): void
    {
        $host = Server::ofRun()->client;
        $before = $host->get('/sandbox/clock')['offsetSeconds'];
        $at = $this->sandbox->now();
        $this->sandbox->advance(days: 3, hours: 1);
        self::assertGreaterThanOrEqual(3 * 86_400 + 3_600, $this->sandbox->now() - $at);
        self::assertSame($before, $host->get('/sandbox/clock')['offsetSeconds']);
    }

    public function testARefusedRequestThrowsInWords(): void
    {
        $this->expectException(ApiError::class);
        $this->expectExceptionMessageMatches('#POST /v1/payment-sessions: 400 invalid_field: .*amount#');
        $this->sandbox->checkout->create(-1);
    }

    public function testTheMessageOfARefusalHasNoSecretOfASession(): void
    {
        $this->expectException(ApiError::class);
        $this->expectExceptionMessageMatches('#^GET /v1/payment-sessions/ps_1: 404(?!.*cs_hidden)#');
        $this->sandbox->browser->get('/v1/payment-sessions/ps_1', ['clientSecret' => 'cs_hidden']);
    }

    public function testTheClientUploadsAFile(): void
    {
        $uploaded = $this->sandbox->client->upload('Evidence', 'slip.csv', 'signed by Sam', 'text/csv');
        $found = $this->sandbox->client->get("/v1/files/{$uploaded['id']}");
        self::assertSame($uploaded['id'], $found['id']);
    }

    public function testTheClientActsForASubAccount(): void
    {
        $shop = $this->sandbox->client->asAccount($this->sandbox->subAccountId);
        $shop->post('/v1/customers', self::SAM);
        self::assertCount(1, $shop->get('/v1/customers', ['limit' => 5])['items']);
        self::assertSame([], $this->sandbox->client->get('/v1/customers')['items']);
    }

    public function testWebhooksAreRegisteredForAllEventTypes(): void
    {
        $webhook = $this->sandbox->client->get('/openapi.json')['components']['schemas']['Webhook'];
        self::assertSame($webhook['properties']['eventTypes']['items']['enum'], EventTypes::ALL);
    }

    public function testAWebhookWithAWrongSignatureFailsTheTest(): void
    {
        $event = '{"id":"evt_1","eventType":"Customer.created","data":{}}';
        $headers = ['Content-Type: application/json', 'Signature: 00', "Tapbench-Sandbox: {$this->sandbox->name}"];
        $request = ['method' => 'POST', 'header' => $headers, 'content' => $event];
        file_get_contents($this->sandbox->webhooks->url(), false, stream_context_create(['http' => $request]));
        $this->expectExceptionMessage('wrong signature');
        $this->sandbox->webhooks->waitFor('Customer.created');
    }

    public function testASignatureIsTheHmacOfTheBody(): void
    {
        $signature = hash_hmac('sha256', '{}', 'whs_1');
        self::assertTrue(Webhooks::verifySignature('whs_1', '{}', $signature));
        self::assertFalse(Webhooks::verifySignature('whs_2', '{}', $signature));
    }

    public function testWaitingForAWebhookEndsInWords(): void
    {
        $this->sandbox->client->post('/v1/customers', self::SAM);
        $this->sandbox->webhooks->waitFor('Customer.created');
        $this->expectException(NotInTime::class);
        $this->expectExceptionMessageMatches('/Payout.created did not arrive .* received: Customer.created/');
        $this->sandbox->webhooks->waitFor('Payout.created', seconds: 0.05);
    }

    public function testWaitingForAConditionEndsInWords(): void
    {
        $this->expectException(NotInTime::class);
        $this->expectExceptionMessage('waited 0.05 s, but not: it snows');
        Wait::until('it snows', static fn (): bool => false, 0.05);
    }

    public function testAKeyPressedAfterThePaymentFailsAtOnce(): void
    {
        $terminal = $this->sandbox->terminal();
        $terminal->pay(1742);
        $terminal->present();
        $terminal->ends();
        $this->expectException(NotInTime::class);
        $this->expectExceptionMessage('the action is Succeeded');
        $terminal->enterPin('1234');
    }

    public function testTheReceiptOfAPaymentHasItsAmount(): void
    {
        $terminal = $this->sandbox->terminal();
        $terminal->pay(1742);
        $terminal->present();
        self::assertSame('Succeeded', $terminal->ends()->status);
        self::assertStringContainsString('17.42', $terminal->receipt()['customerCopy']);
    }

    public function testACardholderPaysByItselfWithAScript(): void
    {
        $terminal = $this->sandbox->terminal();
        $terminal->cardholder('contact-pin', delayMs: 10);
        $terminal->pay(1742);
        self::assertSame('Succeeded', $terminal->ends()->status);
    }

    public function testADumpOfASandboxHasNoKey(): void
    {
        $shown = print_r($this->sandbox, true);
        foreach ([$this->sandbox->secretKey(), $this->sandbox->publicKey()] as $key) {
            self::assertStringStartsWith(substr($key, 0, 3), $key);
            self::assertStringNotContainsString(substr($key, 11), $shown);
        }
    }
}
