import type { Confidence } from './rates/rate-sheet.ts';

/** The sellers to which a duty applies. The dashboard has a name for each group. */
type Sellers = 'all' | 'over800k' | 'largeAndMiddle' | 'large' | 'over200m' | 'others' | 'smallest';

/** When a country begins to require structured invoices, and from which sellers. */
interface Phase {
  from: string;
  sellers: Sellers;
}

/** The form of invoice that a country requires between its own businesses instead of a PDF. */
interface EInvoicingDuty {
  /** The country whose form or platform must be used. The dashboard has a name for each. */
  form: 'BE' | 'DE' | 'FR' | 'GR' | 'HR' | 'IT' | 'PL' | 'RO';
  phases: readonly Phase[];
  confidence: Confidence;
  source: string;
}

const own = 'own knowledge';

/**
 * The countries in which a PDF is not, or soon will not be, a legal invoice between two businesses that are
 * established there.
 */
const duties: Readonly<Record<string, EInvoicingDuty>> = {
  BE: {
    form: 'BE',
    phases: [{ from: '2026-01-01', sellers: 'all' }],
    confidence: 'high',
    source: 'clearvo.io/blog/eu-einvoicing-mandates-2026',
  },
  DE: {
    form: 'DE',
    phases: [
      { from: '2027-01-01', sellers: 'over800k' },
      { from: '2028-01-01', sellers: 'all' },
    ],
    confidence: 'medium',
    source: own,
  },
  FR: {
    form: 'FR',
    phases: [
      { from: '2026-09-01', sellers: 'largeAndMiddle' },
      { from: '2027-09-01', sellers: 'all' },
    ],
    confidence: 'medium',
    source: 'solutionbox.cz/en/blog/e-fakturace-povinna-zeme-prehled',
  },
  GR: {
    form: 'GR',
    phases: [{ from: '2026-02-01', sellers: 'large' }],
    confidence: 'low',
    source: own,
  },
  HR: {
    form: 'HR',
    phases: [{ from: '2026-01-01', sellers: 'all' }],
    confidence: 'medium',
    source: own,
  },
  IT: {
    form: 'IT',
    phases: [{ from: '2019-01-01', sellers: 'all' }],
    confidence: 'medium',
    source: own,
  },
  PL: {
    form: 'PL',
    phases: [
      { from: '2026-02-01', sellers: 'over200m' },
      { from: '2026-04-01', sellers: 'others' },
      { from: '2027-01-01', sellers: 'smallest' },
    ],
    confidence: 'high',
    source: 'solutionbox.cz/en/blog/e-fakturace-povinna-zeme-prehled',
  },
  RO: {
    form: 'RO',
    phases: [{ from: '2024-07-01', sellers: 'all' }],
    confidence: 'medium',
    source: own,
  },
};

/** The duty of a merchant who is established in a country; undefined if a PDF is a legal invoice there. */
export const eInvoicingDutyOf = (country: string): EInvoicingDuty | undefined => duties[country];
