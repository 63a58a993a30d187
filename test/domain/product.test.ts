import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Price } from '../../shared/domain/catalogue/price.ts';
import {
  archiveProduct,
  changeProduct,
  type NewProduct,
  newProduct,
  Product,
  unarchiveProduct,
} from '../../shared/domain/catalogue/product.ts';

const created = '2026-03-01T12:00:00.000Z';
const later = '2026-03-02T12:00:00.000Z';
const price: Price = { kind: 'fixed', currency: 'EUR', taxInclusive: true, unitAmount: 1_999 };
const fields: NewProduct = {
  name: 'Field Guide',
  description: 'An example.',
  brandId: 'brnd_1',
  price,
  taxCategory: 'e_book',
  metadata: { shelf: 3 },
};
const product = newProduct(fields, { id: 'pdt_1', now: created });
const code = (expected: string) => expect.objectContaining({ code: expected });
const { version: _, updatedAt: __, ...unchanged } = product;

describe('a product', () => {
  it('is on sale when it is created, without an image', () => {
    expect(product).toMatchObject({
      ...fields,
      id: 'pdt_1',
      archived: false,
      image: null,
      createdAt: created,
      updatedAt: created,
    });
    expect(Product.parse(product)).toEqual(product);
  });

  it('is not created with limits that contradict each other', () => {
    const contradiction: Price = {
      kind: 'pay_what_you_want',
      currency: 'EUR',
      taxInclusive: true,
      minimum: 500,
      suggested: 100,
      maximum: null,
    };
    expect(() => newProduct({ ...fields, price: contradiction }, { id: 'pdt_2', now: created })).toThrow(
      code('INVALID_SUGGESTED_PRICE'),
    );
  });
});

describe('a change', () => {
  it('with no field changes only the time of the last change', () => {
    expect(changeProduct(product, {}, later)).toMatchObject({ ...unchanged, updatedAt: later });
  });

  it('keeps whether the price includes tax, unless it says otherwise', () => {
    const terms = { kind: 'fixed', currency: 'USD', unitAmount: 5 } as const;
    expect(changeProduct(product, { price: terms }, later).price).toEqual({ ...terms, taxInclusive: true });
    expect(changeProduct(product, { price: terms, tax: { taxInclusive: false } }, later).price).toEqual({
      ...terms,
      taxInclusive: false,
    });
    expect(changeProduct(product, { tax: { taxInclusive: false } }, later).price).toEqual({
      ...price,
      taxInclusive: false,
    });
    expect(changeProduct(product, { tax: { taxInclusive: true } }, later).price).toEqual(price);
  });

  it('may turn a fixed price into one that buyers choose, with all its limits, and back', () => {
    const terms = { kind: 'pay_what_you_want', currency: 'EUR', minimum: 1, suggested: null, maximum: null } as const;
    const open = changeProduct(product, { price: terms }, later);
    expect(open.price).toEqual({ ...terms, taxInclusive: true });
    expect(changeProduct(open, { price: { kind: 'fixed', currency: 'EUR', unitAmount: 1_999 } }, later).price).toEqual(
      price,
    );
  });

  it('is refused when it makes the limits contradict each other', () => {
    const terms = { kind: 'pay_what_you_want', currency: 'EUR', minimum: 500, suggested: null, maximum: 499 } as const;
    expect(() => changeProduct(product, { price: terms }, later)).toThrow(code('INVALID_MAXIMUM_PRICE'));
  });

  it('changes exactly the fields that it contains', () => {
    const change = fc.record(
      {
        name: fc.string(),
        description: fc.string(),
        taxCategory: fc.constantFrom('saas' as const, 'edtech' as const),
        metadata: fc.constant({ a: 1 }),
        image: fc.string(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(change, (named) => {
        expect(changeProduct(product, named, later)).toMatchObject({ ...unchanged, ...named, createdAt: created });
      }),
    );
  });

  it('returns a new product and does not alter the old one', () => {
    const before = structuredClone(product);
    changeProduct(product, { name: 'Other', tax: { taxInclusive: false } }, later);
    expect(product).toEqual(before);
  });
});

describe('an archived product', () => {
  const archived = archiveProduct(product, later);

  it('keeps all its data, but is not on sale', () => {
    expect(archived).toMatchObject({ ...unchanged, archived: true, updatedAt: later });
  });

  it('can neither be changed nor be archived again', () => {
    expect(() => changeProduct(archived, { name: 'Other' }, later)).toThrow(code('PRODUCT_IS_DELETED'));
    expect(() => archiveProduct(archived, later)).toThrow(code('PRODUCT_IS_DELETED'));
  });

  it('can be put back on sale, while a product on sale stays unchanged', () => {
    expect(unarchiveProduct(archived, later)).toMatchObject({ ...unchanged, archived: false });
    expect(unarchiveProduct(product, later)).toBe(product);
  });
});
