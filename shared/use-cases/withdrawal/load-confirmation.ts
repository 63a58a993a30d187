import type { PolicyVersion } from '../../domain/catalogue/policies.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import {
  type Confirmation,
  confirmationOf,
  confirmedTexts,
  isConfirmedSale,
} from '../../domain/withdrawal/confirmation.ts';
import { logError } from '../../log.ts';
import type { BrandStore } from '../../store/catalogue/brand-store.ts';

export interface LoadConfirmationDeps {
  brands: Pick<BrandStore, 'policyText'>;
}

/** The confirmation of a sale to a consumer, with the texts as they were; undefined for any other sale. */
export async function loadConfirmation(
  { brands }: LoadConfirmationDeps,
  payment: Payment,
): Promise<Confirmation | undefined> {
  if (!isConfirmedSale(payment)) return undefined;
  const texts = await Promise.all(confirmedTexts(payment).map((hash) => brands.policyText(hash)));
  if (texts.includes(undefined)) logError('A text of the seller is gone.', { payment_id: payment.id });
  return confirmationOf(
    payment,
    texts.filter((text) => text !== undefined),
  );
}

/** How many texts a process keeps in memory. */
const mostTexts = 50;

/** Reads each text only once in a process, because a text never changes. */
export function rememberingTexts(brands: Pick<BrandStore, 'policyText'>): Pick<BrandStore, 'policyText'> {
  const known = new Map<string, PolicyVersion>();
  return {
    policyText: async (hash) => {
      const text = known.get(hash) ?? (await brands.policyText(hash));
      if (known.size >= mostTexts) known.clear();
      if (text) known.set(hash, text);
      return text;
    },
  };
}
