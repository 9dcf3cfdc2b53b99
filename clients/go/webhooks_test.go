package tapbench_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"testing"
	"time"

	"tapbench"
)

func TestWebhooksAreRegisteredForAllEventTypes(t *testing.T) {
	t.Parallel()
	document := tapbench.NewSandbox(t).Client.Get("/openapi.json")
	types, _ := document.At("components.schemas.Webhook.properties.eventTypes.items.enum").([]any)
	named := []string{}
	for _, name := range types {
		named = append(named, name.(string))
	}
	if known := strings.Join(tapbench.EventTypes(), " "); known == "" || strings.Join(named, " ") != known {
		t.Errorf("the server has the types %v", named)
	}
}

func TestAWebhookWithAWrongSignatureFailsTheTest(t *testing.T) {
	t.Parallel()
	message := failure(t, func(t testing.TB) {
		sandbox := tapbench.NewSandbox(t)
		event := strings.NewReader(`{"id":"evt_1","eventType":"Customer.created","data":{}}`)
		request, _ := http.NewRequest(http.MethodPost, sandbox.Webhooks.URL, event)
		request.Header.Set("Signature", "00")
		request.Header.Set("Tapbench-Sandbox", sandbox.Name)
		reply, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		reply.Body.Close()
		sandbox.Webhooks.WaitFor(tapbench.EventCustomerCreated)
	})
	contains(t, message, "a webhook has a wrong signature")
}

func TestASignatureIsTheHMACOfTheBody(t *testing.T) {
	t.Parallel()
	mac := hmac.New(sha256.New, []byte("whs_1"))
	mac.Write([]byte("{}"))
	signature := hex.EncodeToString(mac.Sum(nil))
	if !tapbench.VerifySignature("whs_1", []byte("{}"), signature) {
		t.Error("the right secret is refused")
	}
	if tapbench.VerifySignature("whs_2", []byte("{}"), signature) {
		t.Error("another secret is accepted")
	}
}

func TestWaitForCountReturnsSoManyEvents(t *testing.T) {
	t.Parallel()
	sandbox := tapbench.NewSandbox(t)
	sandbox.Checkout.Pay(1_000, tapbench.CardApproved)
	sandbox.Checkout.Pay(1_000, tapbench.CardApproved)
	events := sandbox.Webhooks.WaitForCount(2, tapbench.EventPaymentSessionCaptured)
	if len(events) != 2 || events[0].Data.Text("id") == events[1].Data.Text("id") {
		t.Errorf("arrived: %v", events)
	}
}

func TestWaitForTakesTheEventForWhichTheConditionHolds(t *testing.T) {
	t.Parallel()
	sandbox := tapbench.NewSandbox(t)
	sandbox.Checkout.Pay(1_000, tapbench.CardApproved)
	sandbox.Checkout.Pay(2_000, tapbench.CardApproved)
	event := sandbox.Webhooks.WaitFor(tapbench.EventPaymentSessionCaptured, func(event tapbench.Event) bool {
		return event.Data["amount"] == 2_000
	})
	if event.Data.Int("amount") != 2_000 || event.ID == "" || event.JSON.Text("eventType") != event.Type {
		t.Errorf("arrived: %v", event)
	}
}

func TestWaitingForAWebhookEndsInWords(t *testing.T) {
	t.Parallel()
	sandbox := tapbench.NewSandbox(t)
	sandbox.Client.Post("/v1/customers", sam)
	sandbox.Webhooks.WaitFor(tapbench.EventCustomerCreated)
	ctx, cancel := context.WithTimeout(sandbox.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := sandbox.Webhooks.Webhooks.WaitFor(ctx, tapbench.EventPayoutCreated)
	if _, isLate := err.(*tapbench.NotInTimeError); !isLate {
		t.Fatalf("waiting returned %v", err)
	}
	contains(t, err.Error(), "1 × Payout.created did not arrive at http://", "within 0.05 s; received: Customer.created")
}
