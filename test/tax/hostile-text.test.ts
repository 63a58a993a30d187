import { describe, expect, it } from 'vitest';
import { findRegion } from '../../shared/tax/places/regions.ts';
import { checkTaxIdFormat } from '../../shared/tax/tax-ids/tax-id.ts';
import { growthOf, linear } from '../support/cpu.ts';
import { hostileUnits, repeated } from '../support/wire/hostile.ts';

const shapes = Object.entries({ ...hostileUnits, 'a tax id': 'DE123456789', 'a letter and a digit': 'A1' });

describe('text that the tax rules read', () => {
  it.each(shapes)('takes time in proportion to its length as a region: %s', async (_, unit) => {
    for (const country of ['US', 'CA', 'IN'])
      expect(
        await growthOf(
          (size) => `Q${repeated(unit, size)}`,
          (text) => findRegion(country, text),
          30_000,
        ),
      ).toBeLessThan(linear);
  });

  it.each(shapes)('takes time in proportion to its length as a tax id: %s', async (_, unit) => {
    for (const country of ['DE', 'GB', 'US'])
      expect(
        await growthOf(
          (size) => repeated(unit, size),
          (text) => checkTaxIdFormat(text, country),
          30_000,
        ),
      ).toBeLessThan(linear);
  });

  it('is refused if it is too long for a tax id, and only its beginning is stored in the result', () => {
    const { status, id } = checkTaxIdFormat('1'.repeat(100_000), 'US');
    expect({ status, isShort: id.length < 100 }).toEqual({ status: 'invalid', isShort: true });
  });
});
