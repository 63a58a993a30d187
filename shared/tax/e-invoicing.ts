import type { Confidence } from './rates/rate-sheet.ts';

/** From when a state wants structured invoices of which sellers, in words that follow "of …". */
interface Phase {
  from: string;
  sellers: string;
}

/** What a state wants instead of a PDF between its own businesses. */
interface EInvoicingDuty {
  /** The form or platform of the invoices. */
  form: string;
  phases: readonly Phase[];
  confidence: Confidence;
  source: string;
}

const own = 'own knowledge';

/** The states in which a PDF is not, or soon is not, the legal invoice between two businesses that are established there. */
const duties: Readonly<Record<string, EInvoicingDuty>> = {
  BE: {
    form: 'a structured invoice over Peppol (BIS Billing 3)',
    phases: [{ from: '2026-01-01', sellers: 'all sellers' }],
    confidence: 'high',
    source: 'clearvo.io/blog/eu-einvoicing-mandates-2026',
  },
  DE: {
    form: 'a structured invoice by EN 16931 (XRechnung or ZUGFeRD)',
    phases: [
      { from: '2027-01-01', sellers: 'sellers with more than €800,000 of turnover in the year before' },
      { from: '2028-01-01', sellers: 'all sellers' },
    ],
    confidence: 'medium',
    source: own,
  },
  FR: {
    form: 'a structured invoice over an approved platform (Factur-X, UBL or CII)',
    phases: [
      { from: '2026-09-01', sellers: 'large and middle-sized sellers' },
      { from: '2027-09-01', sellers: 'all sellers' },
    ],
    confidence: 'medium',
    source: 'solutionbox.cz/en/blog/e-fakturace-povinna-zeme-prehled',
  },
  GR: {
    form: 'a structured invoice over myDATA',
    phases: [{ from: '2026-02-01', sellers: 'large sellers' }],
    confidence: 'low',
    source: own,
  },
  HR: {
    form: 'a structured invoice by EN 16931 (eRačun)',
    phases: [{ from: '2026-01-01', sellers: 'all sellers' }],
    confidence: 'medium',
    source: own,
  },
  IT: {
    form: 'a FatturaPA over the Sistema di Interscambio',
    phases: [{ from: '2019-01-01', sellers: 'all sellers' }],
    confidence: 'medium',
    source: own,
  },
  PL: {
    form: 'a structured invoice in KSeF',
    phases: [
      { from: '2026-02-01', sellers: 'sellers with more than PLN 200 million of turnover' },
      { from: '2026-04-01', sellers: 'all other sellers' },
      { from: '2027-01-01', sellers: 'the smallest sellers' },
    ],
    confidence: 'high',
    source: 'solutionbox.cz/en/blog/e-fakturace-povinna-zeme-prehled',
  },
  RO: {
    form: 'a structured invoice over RO e-Factura',
    phases: [{ from: '2024-07-01', sellers: 'all sellers' }],
    confidence: 'medium',
    source: own,
  },
};

/** The duty of a merchant who is established in a country; undefined where a PDF is a legal invoice. */
export const eInvoicingDutyOf = (country: string): EInvoicingDuty | undefined => duties[country];
