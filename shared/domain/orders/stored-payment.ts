import * as z from 'zod';
import type { Metadata } from '../catalogue/product.ts';
import { LineEntitlement } from '../entitlements/line-entitlement.ts';
import { Payment } from '../payments/payment.ts';

/**
 * The entry of a stored payment's metadata with the fields that version 0.2.0 would drop: it writes a payment again
 * without the fields that it does not know, but keeps metadata as it is. No answer and no event shows the entry. The
 * keys of an integrator have no colon, in 0.2.0 as well, so nobody else can write it.
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

/** The payment as its row holds it, so that 0.2.0 can write it without a loss. */
export function storedPayment(payment: Payment): Payment {
  const { orderLink, hasOwnAddress, ...rest } = payment;
  const lines = payment.lines.map((line) => KeptLine.parse(line));
  if (orderLink === undefined && lines.every((line) => Object.keys(line).length === 0)) return payment;
  const plain = rest.lines.map(({ entitlements: _, isAccessKept: __, isWithdrawn: ___, ...line }) => line);
  const kept = JSON.stringify({ orderLink, hasOwnAddress, lines });
  return { ...rest, lines: plain, metadata: { ...payment.metadata, [entry]: kept } };
}

/** The integrator's own metadata of a stored payment. */
export function ownMetadata({ [entry]: _, ...metadata }: Metadata): Metadata {
  return metadata;
}

/** A payment from its row. */
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
