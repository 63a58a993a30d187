import type { ReliefWording } from '../domain/documents/document.ts';
import { unionCountries } from '../domain/places/union-countries.ts';
import type { Jurisdiction } from './places/jurisdiction.ts';
import { locatePlace, placeCode } from './places/resolve-place.ts';
import { vatCountryOf } from './places/tax-areas.ts';
import { earlierFact } from './rates/earlier-fact.ts';
import type { BusinessLine, BusinessMode, Confidence } from './rates/rate-sheet.ts';
import { tableVersion } from './rates/table-version.ts';

/** The rule of a place for its businesses, with sources like those of the rate sheets. */
interface BusinessRule {
  mode: BusinessMode;
  /** The words that a document shows if the buyer owes the tax. */
  wording: ReliefWording;
  confidence: Confidence;
  /** Keys of `sources`. */
  sources: readonly string[];
  note?: string | undefined;
}

const none = { kind: 'none' } as const;
const reverseCharge = { kind: 'reverse_charge' } as const;
const withPhrase = (phrase: string) => ({ kind: 'reverse_charge', phrase }) as const;

/**
 * The rule of the member states: art. 44 and 196 of the VAT Directive. It also applies with a local VAT number or
 * OSS.
 */
const union: BusinessLine = ['relieved', reverseCharge, 'high', 'directive-2006-112', 'art. 44, 196, 226(11a)'];

// biome-ignore format: one place per line
const lines: Readonly<Record<string, BusinessLine>> = {
  DE: ['relieved', withPhrase('Steuerschuldnerschaft des Leistungsempfängers'), 'high', 'directive-2006-112', 'art. 44, 196, 226(11a)'],
  FR: ['relieved', withPhrase('Autoliquidation'), 'high', 'directive-2006-112', 'art. 44, 196, 226(11a)'],
  GB: ['relieved', reverseCharge, 'high', 'own-knowledge'],
  CH: ['charged', none, 'high', 'vat-consulting-ch fiscal-ch hadjivangeli-ch', 'no reverse charge for a registered foreign supplier; the number is printed'],
  LI: ['charged', none, 'medium', 'vatcalc-li', 'one VAT territory with CH'],
  NO: ['relieved', none, 'high', 'skatteetaten-voec bdo-no', 'business sales are not in VOEC; the number with MVA is stated'],
  IS: ['relieved', reverseCharge, 'medium', 'avalara-is vatcompliance-is', 'simplified scheme; full registration to be confirmed'],
  AU: ['relieved', { kind: 'gst_registered' }, 'high', 'ato-gst ato-non-resident', 'the buyer gives its ABN and says that it is registered for GST'],
  NZ: ['relieved', none, 'high', 'ird-remote taxpolicy-nz', 'unless the seller opts to zero-rate, which is 0 % too'],
  CA: ['by_scheme', none, 'high', 'ryan-ca canada-gst', 'simplified: not charged with a GST/HST number; standard: charged'],
  'CA-QC': ['by_scheme', none, 'high', 'bdo-ca revenuquebec-outside', 'specified: not charged with a QST number; general: charged'],
  'CA-BC': ['charged', none, 'medium', 'rlb-pst', 'relief only for resale, by PST number or certificate'],
  'CA-MB': ['charged', none, 'medium', 'rlb-pst', 'relief only for resale, by RST number or certificate'],
  'CA-SK': ['charged', none, 'medium', 'rlb-pst', 'relief only for resale, by PST number or certificate'],
  IN: ['relieved', { kind: 'payable_under_reverse_charge' }, 'high', 'kpmg-in cleartax-in', 'except registrations for TDS only; listed in GSTR-5A'],
  JP: ['charged', none, 'high', 'shinagawa-jp 1stopvat-jp', 'a service open to anybody is taxed for businesses too; a T number relieves nothing'],
  KR: ['relieved', none, 'medium', 'bloomberg-asia'],
  TW: ['relieved', none, 'high', 'etax-tw vatupdate-tw'],
  TH: ['relieved', none, 'high', 'avalara-th', 'sellers under VES issue no tax invoice'],
  SG: ['relieved', none, 'high', 'crowe-sg bdo-sg'],
  MY: ['charged', none, 'high', 'globalcompliance-my', 'the buyer is then freed of its own reverse charge'],
  ID: ['charged', none, 'high', 'insightin-id vatcalc-b2b', 'the buyer with an NPWP may credit it'],
  PH: ['relieved', none, 'medium', 'reyes-ph kpmg-ph', 'buyers in business withhold 12 %'],
  VN: ['relieved', none, 'medium', 'jungil-vn ey-vn', 'buyers on the credit method withhold'],
  AE: ['relieved', reverseCharge, 'medium', 'pinsent-gulf'],
  SA: ['relieved', reverseCharge, 'high', 'orbitax-sa'],
  BH: ['relieved', reverseCharge, 'medium', 'baker-gulf'],
  OM: ['relieved', reverseCharge, 'medium', 'baker-gulf'],
  EG: ['relieved', none, 'low', 'own-knowledge'],
  TR: ['relieved', none, 'high', 'vatupdate-tr vatcalc-tr', 'the buyer files VAT-2'],
  IL: ['charged', none, 'low', 'own-knowledge', 'no scheme for foreign sellers; a full registration charges'],
  ZA: ['charged', none, 'high', 'rsm-za ey-za', 'relieved only if all customers are vendors: then the seller deregisters'],
  KE: ['charged', none, 'high', 'pwc-ke aln-ke'],
  NG: ['charged', none, 'high', 'lawglobalhub-ng pwc-ng'],
  GH: ['charged', none, 'low', 'own-knowledge', 'registered importers self-assess, but Act 1151 was not read'],
  TZ: ['relieved', none, 'low', 'own-knowledge', 'the Finance Acts point to withholding by the buyer'],
  CL: ['relieved', none, 'high', 'bdo-cl avalara-cl'],
  CO: ['relieved', none, 'medium', 'thomson-co', 'buyers responsible for IVA withhold'],
  PE: ['relieved', none, 'medium', 'regfollower-pe vatcalc-pe'],
  MX: ['charged', none, 'high', 'bpm-mx ey-mx'],
  UY: ['charged', none, 'low', 'vatcalc-b2b'],
  AR: ['no_seller_scheme', none, 'high', 'ey-ar', 'card issuers collect from consumers, businesses self-assess'],
  BR: ['no_seller_scheme', none, 'high', 'vatupdate-br', 'no scheme before 2027'],
  CN: ['no_seller_scheme', none, 'high', 'avalara-cn'],
  RS: ['charged', none, 'medium', 'fonoa-rs tasic-rs', 'registered through a tax proxy'],
  UA: ['relieved', none, 'medium', 'taxlawgazette-cis', 'unregistered sole traders are consumers'],
  KZ: ['relieved', none, 'medium', 'taxlawgazette-cis gratanet-kz'],
  GE: ['relieved', none, 'medium', 'orbitax-ge'],
  RU: ['relieved', none, 'high', 'kbk-ru seamless-ru', 'since 2022-10-01 buyers are tax agents'],
  US: ['charged', none, 'high', 'own-knowledge', 'relief by exemption certificate'],
};

