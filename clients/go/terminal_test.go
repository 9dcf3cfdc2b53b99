package tapbench_test

import (
	"testing"

	"tapbench"
)

func TestAKeyPressedAfterThePaymentFailsAtOnce(t *testing.T) {
	t.Parallel()
	message := failure(t, func(t testing.TB) {
		terminal := tapbench.NewSandbox(t).Terminal()
		terminal.Pay(1742)
		terminal.Present("visa-contactless")
		terminal.Ends()
		terminal.EnterPIN("1234")
	})
	contains(t, message, "no key was pressed: ", "the action is Succeeded")
}

func TestTheReceiptOfAPaymentHasItsAmount(t *testing.T) {
	t.Parallel()
	terminal := tapbench.NewSandbox(t).Terminal()
	terminal.Pay(1742)
	terminal.Present("visa-contactless")
	terminal.Ends()
	contains(t, terminal.Receipt().Text("customerCopy"), "17.42")
}

func TestACardholderPaysByItselfWithAScript(t *testing.T) {
	t.Parallel()
	terminal := tapbench.NewSandbox(t).Terminal()
	terminal.Cardholder("contact-pin", tapbench.JSON{"delayMs": 10})
	terminal.Pay(1742)
	if action := terminal.Ends(); action.Status != "Succeeded" || action.Error != "" {
		t.Errorf("the action is %v", action.JSON)
	}
}

func TestEndsReturnsWhenTheWebhookOfTheEndIsLost(t *testing.T) {
	t.Parallel()
	sandbox := tapbench.NewSandbox(t)
	terminal := sandbox.Terminal()
	sandbox.Client.Post("/sandbox/faults", tapbench.JSON{"faults": []tapbench.JSON{
		{"at": "webhook.attempt", "what": "dropped", "when": tapbench.JSON{"percent": 100, "times": 100}},
	}})
	terminal.Pay(1742)
	terminal.Present("visa-contactless")
	if action := terminal.Ends(); action.Status != "Succeeded" {
		t.Errorf("the action is %v", action.JSON)
	}
}

func TestACopyThatNoReceiptHasFailsTheTest(t *testing.T) {
	t.Parallel()
	message := failure(t, func(t testing.TB) { tapbench.NewSandbox(t).Terminal().ConfirmReceipt("bankCopy", "Succeeded") })
	contains(t, message, `a receipt has no copy "bankCopy"`)
}
