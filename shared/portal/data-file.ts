import type { Payment } from '../domain/payments/payment.ts';
import type { PortalData } from '../use-cases/portal/portal-data.ts';

/** The data of a buyer as a file that programs can read (art. 15 and 20 GDPR). Amounts are in the smallest unit. */
export function dataFile({ profiles, orders, keys, isPartial }: PortalData, email: string, madeAt: string): string {
  const customers = profiles.map(({ id, email: address, name, phone, metadata, createdAt }) => ({
    customer_id: id,
    email: address,
    name,
    phone_number: phone,
    metadata,
    known_since: createdAt,
  }));
  const licenseKeys = keys.map(({ key, name, devices }) => ({
    key_id: key.id,
    product: name,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    devices: devices.map((device) => ({ name: device.name, since: device.createdAt })),
  }));
  const file = { made_at: madeAt, email, customers, orders: orders.map(orderOf), license_keys: licenseKeys };
  return JSON.stringify({ ...file, has_older_orders: isPartial }, null, 2);
}

function orderOf(order: Payment) {
  const { id, createdAt, currency, gross, lines, customer, billing, taxId, businessName, language, refunds } = order;
  return {
    payment_id: id,
    paid_at: createdAt,
    currency,
    total: gross,
    lines: lines.map(({ name, quantity, gross: total }) => ({ name, quantity, total })),
    name: customer.name,
    email: customer.email,
    phone_number: customer.phone,
    address: billing,
    tax_id: taxId?.id ?? null,
    business_name: businessName,
    language,
    card: order.cardDetails ?? null,
    consents: order.consents ?? [],
    metadata: order.metadata,
    refunds: refunds.map(({ amount, status, createdAt: at }) => ({ amount, status, created_at: at })),
  };
}
