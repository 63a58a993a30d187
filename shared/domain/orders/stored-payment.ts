import * as z from 'zod';
import type { Metadata } from '../catalogue/product.ts';
import { LineEntitlement } from '../entitlements/line-entitlement.ts';
import { Payment } from '../payments/payment.ts';

/**
 * The metadata entry that holds the fields which version 0.2.0 would lose. When 0.2.0 writes a payment, it drops fields
 * that it does not know, but keeps metadata. No answer and no event shows this entry. An integrator cannot write it,
 * because metadata keys have no colon, in 0.2.0 as well.
 */
const entry = 'tillstack:kept';

const KeptLine = z.object({
  entitlements: z.array(LineEntitlement).optional(),
  isAccessKept: z.boolean().optional(),
  isWithdrawn: z.literal(true).optional(),
});
const Kept = z.object({
  orderLink: z.int().optional(),
  hasOwnAddress: z.literal(true).optional(),
  lines: z.array(KeptLine),
});

/** The payment in the form in which its row stores it. Version 0.2.0 can write this form without losing fields. */
export function storedPayment(payment: Payment): Payment {
  const { orderLink, hasOwnAddress, ...rest } = payment;
  const lines = payment.lines.map((line) => KeptLine.parse(line));
  if (orderLink === undefined && lines.every((line) => Object.keys(line).length === 0)) return payment;
  const plain = rest.lines.map(({ entitlements: _, isAccessKept: __, isWithdrawn: ___, ...line }) => line);
  const kept = JSON.stringify({ orderLink, hasOwnAddress, lines });
  return { ...rest, lines: plain, metadata: { ...payment.metadata, [entry]: kept } };
}

/** The integrator's own metadata of a stored payment, without our entry. */
export function ownMetadata({ [entry]: _, ...metadata }: Metadata): Metadata {
  return metadata;
}

/** Reads a payment from its row. */
export const StoredPayment = Payment.transform((stored): Payment => {
  const { [entry]: text } = stored.metadata;
  if (text === undefined) return stored;
  const { orderLink, hasOwnAddress, lines } = Kept.parse(JSON.parse(String(text)));
  return {
    ...stored,
    ...(orderLink !== undefined && { orderLink }),
    ...(hasOwnAddress && { hasOwnAddress }),
    metadata: ownMetadata(stored.metadata),
    lines: stored.lines.map((line, index) => ({ ...line, ...lines[index] })),
  };
});
