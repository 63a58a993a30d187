import type { Document, Seller, SellerTaxId } from '../../domain/documents/document.ts';
import type { VatBreakdown } from '../../domain/documents/vat-breakdown.ts';
import { withoutParts } from '../../domain/places/address-lines.ts';
import { printedOnce } from '../../domain/places/legal-name.ts';
import { countryName } from '../../pages/format.ts';
import { locales } from '../../pages/locale.ts';
import { element, textElement, textIf, type XmlElement } from './xml.ts';

/** Whether the document is outside the scope of the tax. Then the standard forbids VAT ids of the parties. */
const isOutOfScope = ({ subtotals }: VatBreakdown): boolean => subtotals.some(({ code }) => code === 'O');

/** The seller as BG-4 of the standard: its tax id, name and brand, and its printed address. */
export function ublSeller(document: Document, breakdown: VatBreakdown, businessId: string): XmlElement {
  const { seller, brandName } = document;
  const { name, address } = printedOnce(seller.name, seller.address);
  const taxId = mainTaxId(document);
  const isVatId = taxId !== undefined && !isOutOfScope(breakdown) && hasPrefix(taxId.id, taxId.country);
  return element('cac:AccountingSupplierParty', [
    element('cac:Party', [
      endpoint(seller.email),
      element('cac:PartyIdentification', [textElement('cbc:ID', businessId)]),
      brandName !== name && element('cac:PartyName', [textElement('cbc:Name', brandName)]),
      sellerAddress(address, seller),
      taxId !== undefined && taxScheme(taxId.id, isVatId ? 'VAT' : 'TAX'),
      element('cac:PartyLegalEntity', [textElement('cbc:RegistrationName', name)]),
      seller.email !== null && element('cac:Contact', [textElement('cbc:ElectronicMail', seller.email)]),
    ]),
  ]);
}

/** The buyer as BG-7 of the standard. An id without a country prefix is a registration number, not a VAT id. */
export function ublBuyer({ buyer }: Document, breakdown: VatBreakdown): XmlElement {
  const { taxId, address } = buyer;
  const isVatId = taxId !== null && !isOutOfScope(breakdown) && hasPrefix(taxId.id, address.country);
  return element('cac:AccountingCustomerParty', [
    element('cac:Party', [
      endpoint(buyer.email),
      element('cac:PostalAddress', [
        textIf('cbc:StreetName', address.street),
        textIf('cbc:CityName', address.city),
        textIf('cbc:PostalZone', address.zipcode),
        textIf('cbc:CountrySubentity', address.state),
        country(address.country),
      ]),
      taxId && isVatId && taxScheme(compact(taxId.id), 'VAT'),
      element('cac:PartyLegalEntity', [
        textElement('cbc:RegistrationName', buyer.businessName || buyer.name || buyer.email),
        taxId && !isVatId && textElement('cbc:CompanyID', taxId.id),
      ]),
      buyer.businessName !== null &&
        element('cac:Contact', [textIf('cbc:Name', buyer.name), textElement('cbc:ElectronicMail', buyer.email)]),
    ]),
  ]);
}

/** The seller's tax id for the taxes of a document. If there is none, it is the seller's default tax id. */
function mainTaxId({ seller, lines }: Document): SellerTaxId | undefined {
  const taxed = lines.flatMap(({ components }) =>
    components.flatMap(({ reason, jurisdiction }) => (reason ? [] : jurisdiction)),
  );
  const ids = seller.taxIds;
  return (
    ids.find(({ country: at, region }) => taxed.includes(region ? `${at}-${region}` : at)) ??
    ids.find(({ scheme }) => scheme === 'oss' && taxed.length > 0) ??
    ids.find(({ scheme }) => scheme === null) ??
    ids[0]
  );
}

/** A VAT id without spaces and points, as in the standard's lists. */
const compact = (id: string): string => id.replace(/[\s.]/g, '').toUpperCase();

/** Prefixes of VAT ids that differ from the country's code. */
const prefixes: Readonly<Record<string, readonly string[]>> = { GR: ['EL'], GB: ['XI'], MC: ['FR'], IM: ['GB'] };

const hasPrefix = (id: string, at: string): boolean =>
  [at, ...(prefixes[at] ?? [])].some((prefix) => compact(id).startsWith(prefix));

const endpoint = (email: string | null) => email !== null && textElement('cbc:EndpointID', email, { schemeID: 'EM' });

const taxScheme = (id: string, scheme: 'VAT' | 'TAX'): XmlElement =>
  element('cac:PartyTaxScheme', [
    textElement('cbc:CompanyID', scheme === 'VAT' ? compact(id) : id),
    element('cac:TaxScheme', [textElement('cbc:ID', scheme)]),
  ]);

/**
 * The seller's address, without its name. The merchant's file may name city and postal code. Then the lines without
 * them are the street, and the line of the country is left out. Otherwise the printed lines are used, because which one
 * is the city is not known.
 */
function sellerAddress(address: readonly string[], { city, postalCode, country: at }: Seller): XmlElement {
  const named = [city, postalCode].filter((part) => part !== undefined);
  const isStreet = (line: string): boolean => named.length === 0 || !isCountry(line, at);
  const [first, second, ...rest] = withoutParts(address.filter(isStreet), named).filter(isStreet);
  return element('cac:PostalAddress', [
    textIf('cbc:StreetName', first),
    textIf('cbc:AdditionalStreetName', second),
    textIf('cbc:CityName', city),
    textIf('cbc:PostalZone', postalCode),
    rest.length > 0 && element('cac:AddressLine', [textElement('cbc:Line', rest.join(', '))]),
    country(at),
  ]);
}

/** Whether a line of an address is the name of its country, in a language of buyers. */
const isCountry = (line: string, code: string): boolean =>
  locales.some((locale) => countryName(code, locale).toLowerCase() === line.trim().toLowerCase());

/** A country. The standard's code list has `1A` for Kosovo. */
const country = (code: string): XmlElement =>
  element('cac:Country', [textElement('cbc:IdentificationCode', code === 'XK' ? '1A' : code)]);
