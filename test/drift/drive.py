"""Drives with the official library for Python what a shop does, and prints each call as a line of JSON."""

import json
import os
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

import dodopayments
import httpx

URL = os.environ["API_URL"]
received = []


def print_call(response):
    request = response.request
    print(json.dumps({"call": f"{request.method} {request.url.path}", "status": response.status_code}), flush=True)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        received.append((body, {name.lower(): value for name, value in self.headers.items()}))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def check(what, is_right, seen):
    if not is_right:
        sys.exit(f"{what}: {seen}")


def buy(product_id, card="4242"):
    session = client.checkout_sessions.create(product_cart=[{"product_id": product_id, "quantity": 1}])
    buyer = {"customer": {"email": "ada@example.com", "name": "Ada Buyer"}, "billing_address": {"country": "DE"}}
    paid = httpx.post(f"{URL}/checkout/{session.session_id}/pay", json={**buyer, "test_card": card}).json()
    check("pay", paid["status"] == "succeeded", paid)
    return session.session_id, paid["payment_id"]


def soon(what, condition):
    """Waits for what happens after an answer."""
    for _ in range(150):
        found = condition()
        if found:
            return found
        time.sleep(0.1)
    sys.exit(f"{what} did not happen within 15 seconds")


# Every answer must fit the library's models, or the library throws.
client = dodopayments.DodoPayments(
    base_url=URL,
    bearer_token=os.environ["API_KEY"],
    max_retries=0,
    http_client=dodopayments.DefaultHttpxClient(event_hooks={"response": [print_call]}),
    _strict_response_validation=True,
)
receiver = HTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=receiver.serve_forever, daemon=True).start()

# Webhooks
hook = client.webhooks.create(url=f"http://127.0.0.1:{receiver.server_port}/hook", filter_types=["payment.succeeded"])
client.webhooks.headers.update(hook.id, headers={"X-Shop": "drift"})
headers = client.webhooks.headers.retrieve(hook.id).headers
check("headers", headers == {"X-Shop": "drift"}, headers)
client.webhooks.update(hook.id, description="Tried by the library.")
description = client.webhooks.retrieve(hook.id).description
check("description", description == "Tried by the library.", description)
check("webhooks", hook.id in [one.id for one in client.webhooks.list()], "not listed")
secret = client.webhooks.retrieve_secret(hook.id).secret

# Brands
brand = client.brands.create(name="Night Sky")
client.brands.update(brand.brand_id, name="Night Sky Maps")
name = client.brands.retrieve(brand.brand_id).name
check("brand", name == "Night Sky Maps", name)
check("brands", brand.brand_id in [one.brand_id for one in client.brands.list().items], "not listed")
check("logo", client.brands.update_images(brand.brand_id).url.startswith("http"), "no address")

# Products
product = client.products.create(
    name="Star Atlas",
    description="All stars that a pair of binoculars shows.",
    tax_category="e_book",
    price={
        "type": "one_time_price",
        "currency": "EUR",
        "price": 2400,
        "discount": 0,
        "purchasing_power_parity": False,
        "tax_inclusive": True,
    },
)
client.products.update(product.product_id, name="Star Atlas, second edition")
name = client.products.retrieve(product.product_id).name
check("product", name == "Star Atlas, second edition", name)
client.products.archive(product.product_id)
check("archive", product.product_id not in [one.product_id for one in client.products.list()], "still listed")
client.products.unarchive(product.product_id)
check("unarchive", product.product_id in [one.product_id for one in client.products.list()], "not listed")
check("image", client.products.images.update(product.product_id).url.startswith("http"), "no address")
check("countries", "DE" in client.misc.list_supported_countries(), "DE is missing")

# A purchase
cart = [{"product_id": product.product_id, "quantity": 1}]
preview = client.checkout_sessions.preview(product_cart=cart, billing_address={"country": "DE"})
check("preview", preview.total_price == 2400, preview)
session_id, payment_id = buy(product.product_id)
seen = client.checkout_sessions.retrieve(session_id)
check("session", (seen.payment_id, seen.payment_status) == (payment_id, "succeeded"), seen)
payment = client.payments.retrieve(payment_id)
check("payment", (payment.total_amount, payment.status) == (2400, "succeeded"), payment)
check("payments", payment_id in [one.payment_id for one in client.payments.list()], "not listed")
lines = client.payments.retrieve_line_items(payment_id)
check("line items", [one.amount for one in lines.items] == [2400], lines)

