import { documentAnswers } from '../documents/document-answer.ts';
import { paymentAnswers } from '../payments/payment-answer.ts';
import { common } from './fields.ts';
import { type WordsByField, wordsIn } from './words-in.ts';

const dispute = wordsIn(paymentAnswers.DisputeSummary);

/** The descriptions of the fields of queries. */
export const queryWords: WordsByField = {
  page_number: 'The number of the page, from 1. Not together with `cursor`.',
  page_size: 'How many entries a page has, 10 by default.',
  cursor:
    'Where the page begins: `start`, or the `next_cursor` of the answer before, with the same filters. Not together with `page_number`.',
  limit: 'How many endpoints a page has, 20 by default.',
  iterator: 'Where the page begins: the `iterator` of the answer before.',
  created_at_gte: 'Only what was created at this time or later.',
  created_at_lte: 'Only what was created at this time or earlier.',
  archived: '`true` lists archived products instead of those on sale.',
  active: '`true` lists codes that can be redeemed now: begun, not over, not used up. `false` lists the others.',
  status: 'Only those with this status.',
  type: 'Only those of this type.',
  code: 'Only codes that contain this text, in any case.',
  integration_type: 'Only entitlements of this type.',
  discount_type: 'Codes of this type only.',
  tax_category: 'Only countries in which this category is sold. Without it, those in which all are.',
  product_id: common.product_id.description ?? '',
  brand_id: common.brand_id.description ?? '',
  customer_id: common.customer_id.description ?? '',
  payment_id: common.payment_id.description ?? '',
  customer_email:
    'Only payments that belong to this e-mail address: paid with it, or by a customer who was given it. Not together with `customer_id`.',
  checkout_session_id: 'Only payments of this checkout session. Not together with `customer_id` or `customer_email`.',
  invoice_number:
    'Only the payment whose invoice has this number, such as `INV-2026-000042`. Alone among the ways to find payments.',
  currency: common.currency.description ?? '',
  return_url: 'Where the portal leads back to you. Its origin must be one that the merchant’s file allows.',
  send_email: '`true` also mails the link to the customer.',
  email: common.email.description ?? '',
  name: common.name.description ?? '',
  discount_id: 'The id of the discount.',
  license_key_id: 'Only instances of this licence key.',
  grant_id: 'Only instances of the licence key that this grant gives.',
  source: 'Only licence keys from this source.',
  dispute_stage: dispute['dispute_stage'] ?? '',
  dispute_status: dispute['dispute_status'] ?? '',
  series: wordsIn(documentAnswers.Document)['series'] ?? '',
  descendants: '`true` also revokes the keys that the key made, directly or through others.',
  content_length: 'The size of the image in bytes. The address then takes exactly this many bytes.',
  recurring: '`true` answers an empty page: there are no subscriptions.',
  subscription_id: 'Answers an empty page: there are no subscriptions.',
  locale: 'A language tag, such as `pt-BR`. Accepted and ignored: a product has one text.',
  force_update: 'Accepted and ignored: every upload has a new id.',
  include_archived: 'Accepted and ignored: brands are not archived.',
};
