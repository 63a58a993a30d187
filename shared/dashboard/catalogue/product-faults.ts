import { changeProduct, newProduct, type Product } from '../../domain/catalogue/product.ts';
import { type CreateProductDeps, taxAt } from '../../use-cases/catalogue/create-product.ts';
import { ProductChangeInput, ProductInput } from '../../wire/catalogue/product-input.ts';
import { parseInput } from '../../wire/parse.ts';
import { isCorrectable } from '../dashboard.ts';
import type { Filled } from '../entries.ts';
import type { FormFault } from '../parts.ts';
import { productFaults, productJson } from './product-entries.ts';

type JudgeDeps = Pick<CreateProductDeps, 'now' | 'primaryBrandId' | 'taxCustom'>;

const example = { name: 'Example', description: 'Example', tax_category: 'digital_products' };

interface Sent {
  product: Product | null;
  filled: Filled;
  chosen: Promise<unknown>;
}

/**
 * Everything that is wrong with a form, as far as it can be told without the store: what cannot be read, what the
 * schema refuses, the rules between fields, and the image. Rules between fields are about the price. They are checked
 * only if all other fields are right, so an example stands in for these.
 */
export async function faultsIn(deps: JudgeDeps, { product, filled, chosen }: Sent): Promise<FormFault[]> {
  const { json, faults } = productJson(filled);
  const priced = { ...example, price: json['price'], tax_inclusive: json['tax_inclusive'] };
  const refused = async (act: () => unknown) => {
    try {
      await act();
      return [];
    } catch (error) {
      if (isCorrectable(error)) return productFaults(error, filled);
      throw error;
    }
  };
  return withoutRepeats([
    ...(await refused(() => parseInput(ProductInput, json))),
    ...faults,
    ...(await refused(() => judge(deps, product, priced))),
    ...(await refused(() => chosen)),
  ]);
}

/** Refuses what no product may be, and what this one may not become. */
function judge(deps: JudgeDeps, product: Product | null, json: object): void {
  const now = deps.now().toISOString();
  if (!product) return void productFrom(deps, json, now);
  const { taxAnchor, entitlements: _, ...change } = parseInput(ProductChangeInput, json);
  const tax = taxAt(taxAnchor, deps.taxCustom);
  changeProduct(product, tax ? { ...change, tax } : change, now);
}

/** The product that a body describes, before it is saved. */
export function productFrom(deps: JudgeDeps, json: object, now: string): Product {
  const { taxAnchor, ...input } = { ...parseInput(ProductInput, json), brandId: deps.primaryBrandId };
  const price = { ...input.price, ...taxAt(taxAnchor, deps.taxCustom) };
  return newProduct({ ...input, price }, { id: 'example', now });
}

/** The first fault of each field. */
const withoutRepeats = (faults: readonly FormFault[]): FormFault[] =>
  faults.filter(({ field }, index) => faults.findIndex((one) => one.field === field) === index);
