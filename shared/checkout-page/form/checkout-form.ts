import { type CheckoutSession, settledEmail } from '../../domain/checkout/checkout-session.ts';
import {
  type ConsentKind,
  consentKinds,
  type SupplyConsentKind,
  supplyConsentKinds,
} from '../../domain/checkout/consent.ts';
import { maxAmount } from '../../domain/money/money.ts';
import { buyerLimit } from '../../wire/buyer.ts';
import { type CodeEntry, parseCodeEntry } from './code-entry.ts';

export const maxFormBytes = 64 * 1024;

/** The fields about the buyer, as the form names them. */
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

/** The posted form of the checkout page, as typed. Only its structure is checked. */
export interface CheckoutForm {
  token: string;
  /**
   * The purpose of the request: to pay, to show the new total, or to show it while the buyer is still typing. The
   * address of the request decides.
   */
  action: 'update' | 'refresh' | 'pay';
  /** The language to which the buyer switches. */
  switchTo: string;
  /** The total that the page displayed; null if it displayed none. */
  expectedTotal: number | null;
  /** The total that the buyer had typed when the page was displayed; null if none, or on a page of version 0.2.0. */
  shownTyped: number | null;
  buyer: BuyerFields;
  card: string;
  /** Chosen amounts per unit as typed, by product. */
  amounts: ReadonlyMap<string, string>;
  /** Quantities as typed, by product. */
  quantities: ReadonlyMap<string, string>;
  /** The pressed button for one unit more or one unit less. */
  step: { productId: string; by: number } | null;
  /** The boxes that the buyer ticked to agree. */
  consents: readonly ConsentKind[];
  /** The boxes that the buyer ticked to request an early supply. */
  requests: readonly SupplyConsentKind[];
  /** An identifier of the label on the Pay button. Empty on a page of version 0.2.0. */
  label: string;
  code: CodeEntry;
  /**
   * The currency that the buyer chose. The next field is the page's currency when it was displayed. Both are empty if
   * there is no choice.
   */
  currency: string;
  shownCurrency: string;
  /** The pressed button of a suggested amount. */
  preset: { productId: string; amount: number } | null;
}

export interface FieldFault {
  field: BuyerField | 'card';
  kind: 'missing' | 'invalid';
}

const amountPrefix = 'amount.';
const quantityPrefix = 'quantity.';

export const currencyFields = { chosen: 'currency', shown: 'shown_currency' } as const;

/** Reads `application/x-www-form-urlencoded`. Of a repeated field, one value is used. Unknown fields are ignored. */
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
    shownTyped: parseMinorUnits(field('typed_total')),
    buyer: Object.fromEntries(buyerFields.map((name) => [name, field(name)])) as BuyerFields,
    card: field('card'),
    amounts: byProduct(amountPrefix),
    quantities: byProduct(quantityPrefix),
    step: parseStep(field(quantityStepName)),
    consents: consentKinds.filter((kind) => field(consentFieldName(kind)) !== ''),
    requests: supplyConsentKinds.filter((kind) => field(consentFieldName(kind)) !== ''),
    label: field('label'),
    code: parseCodeEntry(field),
    currency: field(currencyFields.chosen),
    shownCurrency: field(currencyFields.shown),
    preset: parsePreset(field('preset')),
  };
}

/** The name of a consent's checkbox. */
export const consentFieldName = (kind: ConsentKind | SupplyConsentKind): string => `consent.${kind}`;

/** The name of a product's amount field. */
export const amountFieldName = (productId: string): string => `${amountPrefix}${productId}`;

/** The name of a product's quantity field. */
export const quantityFieldName = (productId: string): string => `${quantityPrefix}${productId}`;

/** The name of the buttons for one unit more and one unit less. */
export const quantityStepName = 'quantity_step';

/** The value of a button for one unit more or one unit less: the product and `1` or `-1`. */
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

/** The fields that the buyer cannot change. If the integrator has named a customer, this is the e-mail address. */
export const lockedFields = (session: Pick<CheckoutSession, 'customer'>): BuyerField[] =>
  settledEmail(session) === null ? [] : ['email'];

/** The fields that can be used and stored. They are normalized, and empty if they are invalid. */
export const validFields = (buyer: BuyerFields): BuyerFields =>
  Object.fromEntries(
    buyerFields.map((field) => {
      const typed = buyer[field];
      return [field, typed === '' ? '' : (buyerLimit(field).safeParse(typed).data ?? '')];
    }),
  ) as BuyerFields;

/** The errors of the fields that can be checked without reading anything. */
export function buyerFaults(buyer: BuyerFields): FieldFault[] {
  return buyerFields.flatMap((field): FieldFault[] => {
    if (buyer[field] === '') return required.includes(field) ? [{ field, kind: 'missing' }] : [];
    return buyerLimit(field).safeParse(buyer[field]).success ? [] : [{ field, kind: 'invalid' }];
  });
}
