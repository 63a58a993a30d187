import { deflateSync, inflateSync } from 'node:zlib';

/**
 * Texts that many payloads contain. With this dictionary, an event stays within one write unit. It is needed to unpack
 * stored payloads, so it must never change. A better dictionary must be added beside it.
 */
const dictionary = Buffer.from(
  '{"business_id":"","type":"refund.failed","timestamp":"20","sequence":2,"data":{"refund_id":"ref_","payment_id":"pay_",' +
    '"business_id":"","status":"failed","created_at":"20","is_partial":false,"amount":0,"currency":"EUR","reason":null,' +
    '"brand_id":"brnd_","customer":{"customer_id":"cus_","email":"","name":"","metadata":{},"phone_number":null},' +
    '"metadata":{},"tax":0,"tax_inclusive":true,"invoice_id":"crn_","invoice_url":"https:///invoices/refunds/ref_",' +
    '"items":[{"item_id":"pdt_","amount":0,"tax":0,"tax_inclusive":true}],"payload_type":"Refund"}}' +
    '{"business_id":"","type":"payment.succeeded","timestamp":"20","sequence":1,"data":{"payment_id":"pay_",' +
    '"brand_id":"brnd_","created_at":"20","currency":"EUR","metadata":{},"status":"succeeded","total_amount":0,' +
    '"customer":{"customer_id":"cus_","email":"","name":"","metadata":{},"phone_number":null},"payment_provider":"dodo",' +
    '"processor":"sandbox","payment_method":"card","payment_method_type":"credit","card_last_four":"4242",' +
    '"card_network":"VISA","refund_status":null,"invoice_id":"inv_","invoice_url":"https:///invoices/payments/pay_",' +
    '"is_multi_subscription":false,"subscription_ids":[],"subscription_id":null,"digital_products_delivered":false,' +
    '"business_id":"","updated_at":"20","tax":0,"billing":{"country":"DE","state":null,"city":null,"street":null,' +
    '"zipcode":null},"card_holder_name":null,"card_issuing_country":null,"card_type":"credit","payment_method_id":null,' +
    '"refunds":[],"refundable_amount":0,"error_code":null,"error_message":null,"checkout_session_id":"cks_",' +
    '"payment_link":"https:///checkout/cks_","product_cart":[{"product_id":"pdt_","quantity":1}],"settlement_amount":0,' +
    '"settlement_currency":"EUR","settlement_tax":0,"disputes":[],"is_update_payment_method":false,"retry_attempt":0,' +
    '"discount_id":null,"discounts":null,"custom_field_responses":null,"payload_type":"Payment"}}',
);

/** Packs a payload into the bytes that its row stores. */
export const packPayload = (payload: string): Buffer => deflateSync(payload, { dictionary });

/**
 * Unpacks a payload into exactly the bytes that were packed. It is synchronous, because another thread would take ten
 * times as long.
 */
export const unpackPayload = (packed: Uint8Array): string => inflateSync(packed, { dictionary }).toString('utf8');
