import { checkVAT, countries as vatCountries } from 'jsvat';
import { describe, expect, it } from 'vitest';
import { buyerCountries } from '../../../shared/tax/places/countries.ts';
import { assertTaxId, checkTaxIdFormat, taxIdExample } from '../../../shared/tax/tax-ids/tax-id.ts';

describe('a tax id with a valid format', () => {
  it.each([
    ['DE136695976', 'DE', 'DE136695976', 'EU VAT'],
    ['de 136.695-976', 'DE', 'DE136695976', 'EU VAT'],
    ['136695976', 'DE', 'DE136695976', 'EU VAT'],
    ['FR83404833048', 'FR', 'FR83404833048', 'EU VAT'],
    ['B58378431', 'ES', 'ESB58378431', 'EU VAT'],
    ['U33864707', 'AT', 'ATU33864707', 'EU VAT'],
    ['IE6388047V', 'IE', 'IE6388047V', 'EU VAT'],
    ['EL094259216', 'GR', 'EL094259216', 'EU VAT'],
    ['GR094259216', 'GR', 'EL094259216', 'EU VAT'],
    ['094259216', 'GR', 'EL094259216', 'EU VAT'],
    ['BE0403505251', 'BE', 'BE0403505251', 'EU VAT'],
    ['BE1001231327', 'BE', 'BE1001231327', 'EU VAT'], // numbers with 1 are issued since 2023: 97 − 10012313 mod 97 = 27
    ['FR83404833048', 'MC', 'FR83404833048', 'EU VAT'],
    ['FR83404833048', 'GP', 'FR83404833048', 'EU VAT'],
    ['GB980780684', 'GB', 'GB980780684', 'GB VAT'],
    ['XI980780684', 'GB', 'GB980780684', 'GB VAT'],
    ['XI980780684', 'XI', 'GB980780684', 'GB VAT'],
    ['NO923609016MVA', 'NO', 'NO923609016MVA', 'NO VAT'],
    ['923 609 016 MVA', 'NO', 'NO923609016MVA', 'NO VAT'],
    ['CHE-116.281.710 MWST', 'CH', 'CHE116281710MWST', 'CH VAT'],
    ['M90312345X', 'SG', 'M90312345X', 'SG GST'],
    ['200000000000003', 'BH', '200000000000003', 'BH TRN'],
    ['OM1100000000', 'OM', 'OM1100000000', 'OM VAT'],
    ['100-123-456', 'TZ', '100123456', 'TZ TIN'],
    ['T5835678256246', 'JP', 'T5835678256246', 'JP registration number'],
    ['80012345-6', 'PY', '800123456', 'Tax ID'],
  ])('%s in %s is %s, and unverified until a register confirms it', (written, country, id, formatName) => {
    expect(checkTaxIdFormat(written, country)).toEqual({ id, country, status: 'unverified', formatName });
  });
});

describe('a tax id with an invalid format', () => {
  it.each([
    ['with a wrong check digit', 'DE136695977', 'DE'],
    ['with a wrong check digit, without its prefix', '136695977', 'DE'],
    ['with a wrong Belgian check number', 'BE1001231328', 'BE'],
    ['with a digit too few', 'FR8340483304', 'FR'],
    ['when it is empty', '', 'DE'],
    ['when it is not a number', 'OTHER', 'AU'],
    ['of another country', 'FR83404833048', 'DE'],
    ['of another country, even if it looks French', 'GR094259216', 'FR'],
    ['of Northern Ireland in the Union', 'XI980780684', 'IE'],
    ['of a member state in Australia', 'DE136695976', 'AU'],
    ['of a member state in the United States', 'DE136695976', 'US'],
    ['that jsvat knows, of a country that has no rule here', 'NO923609016MVA', 'SE'],
  ])('is refused %s', (_, written, country) => {
    const check = checkTaxIdFormat(written, country);
    expect(check.status).toBe('invalid');
    expect(() => assertTaxId(check)).toThrow(
      expect.objectContaining({
        code: 'INVALID_TAX_ID',
        details: { faults: [expect.objectContaining({ path: 'tax_id' })] },
      }),
    );
  });
});

it('a sale accepts a tax id with a valid format, even if it is unverified', () => {
  expect(() => assertTaxId(checkTaxIdFormat('DE136695976', 'DE'))).not.toThrow();
});

it('every country whose ids have a known form has an example of that form', () => {
  const checked = ['AU', 'CA', 'IN', 'JP', 'NZ', 'TW'];
  for (const country of buyerCountries) {
    const example = taxIdExample(country);
    const { formatName, status } = checkTaxIdFormat(example ?? '12345X', country);
    const isVat = formatName.endsWith(' VAT') && country !== 'OM' && country !== 'SA' && country !== 'UA';
    if (example === undefined) expect(status).toBe(formatName === 'EU VAT' ? 'never' : 'unverified');
    else if (isVat) expect(checkVAT(example, vatCountries).isValidFormat, country).toBe(true);
    else expect([country, status]).toEqual([country, checked.includes(country) ? 'invalid' : 'unverified']);
  }
});
