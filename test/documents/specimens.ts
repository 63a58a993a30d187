import type { Document } from '../../shared/domain/documents/document.ts';
import { sellerOf } from '../../shared/domain/documents/document-frame.ts';
import { Merchant } from '../../shared/domain/merchant.ts';
import type { Locale } from '../../shared/pages/locale.ts';
import { creditNoteOf, invoiceOf, merchant, rescissionOf, sale, taxes } from './builders.ts';
import { tenDocuments } from './ten-documents.ts';

export interface Specimen {
  name: string;
  locale: Locale;
  document: Document;
}

const place = (country: string, fields: object = {}) => ({
  country,
  state: null,
  city: null,
  street: null,
  zipcode: null,
  ...fields,
});

const person = (name: string) => ({ id: 'cus_1', email: 'buyer@example.com', name, phone: null });

const canadian = Merchant.parse({
  ...merchant,
  name: 'Librairie du Fleuve',
  country: 'CA',
  region: 'QC',
  taxId: '123456789 RT0001',
  address: ['Librairie du Fleuve', '1 rue Saint-Paul', 'Montréal QC H2Y 1G7', 'Canada'],
});

const quebecSeller = sellerOf({ ...canadian, region: undefined }, [
  { country: 'CA', region: 'QC', scheme: 'standard', taxId: '1234567890 TQ0001' },
]);

const french = {
  id: 'FR40303265045',
  country: 'FR',
  status: 'valid' as const,
  formatName: 'EU VAT',
  checkedAt: '2026-03-01T12:00:00.000Z',
};

const longName =
  'The Complete, Unabridged and Thoroughly Annotated Field Guide to Everything That Crawls, Flies, Swims or Merely Sits There Looking Back at You, Volume One of Twelve, with an Index, 2,400 Plates, and Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen';

// biome-ignore lint/suspicious/noTemplateCurlyInString: it is what somebody may type
export const hostileName = '<script>alert(1)</script>"><img src=x onerror=alert(1)> & {{7*7}} ${7*7}';

const twoLines = [
  { name: 'Field Guide (e-book)', unitAmount: 1_999, components: taxes.reduced },
  { name: 'Support our work', unitAmount: 1_500, quantity: 2 },
];

