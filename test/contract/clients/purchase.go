// Buys and refunds with the client that oapi-codegen makes from the contract.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"example.com/purchase/tillstack"
)

// input reads a body from JSON, so the generated type says whether each field exists.
func input[Body any](text string) (body Body) {
	must(json.Unmarshal([]byte(text), &body))
	return body
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// done returns the answer, or stops with the refusal.
func done[Answer any](answer *Answer, body []byte) *Answer {
	if answer == nil {
		panic(string(body))
	}
	return answer
}

func main() {
	ctx := context.Background()
	key := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("API_KEY"))
		return nil
	}
	api, err := tillstack.NewClientWithResponses(os.Getenv("API_URL"), tillstack.WithRequestEditorFn(key))
	must(err)

	made, err := api.CreateProductWithResponse(ctx, nil, input[tillstack.ProductInput](`{
		"name": "Star Atlas",
		"description": "All stars that a pair of binoculars shows.",
		"tax_category": "e_book",
		"price": {"type": "one_time_price", "currency": "EUR", "price": 2400, "tax_inclusive": true}
	}`))
	must(err)
	product := done(made.JSON200, made.Body)

	opened, err := api.CreateCheckoutSessionWithResponse(ctx, nil, input[tillstack.SessionInput](
		fmt.Sprintf(`{"product_cart": [{"product_id": %q, "quantity": 1}]}`, product.ProductId)))
	must(err)
	session := done(opened.JSON200, opened.Body)

	paid, err := api.PayCheckoutWithResponse(ctx, session.SessionId, nil, input[tillstack.PayInput](`{
		"customer": {"email": "ada@example.com", "name": "Ada Buyer"},
		"billing_address": {"country": "DE"},
		"test_card": "4242",
		"expected_total": 2400
	}`))
	must(err)
	charge := done(paid.JSON200, paid.Body)

	amount := 1000
	returned, err := api.CreateRefundWithResponse(ctx, nil, tillstack.RefundInput{PaymentId: charge.PaymentId, Amount: &amount})
	must(err)
	refund := done(returned.JSON200, returned.Body)

	read, err := api.GetPaymentWithResponse(ctx, charge.PaymentId)
	must(err)
	payment := done(read.JSON200, read.Body)

	must(json.NewEncoder(os.Stdout).Encode(struct {
		Paid     string `json:"paid"`
		Total    int    `json:"total"`
		Refunded int    `json:"refunded"`
		Left     int    `json:"left"`
	}{string(charge.Status), payment.TotalAmount, refund.Amount, payment.RefundableAmount}))
}
