package tapbench

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
)

var (
	hiddenField = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)"`)
	formAction  = regexp.MustCompile(`<form[^>]+action="([^"]+)"`)
)

// fingerprint returns the request that tells the issuer that its page has seen the browser.
func fingerprint(clientSecret string) JSON {
	seen := base64.StdEncoding.EncodeToString([]byte(`{"threeDSCompInd":"Y"}`))
	return JSON{"clientSecret": clientSecret, "threeDs": JSON{"fingerprint": seen}}
}

// challengePage is the issuer's 3DS page, on which the cardholder enters a code.
type challengePage struct {
	address string
	fields  url.Values
	target  string
}

// open opens the page with the challenge request of the session.
func (p *challengePage) open(ctx context.Context, request string) error {
	if p.address == "" {
		return errors.New("the session has no challenge")
	}
	page, err := postForm(ctx, p.address, url.Values{"creq": {request}})
	if err != nil {
		return err
	}
	action := formAction.FindStringSubmatch(page)
	if action == nil {
		return errors.New("the issuer shows no form")
	}
	base, err := url.Parse(p.address)
	if err != nil {
		return errors.New("the address of the challenge is not valid")
	}
	target, err := base.Parse(action[1])
	if err != nil {
		return errors.New("the address of the issuer's form is not valid")
	}
	p.target, p.fields = target.String(), url.Values{}
	for _, field := range hiddenField.FindAllStringSubmatch(page, -1) {
		p.fields.Set(field[1], field[2])
	}
	return nil
}

// answer enters a code; an empty one cancels.
func (p *challengePage) answer(ctx context.Context, code string) error {
	p.fields.Set("answer", "approve")
	if code == "" {
		p.fields.Set("answer", "cancel")
	}
	p.fields.Set("code", code)
	_, err := postForm(ctx, p.target, p.fields)
	return err
}

func postForm(ctx context.Context, address string, fields url.Values) (string, error) {
	header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	reply, err := send(ctx, http.MethodPost, address, []byte(fields.Encode()), header)
	if err != nil {
		return "", err
	}
	if reply.status >= http.StatusBadRequest {
		return "", fmt.Errorf("the issuer's page replied with the status %d", reply.status)
	}
	return string(reply.body), nil
}
