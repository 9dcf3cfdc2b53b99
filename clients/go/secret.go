package tapbench

import (
	"encoding/json"
	"regexp"
)

// secretPrefix is the part of a key or secret that failure output may show.
var secretPrefix = regexp.MustCompile(`^[a-z]{2,4}_(sandbox_)?`)

// secretMembers are the members of replies whose values are secrets.
var secretMembers = map[string]bool{
	"secretKey":    true,
	"publicKey":    true,
	"secret":       true,
	"clientSecret": true,
	"dashboardUrl": true,
}

// Secret is a key or another secret of a reply. Printed with any verb it shows its prefix alone, such as sk_sandbox_··.
type Secret struct {
	// A function, because packages that print by reflection, such as for the diff of an assertion, call no methods.
	reveal func() string
}

func newSecret(value string) Secret {
	return Secret{reveal: func() string { return value }}
}

// Reveal returns the secret itself.
func (s Secret) Reveal() string {
	if s.reveal == nil {
		return ""
	}
	return s.reveal()
}

// String returns the prefix of the secret.
func (s Secret) String() string {
	return secretPrefix.FindString(s.Reveal()) + "··"
}

// GoString returns the prefix of the secret.
func (s Secret) GoString() string {
	return `"` + s.String() + `"`
}

// MarshalJSON returns the secret itself, so that a reply can be sent on.
func (s Secret) MarshalJSON() ([]byte, error) {
	return json.Marshal(s.Reveal())
}
