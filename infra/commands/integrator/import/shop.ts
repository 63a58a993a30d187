import type * as z from 'zod';
import { LocalizedPriceInput } from '../../../../shared/wire/catalogue/localized-price.ts';
import { ProductInput } from '../../../../shared/wire/catalogue/product-input.ts';
import { CustomerInput } from '../../../../shared/wire/customers/customer-record.ts';
import { DiscountInput } from '../../../../shared/wire/discounts/discount-input.ts';
import { LicenseKeyInput } from '../../../../shared/wire/entitlements/license-input.ts';
import { faultMessage } from '../../../../shared/wire/fault-message.ts';

/** What is imported, in this order: a later kind may name items of an earlier one. */
export const importKinds = ['product', 'price', 'discount', 'customer', 'licence key'] as const;
export type ImportKind = (typeof importKinds)[number];

/** An item of a shop elsewhere, in the form of our API. */
export interface ShopItem {
  kind: ImportKind;
  /** Its id there. */
  id: string;
  /** Its line, if it comes from a file. */
  line?: number;
  /** The body of the request that creates it, without the ids of other objects. */
  body: Readonly<Record<string, unknown>>;
  /** The ids, there, of the products that it names. */
  products?: readonly string[];
  /** The e-mail address of the customer whose licence key it is. */
  email?: string;
  /** Whether the product is archived there, or the licence key disabled. */
  isEnded?: boolean;
}

/** A sentence about an item of the shop. */
export interface Remark {
  kind: ImportKind;
  id: string;
  line?: number;
  text: string;
}

/** A shop elsewhere, as far as it has a counterpart here. */
export interface ImportedShop {
  /** The name of the system. Each imported object has it in its metadata. */
  source: string;
  items: ShopItem[];
  /** The items that are not imported, with the reason. */
  leftOut: Remark[];
  /** The parts of imported items that are not imported. */
  notes: Remark[];
}

/** Makes a remark about an item. */
export const remarkOn = ({ kind, id, line }: Omit<Remark, 'text'>, text: string): Remark => ({
  kind,
  id,
  ...(line !== undefined && { line }),
  text,
});

const markNames = { source: 'imported_from', id: 'import_id' } as const;

/** The metadata by which a later run recognizes the object. */
export const markOf = (source: string, id: string) => ({ [markNames.source]: source, [markNames.id]: id });

/** The id that an object had in the source; undefined if it does not come from there. */
export function importIdOf(metadata: Readonly<Record<string, unknown>>, source: string): string | undefined {
  return metadata[markNames.source] === source ? String(metadata[markNames.id]) : undefined;
}

const schemas: Readonly<Record<ImportKind, z.ZodType>> = {
  product: ProductInput,
  price: LocalizedPriceInput,
  discount: DiscountInput,
  customer: CustomerInput,
  'licence key': LicenseKeyInput,
};

const someId = (prefix: string): string => `${prefix}_${'0'.repeat(21)}`;
const placeholders = { product_id: someId('pdt'), customer_id: someId('cus') };

/** A field that the API would refuse, and why. */
export interface ImportFault {
  field: string;
  message: string;
}

/** The first field of the item that the API would refuse; undefined if there is none. */
export function importFaultOf({ kind, body }: Pick<ShopItem, 'kind' | 'body'>): ImportFault | undefined {
  const whole = kind === 'licence key' ? { ...body, ...placeholders } : body;
  const [issue] = schemas[kind].safeParse(whole, { error: faultMessage }).error?.issues ?? [];
  return issue && { field: issue.path.join('.'), message: issue.message };
}
