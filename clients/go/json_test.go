package tapbench

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
)

func decoded(t *testing.T, text string) JSON {
	t.Helper()
	value, err := decodeJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return value.(JSON)
}

func TestTheSecretsOfAReplyAreMaskedHoweverItIsPrinted(t *testing.T) {
	reply := decoded(t, `{"secretKey":"sk_sandbox_hidden","items":[{"secret":"whs_hidden"}]}`)
	expected := map[string]string{
		"%v":  "map[items:[map[secret:whs_··]] secretKey:sk_sandbox_··]",
		"%+v": "map[items:[map[secret:whs_··]] secretKey:sk_sandbox_··]",
		"%#v": `tapbench.JSON{"items":[]interface {}{tapbench.JSON{"secret":"whs_··"}}, "secretKey":"sk_sandbox_··"}`,
	}
	for verb, text := range expected {
		if shown := fmt.Sprintf(verb, reply); shown != text {
			t.Errorf("%s shows %s", verb, shown)
		}
	}
	if reply.Text("secretKey") != "sk_sandbox_hidden" {
		t.Error("the secret is not there")
	}
	if sent, _ := json.Marshal(reply); string(sent) != `{"items":[{"secret":"whs_hidden"}],"secretKey":"sk_sandbox_hidden"}` {
		t.Errorf("sends %s", sent)
	}
}

func TestNumbersOfAReplyAreComparableAndExact(t *testing.T) {
	reply := decoded(t, `{"amount":1742,"large":9007199254740993,"rate":1.5,"none":null}`)
	expected := JSON{"amount": 1742, "large": 9007199254740993, "rate": 1.5, "none": nil}
	if !reflect.DeepEqual(reply, expected) {
		t.Errorf("decoded %#v", reply)
	}
}

func TestAPathOfAReplyFindsItsMembers(t *testing.T) {
	reply := decoded(t, `{"action":{"id":"act_1","amount":5},"items":[{"id":"a"},{"id":"b"}]}`)
	if reply.Text("action.id") != "act_1" || reply.Int("action.amount") != 5 || reply.Items("items")[1].Text("id") != "b" {
		t.Errorf("found %v", reply)
	}
	if reply.At("action.id.more") != nil || reply.Text("action.amount") != "" || len(reply.Items("action")) != 0 {
		t.Error("found what is not there")
	}
}

func TestATextThatIsNotOneJSONValueIsRefused(t *testing.T) {
	for _, text := range []string{"", "{", `{"id":"a"} {}`, "<html>"} {
		if value, err := decodeJSON([]byte(text)); err == nil {
			t.Errorf("%q is %v", text, value)
		}
	}
}
