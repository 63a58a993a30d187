import { normalizeEmail } from '../domain/checkout/buyer.ts';
import type { Grant } from '../domain/entitlements/grant.ts';
import { decisionOf, type Withdrawal } from '../domain/withdrawal/withdrawal-case.ts';
import type { PortalData, PortalOrderData } from '../use-cases/portal/portal-data.ts';

/** The data of a buyer as a file that programs can read (art. 15 and 20 GDPR). Amounts are in the smallest unit. */
export function dataFile(
  { profiles, language, orders, keys, typed, isPartial }: PortalData,
  email: string,
  madeAt: string,
): string {
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
  const file = {
    made_at: madeAt,
    email,
    language_of_mails: language ?? null,
    customers,
    orders: orders.map((order) => orderOf(order, email)),
    license_keys: licenseKeys,
    typed_withdrawals: typed.map(typedOf),
  };
  return JSON.stringify({ ...file, has_older_orders: isPartial }, null, 2);
}

function orderOf({ order, grants, declarations, mails }: PortalOrderData, reader: string) {
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
    supply_consents: order.supplyConsents ?? [],
    pay_button: order.payLabel ?? null,
    goods: grants.map(goodsOf),
    withdrawals: declarations.map((withdrawal) => ofOrder(withdrawal, reader)),
    mails: mails.map(({ at, what, about = 'document', reason = null }) => ({ at, what, about, reason })),
    metadata: order.metadata,
    refunds: refunds.map(({ amount, status, createdAt: at }) => ({ amount, status, created_at: at })),
  };
}

/**
 * What the buyer got for one line of an order: when it was delivered, when it was first opened, and when and how often
 * each file was downloaded.
 */
const goodsOf = (grant: Grant) => ({
  grant_id: grant.id,
  name: grant.entitlementName,
  type: grant.type,
  status: grant.status,
  delivered_at: grant.deliveredAt,
  opened_at: grant.openedAt ?? null,
  license_key_id: grant.licenseKeyId,
  downloads: Object.entries(grant.downloads ?? {}).map(([fileId, { firstAt, lastAt, count }]) => ({
    file_id: fileId,
    first_at: firstAt,
    last_at: lastAt,
    count,
  })),
});

/**
 * A declaration about an order of the buyer. If it came from another address, its contact data and words are left out,
 * because they are data of somebody else: of a stranger who used the form, or of the holder of a former address.
 */
function ofOrder(withdrawal: Withdrawal, reader: string) {
  const isOwn = normalizeEmail(withdrawal.declaration.email) === reader;
  return { ...declarationOf(withdrawal), ...(!isOwn && { name: null, email: null, reference: null }) };
}

/**
 * A declaration that was typed with the buyer's address, about no order of theirs. If it names an order of somebody else,
 * what became of it is left out.
 */
function typedOf(withdrawal: Withdrawal) {
  const isAboutOther = withdrawal.current.paymentId !== null;
  return { ...declarationOf(withdrawal), ...(isAboutOther && { decision: null }) };
}

/** A declaration of withdrawal as it was received, and the latest decision about it. */
function declarationOf({ declaration, current }: Withdrawal) {
  const { id, receivedAt, source, name, email, reference, language, lines } = declaration;
  const decision = decisionOf(current);
  return {
    withdrawal_id: id,
    received_at: receivedAt,
    source,
    name,
    email,
    reference,
    language,
    lines,
    acknowledged_at: current.acknowledgement.at,
    decision: decision
      ? { outcome: decision.outcome, reason: decision.reason, note: decision.note, at: decision.at }
      : null,
  };
}
