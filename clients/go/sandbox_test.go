package tapbench_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"tapbench"
)

var sam = tapbench.JSON{"email": "sam@example.com"}

// prepared has one customer. The tests of forks share it.
var prepared *tapbench.Sandbox

func TestMain(m *testing.M) {
	// The failures that the tests expect keep traces too.
	traces, err := os.MkdirTemp("", "tapbench-traces-")
	if err != nil {
		panic(err)
	}
	os.Setenv("TAPBENCH_TRACES", traces)
	code := tapbench.Main(m, func(ctx context.Context, server *tapbench.Server) (err error) {
		prepared, err = server.CreateSandbox(ctx)
		if err == nil {
			_, err = prepared.Client.Post(ctx, "/v1/customers", sam)
		}
		return err
	})
	if code == 0 {
		os.RemoveAll(traces)
	}
	os.Exit(code)
}

func host(t *testing.T) *tapbench.Client {
	t.Helper()
	server, err := tapbench.ServerOfRun()
	if err != nil {
		t.Fatal(err)
	}
	return server.Client
}

func TestASandboxHasNothingOfAnother(t *testing.T) {
	t.Parallel()
	sandbox, other := tapbench.NewSandbox(t), tapbench.NewSandbox(t)
	customer := sandbox.Client.Post("/v1/customers", sam)
	refused := other.Client.Refused(tapbench.Call{Method: http.MethodGet, Path: "/v1/customers/" + customer.Text("id")})
	if refused.Status != 404 || refused.Code != "not_found" {
		t.Errorf("refused with %v", refused)
	}
	if sandbox.SecretKey() == other.SecretKey() {
		t.Error("both sandboxes have the same key")
	}
}

func TestAClosedSandboxIsGone(t *testing.T) {
	t.Parallel()
	sandbox := tapbench.NewSandbox(t)
	sandbox.Close()
	_, err := sandbox.Sandbox.Client.Get(context.Background(), "/v1/customers")
	var refused *tapbench.APIError
	if !errors.As(err, &refused) || refused.Status != 403 {
		t.Errorf("the call of a deleted sandbox returned %v", err)
	}
}

func TestCardholderAndReaderTakeNoTimeUnlessTheTestAsksForIt(t *testing.T) {
	t.Parallel()
	for _, wanted := range []struct {
		pace    string
		options []tapbench.JSON
	}{{"instant", nil}, {"real", []tapbench.JSON{{"pace": "real"}}}} {
		sandbox := tapbench.NewSandbox(t, wanted.options...)
		kept, err := host(t).Get(sandbox.Context(), "/sandboxes/"+sandbox.Name)
		if err != nil {
			t.Fatal(err)
		}
		if kept.Text("pace") != wanted.pace {
			t.Errorf("the pace is %q, not %q", kept.Text("pace"), wanted.pace)
		}
	}
}

func TestASandboxThatIsLeftBehindExpiresWithinAnHour(t *testing.T) {
	t.Parallel()
	sandbox := tapbench.NewSandbox(t)
	kept, err := host(t).Get(sandbox.Context(), "/sandboxes/"+sandbox.Name)
	if err != nil {
		t.Fatal(err)
	}
	if left := kept.Int("expiresTimestamp") - kept.Int("createdTimestamp"); left < 3_540 || left > 3_660 {
		t.Errorf("it expires after %d s", left)
	}
}

func TestForksOfAPreparedSandboxHaveItsObjectsAndTheirOwn(t *testing.T) {
	for _, name := range []string{"first", "second", "third"} {
		name := name
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fork := tapbench.NewFork(t, prepared)
			fork.Client.Post("/v1/customers", tapbench.JSON{"email": name + "@example.com"})
			if customers := fork.Client.Get("/v1/customers").Items("items"); len(customers) != 2 {
				t.Errorf("the fork has %d customers", len(customers))
			}
			fork.Webhooks.WaitFor(tapbench.EventCustomerCreated)
			// No test has used the terminal of the prepared one: its cardholder waits for the test here too.
			seen := fork.Client.Post("/sandbox/terminals/"+fork.Terminal().ID+"/paper", tapbench.JSON{"sheets": 5})
			if script := seen.Text("cardholder"); script != tapbench.ScriptNone {
				t.Errorf("the script of the cardholder is %s", script)
			}
		})
	}
}