# Its webhook
body, signed = soon("The webhook", lambda: next((one for one in received if payment_id in one[0]), None))
check("header", signed.get("x-shop") == "drift", signed)
event = client.webhooks.unwrap(body, headers=signed, key=secret)
check("event", (event.type, event.data.payment_id) == ("payment.succeeded", payment_id), event)
try:
    client.webhooks.unwrap(body.replace("2400", "1"), headers=signed, key=secret)
    sys.exit("A changed webhook was believed")
except Exception as error:
    check("unwrap", type(error).__name__ == "WebhookVerificationError", error)

# A refund
half = client.refunds.create(payment_id=payment_id, items=[{"item_id": product.product_id, "amount": 1200}])
check("refund", (half.amount, half.is_partial, half.status) == (1200, True, "succeeded"), half)
check("refund again", client.refunds.retrieve(half.refund_id).amount == 1200, half)
check("refunds", half.refund_id in [one.refund_id for one in client.refunds.list()], "not listed")
status = client.payments.retrieve(payment_id).refund_status
check("refund status", status == "partial", status)


def document(read):
    """A document, once it is issued."""
    try:
        return read().read()
    except dodopayments.NotFoundError:
        return None


check("invoice", soon("The invoice", lambda: document(lambda: client.invoices.payments.retrieve(payment_id))), "")
check("credit note", soon("It", lambda: document(lambda: client.invoices.payments.retrieve_refund(half.refund_id))), "")

# A dispute
disputed_id = buy(product.product_id, card="0259")[1]
dispute = soon("The dispute", lambda: next((one for one in client.disputes.list() if one.payment_id == disputed_id), None))
seen = client.disputes.retrieve(dispute.dispute_id)
check("dispute", seen.payment_id == disputed_id, seen)

# Customers
customer = client.customers.create(email="grace@example.com", name="Grace Buyer")
client.customers.update(customer.customer_id, name="Grace B.")
name = client.customers.retrieve(customer.customer_id).name
check("customer", name == "Grace B.", name)
check("customers", customer.customer_id in [one.customer_id for one in client.customers.list()], "not listed")

# Prices by currency
atlas = client.products.create(
    name="World Atlas",
    description="Every country on one page.",
    tax_category="e_book",
    pricing_mode="by_currency",
    price={
        "type": "one_time_price",
        "currency": "EUR",
        "price": 2400,
        "discount": 0,
        "purchasing_power_parity": False,
        "tax_inclusive": True,
    },
)
prices = client.products.localized_prices
dollars = prices.create(atlas.product_id, amount=2600, currency="USD")
prices.update(dollars.id, product_id=atlas.product_id, amount=2500)
check("localized price", prices.retrieve(dollars.id, product_id=atlas.product_id).amount == 2500, dollars)
check("localized prices", [one.id for one in prices.list(atlas.product_id).items] == [dollars.id], dollars)
prices.archive(dollars.id, product_id=atlas.product_id)

# Discount codes
discount = client.discounts.create(type="percentage", amount=1000, code="PYTHON10")
client.discounts.update(discount.discount_id, name="Ten percent")
check("discount", client.discounts.retrieve(discount.discount_id).name == "Ten percent", discount)
check("code", client.discounts.retrieve_by_code("PYTHON10").discount_id == discount.discount_id, discount)
check("discounts", discount.discount_id in [one.discount_id for one in client.discounts.list()], "not listed")
client.discounts.delete(discount.discount_id)

client.webhooks.delete(hook.id)
try:
    client.webhooks.retrieve(hook.id)
    sys.exit("A deleted webhook is still there")
except dodopayments.NotFoundError:
    pass
print(json.dumps({"library": dodopayments.__version__}))
