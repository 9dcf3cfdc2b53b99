<?php

declare(strict_types=1);

namespace Tapbench;

/**
 * Online payments: what a shop's server does with the secret key, and its customer's browser with the public key.
 *
 * A payment session is an array as the API returns it.
 */
final class Checkout
{
    public function __construct(private readonly Client $server, private readonly Client $browser)
    {
    }

    /** Returns the checkout of a sub account. */
    public function asAccount(string $accountId): self
    {
        return new self($this->server->asAccount($accountId), $this->browser->asAccount($accountId));
    }

    /**
     * Creates a payment session; `amount` is in minor units.
     *
     * @param array<string, mixed> $more further members of the request
     * @return array<string, mixed>
     */
    public function create(int $amount, string $currency = 'GBP', array $more = []): array
    {
        $body = ['amount' => $amount, 'currency' => $currency] + $more + ['customerEmail' => 'sam@example.com'];
        return $this->server->post('/v1/payment-sessions', $body);
    }

    /**
     * Attempts to pay a session as the customer's browser does. Returns the session.
     *
     * @param array<string, mixed> $session
     * @return array<string, mixed>
     */
    public function attempt(array $session, Card $card = new Card()): array
    {
        $body = ['clientSecret' => $session['clientSecret'], 'cardDetails' => $card->details()];
        return $this->browser->post('/v1/payment-sessions/attempt-payment', $body) + $session;
    }

    /**
     * Creates a payment session and attempts to pay it. Returns the session.
     *
     * @param array<string, mixed> $more further members of the request
     * @return array<string, mixed>
     */
    public function pay(int $amount, Card $card = new Card(), string $currency = 'GBP', array $more = []): array
    {
        return $this->attempt($this->create($amount, $currency, $more), $card);
    }

    /**
     * Does what 3DS requires of a session: the code `123456` is right, an empty one cancels. Returns the session.
     *
     * @param array<string, mixed> $session
     * @return array<string, mixed>
     */
    public function answerChallenge(array $session, string $code = '123456'): array
    {
        $secret = ['clientSecret' => $session['clientSecret']];
        while (($session['requiredAction']['type'] ?? null) === 'Identify') {
            $fingerprint = base64_encode('{"threeDSCompInd":"Y"}');
            $body = $secret + ['threeDs' => ['fingerprint' => $fingerprint]];
            $session = $this->browser->post('/v1/payment-sessions/continue-payment', $body) + $session;
        }
        ['acsUrl' => $url, 'cReq' => $request] = $session['requiredAction']['challenge'];
        $page = self::postForm($url, ['creq' => $request]);
        preg_match_all('/<input type="hidden" name="([^"]+)" value="([^"]*)"/', $page, $hidden);
        preg_match('/<form[^>]+action="([^"]+)"/', $page, $action);
        $answer = ['answer' => $code === '' ? 'cancel' : 'approve', 'code' => $code];
        self::postForm($action[1], array_combine($hidden[1], $hidden[2]) + $answer);
        return $this->browser->get("/v1/payment-sessions/{$session['id']}", $secret);
    }

    /** @param array<string, string> $fields */
    private static function postForm(string $url, array $fields): string
    {
        $headers = ['Content-Type: application/x-www-form-urlencoded'];
        return Http::send('POST', $url, $headers, http_build_query($fields))[2];
    }
}
