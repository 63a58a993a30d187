import type { LeftBehind } from './left-behind.ts';

/**
 * Every command of the API, by its route, with the kind of object that it creates or changes. A key that expires cannot
 * use a command that is missing here.
 */
export const apiCommands: Readonly<Record<string, LeftBehind>> = {
  'POST /products': 'product',
  'PATCH /products/{id}': 'product',
  'DELETE /products/{id}': 'removal',
  'POST /products/{id}/unarchive': 'product',
  'PUT /products/{id}/images': 'upload_address',
  'PUT /products/{id}/files': 'upload_address',
  'POST /products/{id}/localized-prices': 'product',
  'PATCH /products/{id}/localized-prices/{price_id}': 'product',
  'DELETE /products/{id}/localized-prices/{price_id}': 'removal',
  'POST /brands': 'brand',
  'PATCH /brands/{id}': 'brand',
  'PUT /brands/{id}/images': 'upload_address',
  'POST /discounts': 'discount',
  'PATCH /discounts/{id}': 'discount',
  'DELETE /discounts/{id}': 'removal',
  'POST /discounts/{id}/customers': 'discount',
  'DELETE /discounts/{id}/customers/{customer_id}': 'removal',
  'POST /entitlements': 'entitlement',
  'PATCH /entitlements/{id}': 'entitlement',
  'DELETE /entitlements/{id}': 'removal',
  'POST /entitlements/{id}/files': 'file_upload',
  'GET /entitlements/{id}/files/{file_id}': 'file_address',
  'DELETE /entitlements/{id}/files/{file_id}': 'removal',
  'DELETE /entitlements/{id}/grants/{grant_id}': 'removal',
  'POST /entitlements/{id}/grants/{grant_id}/restore': 'grant',
  'POST /grants/{id}/license-key': 'grant',
  'POST /api-keys': 'api_key',
  'DELETE /api-keys/{id}': 'removal',
  'POST /checkout-sessions/create': 'checkout_session',
  'POST /checkouts': 'checkout_session',
  'POST /checkout-sessions/{id}/expire': 'removal',
  'POST /checkouts/{id}/expire': 'removal',
  'POST /checkouts/preview': 'nothing',
  'POST /refunds': 'refund',
  'POST /refunds/preview': 'nothing',
  'POST /disputes/{dispute_id}/adjustments': 'invoice',
  'POST /withdrawals/{withdrawal_id}/decide': 'refund',
  'POST /entitlements/{id}/codes': 'product',
  'POST /license_keys': 'license_key',
  'PATCH /license_keys/{id}': 'license_key',
  'POST /license_keys/{id}/reissue': 'license_key',
  'PATCH /license_key_instances/{id}': 'license_key',
  'POST /customers': 'customer',
  'PATCH /customers/{customer_id}': 'customer',
  'POST /customers/{customer_id}/customer-portal/session': 'portal_link',
  'POST /customers/{customer_id}/erase': 'removal',
  'POST /webhooks': 'webhook_endpoint',
  'PATCH /webhooks/{id}': 'webhook_settings',
  'DELETE /webhooks/{id}': 'removal',
  'GET /webhooks/{id}/secret': 'webhook_secret',
  'POST /webhooks/{id}/rotate': 'webhook_secret',
  'PATCH /webhooks/{id}/headers': 'webhook_headers',
  'POST /webhooks/{id}/test': 'delivery',
  'POST /webhooks/{id}/recover': 'delivery',
  'POST /webhook-events/{id}/resend': 'delivery',
  'POST /tax/registrations': 'tax_rule',
  'PATCH /tax/registrations/{id}': 'tax_rule',
  'DELETE /tax/registrations/{id}': 'removal',
  'POST /tax/overrides': 'tax_rule',
  'DELETE /tax/overrides/{id}': 'removal',
};

/**
 * The kind of object that a call creates or changes. A GET creates nothing, except for the routes that `apiCommands`
 * names.
 */
export function leftBehindBy(routeKey: string): LeftBehind {
  const route = routeKey.replace(/^HEAD /, 'GET ');
  if (Object.hasOwn(apiCommands, route)) return apiCommands[route] ?? 'unknown';
  return route.startsWith('GET ') ? 'nothing' : 'unknown';
}
