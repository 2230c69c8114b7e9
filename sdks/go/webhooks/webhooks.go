// Package webhooks verifies the webhooks that Posthorn sends. It needs the raw body, before anything
// parsed it.
package webhooks

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	defaultTolerance = 5 * time.Minute
	// A rotation has two.
	maxSignatures = 10
)

// Event is a verified webhook.
type Event struct {
	// ID is the event's; a repeated delivery has the same.
	ID string
	// Timestamp tells when it was sent.
	Timestamp time.Time
	// TraceID joins the delivery to the request that made the event.
	TraceID string
	// Payload has the bytes as they came.
	Payload json.RawMessage
}

// Decode reads the payload into what value points to.
func (e *Event) Decode(value any) error { return json.Unmarshal(e.Payload, value) }

// VerificationError says that a webhook is not what it claims to be.
type VerificationError struct{ reason string }

func (e *VerificationError) Error() string { return "webhooks: " + e.reason }

// ErrNoSecret says that there is nothing to verify with, perhaps for want of a setting.
var ErrNoSecret = errors.New("webhooks: a signing secret is missing or empty")

// Verify takes the signing secret, or several while one is being rotated. It fails with a
// *VerificationError where the signature, or the time, does not hold.
func Verify(rawBody []byte, headers http.Header, secrets ...string) (*Event, error) {
	return Verifier{Secrets: secrets}.Verify(rawBody, headers)
}

// Verifier is Verify with settings.
type Verifier struct {
	Secrets []string
	// Tolerance is how far the timestamp may be from now: 5 minutes where it is 0.
	Tolerance time.Duration
	// Brand is the word in the headers' names: the installation's BRAND, else Service.
	Brand string
	// Now is for tests: the time that it is, where it is zero.
	Now time.Time
}

// Verify is the function of that name, with these settings.
func (v Verifier) Verify(rawBody []byte, headers http.Header) (*Event, error) {
	// Whoever sends could sign by an empty secret, too.
	if len(v.Secrets) == 0 || slices.Contains(v.Secrets, "") {
		return nil, ErrNoSecret
	}
	schemes := readSchemes(headers, v.prefix())
	if len(schemes) == 0 {
		return nil, &VerificationError{"the header " + v.prefix() + "Signature or another is missing"}
	}
	// While a secret is being rotated only the standard's header has the former's signature too.
	for _, scheme := range schemes {
		if !scheme.matches(rawBody, v.Secrets) {
			continue
		}
		seconds, err := strconv.ParseInt(scheme.timestamp, 10, 64)
		at := time.Unix(seconds, 0)
		if err != nil || v.now().Sub(at).Abs() > cmp.Or(v.Tolerance, defaultTolerance) {
			return nil, &VerificationError{"the timestamp is too old, or lies in the future"}
		}
		return &Event{scheme.id, at, header(headers, v.prefix()+"Trace-Id"), rawBody}, nil
	}
	return nil, &VerificationError{"no signature matches"}
}

// Sign makes the headers of a delivery with this body, for tests of receivers. As in a rotation, the
// first secret signs it, and in the standard's header each does.
func (v Verifier) Sign(eventID string, body []byte) http.Header {
	timestamp := strconv.FormatInt(v.now().Unix(), 10)
	standard := []string{}
	for _, secret := range v.Secrets {
		standard = append(standard, standardSignature(secret, eventID, timestamp, body))
	}
	headers := http.Header{}
	headers.Set("Content-Type", "application/json")
	headers.Set(v.prefix()+"Event-Id", eventID)
	headers.Set(v.prefix()+"Timestamp", timestamp)
	headers.Set(v.prefix()+"Signature", serviceSignature(v.Secrets[0], eventID, timestamp, body))
	headers.Set("Webhook-Id", eventID)
	headers.Set("Webhook-Timestamp", timestamp)
	headers.Set("Webhook-Signature", strings.TrimSpace(strings.Join(standard, " ")))
	return headers
}

func (v Verifier) prefix() string { return "X-" + cmp.Or(v.Brand, "Service") + "-" }
func (v Verifier) now() time.Time { return cmp.Or(v.Now, time.Now()) }

type scheme struct {
	id, timestamp string
	given         []string
	sign          signer
}

func readSchemes(headers http.Header, prefix string) []scheme {
	read := func(prefix, id, separator string, sign signer) scheme {
		given := strings.ReplaceAll(header(headers, prefix+"Signature"), separator, " ")
		signatures := strings.Fields(given)
		signatures = signatures[:min(len(signatures), maxSignatures)]
		return scheme{header(headers, prefix+id), header(headers, prefix+"Timestamp"), signatures, sign}
	}
	schemes := []scheme{
		read(prefix, "Event-Id", ",", serviceSignature),
		read("Webhook-", "Id", "\t", standardSignature),
	}
	return slices.DeleteFunc(schemes, func(one scheme) bool {
		return one.id == "" || one.timestamp == "" || len(one.given) == 0
	})
}

// matches takes as long wherever a signature differs.
func (s scheme) matches(body []byte, secrets []string) bool {
	found := false
	for _, secret := range secrets {
		expected := s.sign(secret, s.id, s.timestamp, body)
		for _, one := range s.given {
			found = (expected != "" && hmac.Equal([]byte(one), []byte(expected))) || found
		}
	}
	return found
}

// signer is a scheme's. It makes "" of a secret that is not of the scheme.
type signer = func(secret, id, timestamp string, body []byte) string

func serviceSignature(secret, _, timestamp string, body []byte) string {
	return "v1=" + hex.EncodeToString(mac([]byte(secret), timestamp+".", body))
}

// standardSignature needs a secret that is `whsec_` and base64.
func standardSignature(secret, id, timestamp string, body []byte) string {
	text, isOfScheme := strings.CutPrefix(secret, "whsec_")
	key, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
	if !isOfScheme || err != nil || len(key) == 0 {
		return ""
	}
	return "v1," + base64.StdEncoding.EncodeToString(mac(key, id+"."+timestamp+".", body))
}

func mac(key []byte, head string, body []byte) []byte {
	hash := hmac.New(sha256.New, key)
	hash.Write([]byte(head))
	hash.Write(body)
	return hash.Sum(nil)
}

// header finds names however they are written: gateways hand them on in lower case.
func header(headers http.Header, name string) string {
	if value := headers.Get(name); value != "" {
		return value
	}
	for one, values := range headers {
		if strings.EqualFold(one, name) && len(values) > 0 {
			return values[0]
		}
	}
	return ""
}
