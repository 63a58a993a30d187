import { describe, expect, it } from 'vitest';
import {
  type BuyerFields,
  buyerFaults,
  buyerFields,
  parseCheckoutForm,
} from '../../shared/checkout-page/form/checkout-form.ts';

const buyer = (fields: Partial<BuyerFields> = {}): BuyerFields => ({
  ...(Object.fromEntries(buyerFields.map((field) => [field, ''])) as BuyerFields),
  email: 'ada@example.com',
  name: 'Ada',
  country: 'DE',
  ...fields,
});

describe('reading the form', () => {
  it('keeps every field as it was typed, without spaces at its ends', () => {
    const form = parseCheckoutForm(
      'token=t&expected_total=1999&email=+ada%40example.com+&name=%C3%89va+N&country=DE&card=4242424242424242&amount.pdt_1=1.234%2C56',
      'pay',
    );
    expect(form).toMatchObject({
      token: 't',
      action: 'pay',
      expectedTotal: 1_999,
      card: '4242424242424242',
    });
    expect(form.buyer).toMatchObject({ email: 'ada@example.com', name: 'Éva N', country: 'DE', region: '' });
    expect([...form.amounts]).toEqual([['pdt_1', '1.234,56']]);
  });

  it('gives an empty form for an empty body', () => {
    const form = parseCheckoutForm('', 'update');
    expect(form).toMatchObject({ token: '', action: 'update', expectedTotal: null, card: '', preset: null });
    expect(Object.values(form.buyer).join('')).toBe('');
  });

  it.each(['pay', 'update', 'refresh'] as const)(
    'reads the action from the URL that the form was sent to, not from its fields: %s',
    (action) => {
      for (const said of ['pay', 'update', 'refresh', 'delete', ''])
        expect(parseCheckoutForm(`action=${said}`, action).action).toBe(action);
    },
  );

  it.each(['', '-1', '1.5', '1e3', '0x10', ' ', '99999999999', '2147483648', 'NaN', '１９'])(
    'reads the text %j as “no expected total”',
    (typed) => {
      expect(parseCheckoutForm(`expected_total=${encodeURIComponent(typed)}`, 'pay').expectedTotal).toBeNull();
    },
  );

  it.each([
    ['pdt_1:1500', { productId: 'pdt_1', amount: 1_500 }],
    ['pdt_1:', null],
    [':1500', null],
    ['pdt_1:15.00', null],
    ['pdt_1:-1', null],
    ['', null],
  ])('reads the pressed button %j as %j', (value, preset) => {
    expect(parseCheckoutForm(`preset=${encodeURIComponent(value)}`, 'update').preset).toEqual(preset);
  });

  it('reads only the last value of a field that was sent twice', () => {
    expect(parseCheckoutForm('email=a&email=b', 'update').buyer.email).toBe('b');
  });

  it('reads a body that is not a form without an error', () => {
    for (const body of ['{"a":1}', '%', '%E0%A4%A', '=&=&', '\0\u{FFFF}', 'a'.repeat(60_000)])
      expect(parseCheckoutForm(body, 'update')).toMatchObject({ token: '', expectedTotal: null, preset: null });
  });
});

describe('the check of the fields', () => {
  it('accepts valid entries in all fields', () => {
    expect(
      buyerFaults(buyer({ postal_code: '35037', tax_id: 'DE136695976', business_name: 'Ada GmbH & Co. KG' })),
    ).toEqual([]);
  });

  it('lists all missing fields', () => {
    expect(buyerFaults(buyer({ email: '', name: '', country: '' }))).toEqual([
      { field: 'email', kind: 'missing' },
      { field: 'name', kind: 'missing' },
      { field: 'country', kind: 'missing' },
    ]);
  });

  it.each<[keyof BuyerFields, string]>([
    ['email', 'ada'],
    ['email', 'ada@'],
    ['email', `${'a'.repeat(250)}@example.com`],
    ['email', 'ada@example.com\u0000'],
    ['name', 'a'.repeat(251)],
    ['name', 'Ada\u202Egnirts'],
    ['name', 'Ada \u0007'],
    ['country', 'Germany'],
    ['country', 'de'],
    ['region', 'a'.repeat(101)],
    ['postal_code', '1'.repeat(21)],
    ['street', 'a'.repeat(201)],
    ['city', 'a'.repeat(101)],
    ['tax_id', 'A'.repeat(41)],
    ['business_name', 'a'.repeat(251)],
  ])('refuses %s %j', (field, value) => {
    expect(buyerFaults(buyer({ [field]: value }))).toEqual([{ field, kind: 'invalid' }]);
  });

  it.each(buyerFields.filter((field) => !['country', 'email', 'tax_id'].includes(field)))(
    'refuses a card number in %s',
    (field) => {
      for (const number of ['4242424242424242', '4242 4242 4242 4242', '5555-5555-5555-4444'])
        expect(buyerFaults(buyer({ [field]: number }))).toEqual([{ field, kind: 'invalid' }]);
    },
  );
});
