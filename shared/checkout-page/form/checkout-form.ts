import { type CheckoutSession, settledEmail } from '../../domain/checkout/checkout-session.ts';
import { type ConsentKind, consentKinds } from '../../domain/checkout/consent.ts';
import { maxAmount } from '../../domain/money/money.ts';
import { buyerLimit } from '../../wire/buyer.ts';
import { type CodeEntry, parseCodeEntry } from './code-entry.ts';

export const maxFormBytes = 64 * 1024;

/** The fields of a buyer, as the form names them. */
export const buyerFields = [
  'email',
  'name',
  'country',
  'region',
  'postal_code',
  'street',
  'city',
  'tax_id',
  'business_name',
] as const satisfies readonly Parameters<typeof buyerLimit>[0][];
export type BuyerField = (typeof buyerFields)[number];

export type BuyerFields = Readonly<Record<BuyerField, string>>;

/** The posted form of the checkout page, as typed. Only its shape is checked. */
export interface CheckoutForm {
  token: string;
  /** To pay, to show the page again with the new total, or to do so while the buyer is still typing: where it was posted to says it. */
  action: 'update' | 'refresh' | 'pay';
  /** The language that the buyer wants to go on in. */
  switchTo: string;
  /** The total that the page showed; null if it showed none. */
  expectedTotal: number | null;
  buyer: BuyerFields;
  card: string;
  /** Amounts per unit as typed, by product. */
  amounts: ReadonlyMap<string, string>;
  /** Quantities as typed, by product. */
  quantities: ReadonlyMap<string, string>;
  /** A button that was pressed for one unit more or less. */
  step: { productId: string; by: number } | null;
  /** What the buyer has agreed to. */
  consents: readonly ConsentKind[];
  code: CodeEntry;
  /** The currency that the buyer sees chosen, and the one of the page when it was shown; empty where there is no choice. */
  currency: string;
  shownCurrency: string;
  /** A suggested amount that was pressed. */
  preset: { productId: string; amount: number } | null;
}

export interface FieldFault {
  field: BuyerField | 'card';
  kind: 'missing' | 'invalid';
}

const amountPrefix = 'amount.';
const quantityPrefix = 'quantity.';

export const currencyFields = { chosen: 'currency', shown: 'shown_currency' } as const;

/** Reads `application/x-www-form-urlencoded`. A repeated field counts once; unknown fields are ignored. */
export function parseCheckoutForm(body: string, action: CheckoutForm['action']): CheckoutForm {
  const fields = new Map(new URLSearchParams(body));
  const field = (name: string): string => (fields.get(name) ?? '').trim();
  const byProduct = (prefix: string): Map<string, string> =>
    new Map(
      [...fields].flatMap(([name, typed]): [string, string][] =>
        name.startsWith(prefix) ? [[name.slice(prefix.length), typed.trim()]] : [],
      ),
    );
  return {
    token: field('token'),
    action,
    switchTo: field('switch_to'),
    expectedTotal: parseMinorUnits(field('expected_total')),
    buyer: Object.fromEntries(buyerFields.map((name) => [name, field(name)])) as BuyerFields,
    card: field('card'),
    amounts: byProduct(amountPrefix),
    quantities: byProduct(quantityPrefix),
    step: parseStep(field(quantityStepName)),
    consents: consentKinds.filter((kind) => field(consentFieldName(kind)) !== ''),
    code: parseCodeEntry(field),
    currency: field(currencyFields.chosen),
    shownCurrency: field(currencyFields.shown),
    preset: parsePreset(field('preset')),
  };
}

/** The name of the box of a consent. */
export const consentFieldName = (kind: ConsentKind): string => `consent.${kind}`;

/** The name of a product's amount field. */
export const amountFieldName = (productId: string): string => `${amountPrefix}${productId}`;

/** The name of a product's quantity field. */
export const quantityFieldName = (productId: string): string => `${quantityPrefix}${productId}`;

/** The name of the buttons for one unit more or less. */
export const quantityStepName = 'quantity_step';

/** The value of such a button. */
export const stepValue = (productId: string, by: 1 | -1): string => `${productId}:${by}`;

function parseStep(value: string): CheckoutForm['step'] {
  const [productId = '', by] = value.split(':');
  return by === '1' || by === '-1' ? { productId, by: Number(by) } : null;
}

/** The value of the button that chooses a suggested amount. */
export const presetValue = (productId: string, amount: number): string => `${productId}:${amount}`;

function parsePreset(value: string): CheckoutForm['preset'] {
  const [productId = '', typed = ''] = value.split(':');
  const amount = parseMinorUnits(typed);
  return productId === '' || amount === null ? null : { productId, amount };
}

const parseMinorUnits = (digits: string): number | null =>
  /^\d{1,10}$/.test(digits) && Number(digits) <= maxAmount ? Number(digits) : null;

const required: readonly BuyerField[] = ['email', 'name', 'country'];

/** The fields that the buyer cannot change: a known customer's address is the integrator's. */
export const lockedFields = (session: Pick<CheckoutSession, 'customer'>): BuyerField[] =>
  settledEmail(session) === null ? [] : ['email'];

/** The fields as they may be used and kept: normalized, and empty where they are wrong. */
export const validFields = (buyer: BuyerFields): BuyerFields =>
  Object.fromEntries(
    buyerFields.map((field) => {
      const typed = buyer[field];
      return [field, typed === '' ? '' : (buyerLimit(field).safeParse(typed).data ?? '')];
    }),
  ) as BuyerFields;

/** The faults of the fields before any lookup. */
export function buyerFaults(buyer: BuyerFields): FieldFault[] {
  return buyerFields.flatMap((field): FieldFault[] => {
    if (buyer[field] === '') return required.includes(field) ? [{ field, kind: 'missing' }] : [];
    return buyerLimit(field).safeParse(buyer[field]).success ? [] : [{ field, kind: 'invalid' }];
  });
}