func TestTheClockAdvancesInThisSandboxAlone(t *testing.T) {
	t.Parallel()
	sandbox, other := tapbench.NewSandbox(t), tapbench.NewSandbox(t)
	before := sandbox.Now()
	sandbox.Advance(3*24*time.Hour + time.Hour)
	if passed := sandbox.Now().Sub(before); passed < 73*time.Hour {
		t.Errorf("%v passed", passed)
	}
	if ahead := other.Now().Sub(before); ahead > time.Hour {
		t.Errorf("the other sandbox is %v ahead", ahead)
	}
}

func TestTheClientUploadsAFile(t *testing.T) {
	t.Parallel()
	sandbox := tapbench.NewSandbox(t)
	uploaded := sandbox.Client.Upload("Evidence", "slip.csv", []byte("signed by Sam"), "text/csv")
	if found := sandbox.Client.Get("/v1/files/" + uploaded.Text("id")); found.Text("id") != uploaded.Text("id") {
		t.Errorf("found %v", found)
	}
}

func TestTheClientActsForASubAccount(t *testing.T) {
	t.Parallel()
	sandbox := tapbench.NewSandbox(t)
	shop := sandbox.Client.AsAccount(sandbox.SubAccountID)
	shop.Post("/v1/customers", sam)
	if customers := shop.Get("/v1/customers?limit=5").Items("items"); len(customers) != 1 {
		t.Errorf("the sub account has %d customers", len(customers))
	}
	if customers := sandbox.Client.Get("/v1/customers").Items("items"); len(customers) != 0 {
		t.Errorf("the platform has %d customers", len(customers))
	}
}

func TestARefusedRequestFailsTheTestInWords(t *testing.T) {
	t.Parallel()
	message := failure(t, func(t testing.TB) { tapbench.NewSandbox(t).Checkout.Create(-1) })
	contains(t, message, "POST /v1/payment-sessions: 400 invalid_field: ", "amount")
}

func TestARequestThatIsNotRefusedFailsTheTestThatExpectsIt(t *testing.T) {
	t.Parallel()
	message := failure(t, func(t testing.TB) {
		tapbench.NewSandbox(t).Client.Refused(tapbench.Call{Method: http.MethodGet, Path: "/v1/customers"})
	})
	contains(t, message, "GET /v1/customers was not refused")
}

func TestTheMessageOfARefusalHasNoSecretOfASession(t *testing.T) {
	t.Parallel()
	sandbox := tapbench.NewSandbox(t)
	call := tapbench.Call{Method: http.MethodGet, Path: "/v1/payment-sessions/ps_1?clientSecret=cs_hidden"}
	if refused := sandbox.Browser.Refused(call); strings.Contains(refused.Error(), "cs_hidden") {
		t.Error(refused)
	}
}

func TestALostReplyIsAnErrorAndTheRequestIsNotSentAgain(t *testing.T) {
	t.Parallel()
	sandbox := tapbench.NewSandbox(t)
	operation := tapbench.JSON{"operation": "GET /v1/customers"}
	sandbox.Faults(tapbench.JSON{"at": "api.reply", "what": "reset", "when": operation})
	_, err := sandbox.Client.Do(sandbox.Context(), tapbench.Call{Method: http.MethodGet, Path: "/v1/customers"})
	var unavailable *tapbench.ServerUnavailableError
	if !errors.As(err, &unavailable) {
		t.Errorf("the call returned %v", err)
	}
}
