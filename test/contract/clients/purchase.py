"""Buys and refunds with the client that openapi-python-client makes."""

import json
import os
import sys
import uuid

sys.path.insert(0, os.environ["CLIENT_FOLDER"])

from tillstack_api_client import AuthenticatedClient
from tillstack_api_client.api.checkout import pay_checkout
from tillstack_api_client.api.checkout_sessions import create_checkout_session
from tillstack_api_client.api.payments import get_payment
from tillstack_api_client.api.products import create_product
from tillstack_api_client.api.refunds import create_refund
from tillstack_api_client.models import PayInput, ProductInput, RefundInput, SessionInput

client = AuthenticatedClient(base_url=os.environ["API_URL"], token=os.environ["API_KEY"])

product = create_product.sync(
    client=client,
    body=ProductInput.from_dict(
        {
            "name": "Star Atlas",
            "description": "All stars that a pair of binoculars shows.",
            "tax_category": "e_book",
            "price": {"type": "one_time_price", "currency": "EUR", "price": 2400, "tax_inclusive": True},
        }
    ),
)
cart = {"product_cart": [{"product_id": product.product_id, "quantity": 1}]}
session = create_checkout_session.sync(client=client, body=SessionInput.from_dict(cart))
buyer = {
    "customer": {"email": "ada@example.com", "name": "Ada Buyer"},
    "billing_address": {"country": "DE"},
    "test_card": "4242",
    "expected_total": 2400,
}
charge = pay_checkout.sync(session.session_id, client=client, body=PayInput.from_dict(buyer))
part = RefundInput.from_dict({"payment_id": charge.payment_id, "amount": 1000})
refund = create_refund.sync(client=client, body=part, idempotency_key=str(uuid.uuid4()))
payment = get_payment.sync(charge.payment_id, client=client)
print(
    json.dumps(
        {
            "paid": str(charge.status),
            "total": payment.total_amount,
            "refunded": refund.amount,
            "left": payment.refundable_amount,
        }
    )
)
