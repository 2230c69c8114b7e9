package webhooks

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

type vector struct {
	Name    string
	Body    string
	Headers map[string]string
	Secrets []string
	Now     int64
	Valid   bool
}

// The vectors that the SDKs of all languages share.
func TestVectors(t *testing.T) {
	text, err := os.ReadFile("../../webhook-vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []vector }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) < 15 {
		t.Fatalf("there are %d cases only", len(file.Cases))
	}
	for _, one := range file.Cases {
		t.Run(one.Name, func(t *testing.T) {
			canonical, asGiven := http.Header{}, http.Header{}
			for name, value := range one.Headers {
				canonical.Set(name, value)
				asGiven[name] = []string{value}
			}
			verifier := Verifier{Secrets: one.Secrets, Now: time.Unix(one.Now, 0)}
			for _, headers := range []http.Header{canonical, asGiven} {
				event, err := verifier.Verify([]byte(one.Body), headers)
				if !one.Valid {
					var refused *VerificationError
					if event != nil || !errors.As(err, &refused) {
						t.Fatalf("got %v and the error %v, want a refusal", event, err)
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if string(event.Payload) != one.Body || event.ID == "" || event.Timestamp.Unix() != 1767225600 {
					t.Fatalf("got %+v", event)
				}
			}
		})
	}
}

const (
	former = "whsec_dGhlIGZvcm1lciBzZWNyZXQsIDI0IGJ5"
	newest = "whsec_cG9zdGhvcm4gdmVjdG9ycywgMjQgYnl0"
)

func TestWhatIsSignedIsVerified(t *testing.T) {
	body := []byte(`{"a":1}`)
	signer := Verifier{Secrets: []string{newest}, Brand: "Acme"}
	headers := signer.Sign("e1", body)
	if headers.Get("X-Acme-Event-ID") != "e1" {
		t.Fatalf("got %v", headers)
	}
	event, err := signer.Verify(body, headers)
	if err != nil {
		t.Fatal(err)
	}
	var payload struct{ A int }
	if err := event.Decode(&payload); err != nil || event.ID != "e1" || payload.A != 1 {
		t.Fatalf("got %+v, %+v, %v", event, payload, err)
	}
	headers = Verifier{Secrets: []string{"a secret of no scheme"}}.Sign("e1", body)
	if headers.Get("Webhook-Signature") != "" {
		t.Fatalf("got %v", headers)
	}
	if _, err := Verify(body, headers, "a secret of no scheme"); err != nil {
		t.Fatal(err)
	}
	_, err = Verify(body, headers, newest)
	if err == nil || err.Error() != "webhooks: no signature matches" {
		t.Fatalf("got the error %v", err)
	}
	_, err = Verify(body, http.Header{}, newest)
	if err == nil || !strings.Contains(err.Error(), "X-Service-Signature") {
		t.Fatalf("got the error %v", err)
	}
}

func TestARotation(t *testing.T) {
	body := []byte(`{}`)
	headers := Verifier{Secrets: []string{newest, former}}.Sign("e1", body)
	for _, secrets := range [][]string{{former}, {newest}, {former, newest}, {"another", former}} {
		if _, err := Verify(body, headers, secrets...); err != nil {
			t.Errorf("with %v: %v", secrets, err)
		}
	}
	// Some gateways join headers of one name with commas.
	headers = Verifier{Secrets: []string{newest}}.Sign("e1", body)
	headers.Set("X-Service-Signature", "v1=00, "+headers.Get("X-Service-Signature")+",v1=11")
	headers.Del("Webhook-Signature")
	if _, err := Verify(body, headers, newest); err != nil {
		t.Error(err)
	}
}

func TestTheTimeIsHeldTo(t *testing.T) {
	sent := time.Unix(1767225600, 0)
	headers := Verifier{Secrets: []string{newest}, Now: sent}.Sign("e1", nil)
	for _, one := range []struct {
		tolerance, after time.Duration
		isTaken          bool
	}{
		{0, 5 * time.Minute, true},
		{0, 5*time.Minute + 1, false},
		{0, -5*time.Minute - 1, false},
		{time.Second, time.Second, true},
		{time.Second, 2 * time.Second, false},
	} {
		now := sent.Add(one.after)
		_, err := Verifier{Secrets: []string{newest}, Tolerance: one.tolerance, Now: now}.Verify(nil, headers)
		if (err == nil) != one.isTaken {
			t.Errorf("%+v: got the error %v", one, err)
		}
	}
	for _, text := range []string{"", "soon", "99999999999999999999", "-9223372036854775808"} {
		verifier := Verifier{Secrets: []string{newest}}
		headers := verifier.Sign("e1", nil)
		headers.Del("Webhook-Id")
		headers.Set("X-Service-Timestamp", text)
		headers.Set("X-Service-Signature", serviceSignature(newest, "", text, nil))
		if _, err := verifier.Verify(nil, headers); err == nil {
			t.Errorf("the timestamp %q is taken", text)
		}
	}
}

func TestNothingIsVerifiedWithoutASecret(t *testing.T) {
	headers := http.Header{}
	headers.Set("X-Service-Event-ID", "e1")
	headers.Set("X-Service-Timestamp", "1767225600")
	headers.Set("X-Service-Signature", serviceSignature("", "", "1767225600", nil))
	for _, secrets := range [][]string{nil, {""}, {newest, ""}} {
		if _, err := Verify(nil, headers, secrets...); !errors.Is(err, ErrNoSecret) {
			t.Errorf("with %q: got the error %v", secrets, err)
		}
	}
}
