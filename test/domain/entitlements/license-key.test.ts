import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  activated,
  deactivated,
  expiryOf,
  keyBytes,
  keyHashOf,
  keyStatusOf,
  keyText,
  maskedKey,
  mostActivations,
  newImportedKey,
  storedTextsOf,
} from '../../../shared/domain/entitlements/license-key.ts';

const bytes = fc.uint8Array({ minLength: keyBytes, maxLength: keyBytes });
const now = '2026-01-31T12:00:00.000Z';
const aKey = newImportedKey(
  {
    id: 'lic_1',
    key: 'a',
    productId: 'pdt_1',
    customerId: 'cus_1',
    brandId: 'brnd_1',
    activationsLimit: 1,
    expiresAt: null,
  },
  now,
);

describe('a licence key that the shop makes', () => {
  it('has five groups of five characters, without letters that look like digits', () => {
    fc.assert(
      fc.property(bytes, (random) => {
        expect(keyText(random)).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){4}[0-9A-HJKMNP-TV-Z]{5}$/);
      }),
    );
  });

  it('uses 125 random bits, and ignores the three highest bits of the bytes', () => {
    const zero = new Uint8Array(keyBytes);
    const one = (bit: number) => zero.map((_, index) => (index === keyBytes - 1 - (bit >> 3) ? 1 << (bit & 7) : 0));
    const texts = Array.from({ length: 128 }, (_, bit) => keyText(one(bit)));
    expect(new Set(texts.slice(0, 125)).size).toBe(125);
    expect(new Set(texts.slice(125))).toEqual(new Set([keyText(zero)]));
  });

  it('cannot be made from too few random bytes', () => {
    expect(() => keyText(new Uint8Array(keyBytes - 1))).toThrow(RangeError);
  });

  it('is found in any letter case and spacing, and when I, L and O are typed for 1, 1 and 0', () => {
    fc.assert(
      fc.property(bytes, fc.infiniteStream(fc.boolean()), (random, dice) => {
        const key = keyText(random);
        const typed = [...key.replaceAll('-', ' ')]
          .map((sign) => (dice.next().value ? sign.toLowerCase() : sign))
          .map((sign) => (dice.next().value ? sign.replace('1', 'l').replace('0', 'o') : sign))
          .join('');
        expect(storedTextsOf(typed)).toContain(key);
      }),
    );
  });

  it('has another hash than any other key', () => {
    expect(keyHashOf('a')).not.toBe(keyHashOf('b'));
  });
});

describe('an imported licence key', () => {
  it.each(['abc-DEF', 'AAAAA-BBBBB-CCCCC-DDDDD', ' x '])(
    'is found only if it is typed exactly as imported: %j',
    (entered) => {
      expect(storedTextsOf(entered)).toEqual([entered]);
    },
  );
});

describe('the masked licence key', () => {
  it.each([
    ['AAAAA-BBBBB-CCCCC-DDDDD-EFGHJ', '••••FGHJ'],
    ['12345678', '••••78'],
    ['abc', '••••'],
  ])('shows at most a quarter of %s, and at most four characters', (key, shown) => {
    expect(maskedKey(key)).toBe(shown);
  });
});

describe('the expiry of a licence key', () => {
  it.each([
    [null, null],
    [{ count: 10, unit: 'Day' }, '2026-02-10T12:00:00.000Z'],
    [{ count: 2, unit: 'Week' }, '2026-02-14T12:00:00.000Z'],
    [{ count: 1, unit: 'Month' }, '2026-02-28T12:00:00.000Z'], // February has no 31st
    [{ count: 14, unit: 'Month' }, '2027-03-31T12:00:00.000Z'],
    [{ count: 1, unit: 'Year' }, '2027-01-31T12:00:00.000Z'],
  ] as const)('with the validity %j from 31 January 2026 is %s', (validity, end) => {
    expect(expiryOf({ validity }, now)).toBe(end);
  });
});

describe('the status of a licence key', () => {
  it.each([
    [{ isDisabled: false, expiresAt: null }, true, 'active'],
    [{ isDisabled: true, expiresAt: null }, true, 'disabled'],
    [{ isDisabled: false, expiresAt: null }, false, 'disabled'],
    [{ isDisabled: false, expiresAt: now }, true, 'expired'],
    [{ isDisabled: false, expiresAt: '2026-01-31T12:00:00.001Z' }, true, 'active'],
  ] as const)('with %j and access %s is %s', (key, hasAccess, status) => {
    expect(keyStatusOf(key, { hasAccess, now })).toBe(status);
  });
});

describe('the activations of a licence key', () => {
  it('are refused above the limit of the key', () => {
    const once = activated(aKey, now);
    expect(once.activations).toBe(1);
    expect(() => activated(once, now)).toThrowError(expect.objectContaining({ code: 'LICENSE_KEY_LIMIT_REACHED' }));
    expect(activated(deactivated(once, now), now).activations).toBe(1);
  });

  it('are unlimited in number if the key has no limit', () => {
    expect(activated({ ...aKey, activationsLimit: null, activations: 1_000 }, now).activations).toBe(1_001);
  });
});

describe('the number of activations of a key', () => {
  const onDevices = (activations: number, activationsLimit: number | null) => ({
    ...aKey,
    activations,
    activationsLimit,
  });

  it('ends at a general limit even without a limit of the key, and the merchant can set a higher one', () => {
    expect(activated(onDevices(mostActivations - 1, null), now).activations).toBe(mostActivations);
    expect(() => activated(onDevices(mostActivations, null), now)).toThrow(/10000 of 10000 devices.*higher limit/);
    expect(activated(onDevices(mostActivations, mostActivations + 1), now).activations).toBe(mostActivations + 1);
  });

  it('never loses the first time, the last time and the count of all activations', () => {
    const later = '2026-02-01T12:00:00.000Z';
    const used = activated(deactivated(activated(aKey, now), now), later);
    expect([used.activations, used.uses]).toEqual([1, { firstAt: now, lastAt: later, count: 2 }]);
  });
});