/** The rule of all other countries: businesses are charged like consumers. */
const charged: BusinessLine = ['charged', none, 'low', 'own-knowledge', 'not listed'];

/**
 * The rule for businesses in the place where a tax is registered: `{country: 'CA', region: 'QC'}` for the QST.
 * @param version the table to read; for an unknown version, the current table is read
 */
export function businessRuleOf(
  { country, region }: Pick<Jurisdiction, 'country' | 'region'>,
  version: string = tableVersion,
): BusinessRule {
  const regional = region === undefined ? undefined : lineAt(placeCode(country, region), version);
  const [mode, wording, confidence, sources, note] = regional ?? lineOf(country, version);
  return { mode, wording, confidence, sources: sources.split(' '), note };
}

/**
 * The words that a document shows if the business owes the tax. If the law charges the business, but the merchant's
 * registration does not, they are the general words.
 */
export function reliefWordingOf(place: { country: string }): ReliefWording {
  const { mode, wording } = businessRuleOf({ country: locatePlace(place).country, region: undefined });
  return mode === 'charged' ? reverseCharge : wording;
}

/** The rule in the line of a place. `EU` means the member states of the Union. */
const lineAt = (place: string, version: string): BusinessLine | undefined =>
  earlierFact(version, ({ businesses }) => businesses?.[place]) ?? (place === 'EU' ? union : lines[place]);

function lineOf(country: string, version: string): BusinessLine {
  const vatCountry = vatCountryOf(country);
  const places = [country, vatCountry, ...(unionCountries.has(vatCountry) ? ['EU'] : [])];
  return places.map((place) => lineAt(place, version)).find((line) => line !== undefined) ?? charged;
}

/** The rules by place. `EU` means the member states of the Union. */
export const businessRules = (version: string = tableVersion): ReadonlyMap<string, BusinessRule> =>
  new Map([
    ['EU', businessRuleOf({ country: 'IE', region: undefined }, version)],
    ...Object.keys(lines).map((place): [string, BusinessRule] => {
      const [country = '', region] = place.split('-');
      return [place, businessRuleOf({ country, region }, version)];
    }),
  ]);