/** One of each thing that a document can look like. */
export const specimens: readonly Specimen[] = [
  ...tenDocuments,
  ...(['ko', 'th', 'zh', 'zh-TW', 'ar', 'he'] as const).map((locale) => ({
    name: `two-rates-${locale}`,
    locale,
    document: invoiceOf(
      sale(twoLines, { billing: place('DE', { city: 'Köln', street: 'Domkloster 4', zipcode: '50667' }) }),
    ),
  })),
  {
    name: 'credit-note-ar',
    locale: 'ar',
    document: creditNoteOf(sale(twoLines), { amount: 500, publicReason: 'أُعيد الكتاب (Field Guide) في 3 مايو.' }),
  },
  { name: 'german-two-rates', locale: 'de', document: invoiceOf(sale(twoLines)) },
  {
    name: 'quebec-two-taxes',
    locale: 'fr',
    document: invoiceOf(
      sale([{ name: 'Guide de terrain', unitAmount: 10_000, taxInclusive: false, components: taxes.quebec }], {
        currency: 'CAD',
        billing: place('CA', { state: 'QC', city: 'Montréal', street: '12 avenue du Parc', zipcode: 'H2W 1S4' }),
        customer: person('Gabrielle Côté-Bélanger'),
      }),
      quebecSeller,
    ),
  },
  {
    name: 'reverse-charge',
    locale: 'en',
    document: invoiceOf(
      sale([{ name: 'Team licence', unitAmount: 49_900, quantity: 3, components: taxes.reverseCharge }], {
        billing: place('FR', { city: 'Lyon', street: '3 rue de la République', zipcode: '69001' }),
        taxId: french,
        businessName: 'Éditions du Rhône SARL',
      }),
    ),
  },
  {
    name: 'zero-rated',
    locale: 'en',
    document: invoiceOf(
      sale([{ name: 'Field Guide (e-book)', unitAmount: 1_299, components: taxes.zeroRated }], {
        currency: 'GBP',
        billing: place('GB', { city: 'Leeds', street: '5 Mill Lane', zipcode: 'LS1 4AP' }),
      }),
    ),
  },
  {
    name: 'not-collecting',
    locale: 'en',
    document: invoiceOf(sale([{ name: 'Field Guide', unitAmount: 1_999, components: taxes.notCollecting }])),
  },
  {
    name: 'exempt',
    locale: 'pt',
    document: invoiceOf(
      sale([{ name: 'Guia de campo', unitAmount: 4_990, components: taxes.exempt }], {
        currency: 'BRL',
        billing: place('BR', { state: 'SP', city: 'São Paulo', zipcode: '01310-100' }),
      }),
    ),
  },
  {
    name: 'texas-part-of-the-price',
    locale: 'en',
    document: invoiceOf(
      sale([{ name: 'Cloud notebook', unitAmount: 2_999, taxInclusive: false, components: taxes.texas }], {
        currency: 'USD',
        billing: place('US', { state: 'TX', city: 'Austin', street: '100 Congress Ave', zipcode: '78701' }),
      }),
    ),
  },
  {
    name: 'yen-in-japanese',
    locale: 'ja',
    document: invoiceOf(
      sale([{ name: '野鳥観察ハンドブック 電子版', unitAmount: 1_000, components: taxes.japanese }], {
        currency: 'JPY',
        billing: place('JP', { city: '渋谷区', street: '神宮前1-2-3', zipcode: '150-0001' }),
        customer: person('髙橋 直子'),
      }),
    ),
  },
  {
    name: 'dinar-three-decimals',
    locale: 'en',
    document: invoiceOf(
      sale([{ name: 'Course', unitAmount: 12_345, components: taxes.kuwaiti }], {
        currency: 'KWD',
        billing: place('KW'),
        customer: person('محمد علي الصباح'),
      }),
    ),
  },
  {
    name: 'names-of-the-world',
    locale: 'sv',
    document: invoiceOf(
      sale(
        [
          { name: 'Ελληνικά, Кириллица, Tiếng Việt, Zażółć gęślą jaźń', unitAmount: 1_000 },
          { name: '张伟的摄影课程 · 繁體中文 · 한국어 강의', unitAmount: 1_000 },
          { name: 'דרך הים (מהדורה 2) – 50 % off', unitAmount: 1_000 },
          { name: 'ไทย · नमस्ते · ქართული · አማርኛ · தமிழ்', unitAmount: 1_000 },
          { name: '🎸 Guitar 👩‍💻 ❤️ 🇩🇪 course', unitAmount: 1_000 },
          { name: hostileName, unitAmount: 1_000 },
        ],
        { customer: person('محمد علي (Abu Omar) 123') },
      ),
    ),
  },
  {
    name: 'twenty-lines-long-names',
    locale: 'en',
    document: invoiceOf(
      sale(
        Array.from({ length: 20 }, (_, index) => ({
          name: index % 4 === 0 ? `${index + 1}. ${longName}` : `Lesson ${index + 1}`,
          unitAmount: 1_000 + 37 * index,
          quantity: (index % 3) + 1,
          components: index % 2 === 0 ? taxes.german : taxes.reduced,
        })),
        { customer: person('Maximiliane Wilhelmine Friederike von und zu Hohenlohe-Waldenburg-Schillingsfürst') },
      ),
    ),
  },
  {
    name: 'credit-note-part',
    locale: 'it',
    document: creditNoteOf(sale(twoLines), { amount: 2_500, publicReason: 'Reso parziale concordato per e-mail' }),
  },
  { name: 'rescission', locale: 'sv', document: rescissionOf(sale(twoLines)).rescission },
  { name: 'reinstatement', locale: 'pt', document: rescissionOf(sale(twoLines)).reinstatement },
  { name: 'credit-note-tax-only', locale: 'nl', document: creditNoteOf(sale(twoLines), { type: 'tax' }) },
  {
    name: 'huge-rupiah',
    locale: 'pl',
    document: invoiceOf(sale([{ name: 'Kurs', unitAmount: 2_147_483_647 }], { currency: 'IDR', billing: place('ID') })),
  },
];

/** The first specimen of each language. Together they need every typeface. */
export const specimensOfLanguages: readonly Specimen[] = specimens.filter(
  ({ locale }, index) => specimens.findIndex((one) => one.locale === locale) === index,
);
