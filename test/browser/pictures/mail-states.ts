import { invitationMail, linkMailer } from '../../../shared/dashboard/members/member-mail.ts';
import { documentMail } from '../../../shared/documents/document-mail.ts';
import type { Document } from '../../../shared/domain/documents/document.ts';
import type { Mail } from '../../../shared/domain/mail.ts';
import type { Locale } from '../../../shared/pages/locale.ts';
import { creditNoteOf, invoiceOf, sale, taxes } from '../../documents/builders.ts';

/** A mail that a buyer or a member can get. */
export interface MailState {
  name: string;
  mail: () => Promise<Mail>;
}

const site = { businessId: 'demo', publicUrl: 'https://pay.example.com' };

/** The logo of the branded mail. */
export const logoUrl = 'https://pay.example.com/images/logo.svg';

export const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96"><circle cx="48" cy="48" r="48" fill="#134e4a"/><path d="M16 60q16-34 32 0q16-34 32 0" stroke="#fde68a" stroke-width="8" fill="none"/></svg>';

const cart = [
  {
    name: 'Field Guide to the Birds of the Northern Forests (PDF and EPUB)',
    unitAmount: 1_999,
    components: taxes.reduced,
  },
  { name: 'Support our work', unitAmount: 1_500, quantity: 2 },
];

const documentState = (name: string, locale: Locale, document: Document): MailState => ({
  name: `mail-${name}-${locale}`,
  mail: async () =>
    documentMail(document, {
      site,
      locale,
      isSandbox: false,
      documentSecret: 'doc_secret',
      offersWithdrawal: true,
      taxIdUrl: document.kind === 'INV' ? `${site.publicUrl}/invoices/payments/pay_1/tax-id?token=t` : undefined,
      from: 'receipts@example.com',
    }),
});

const brand = { color: '#f59e0b', logo: logoUrl, email: 'help@birds.example', url: 'https://birds.example' };
const branded = { ...invoiceOf(sale(cart)), brandName: 'Northern Birds', brand };
const reduced = creditNoteOf(sale(cart), {
  amount: 500,
  publicReason: 'The second volume is late, as agreed by phone.',
});
const huge = { name: 'Донаудампфшифффартсгезелльшафтскапитэн'.repeat(3), unitAmount: 2_147_483_647 };

const member = { id: 'mbr_1', email: 'ada@example.com', role: 'read' } as const;
const dates = { invitedAt: '2026-01-01', inviteEndsAt: '2026-01-08', joinedAt: null };
const frame = { merchant: 'Example Books', from: 'receipts@example.com', publicUrl: site.publicUrl, isSandbox: true };

export const mailStates: readonly MailState[] = [
  documentState('invoice', 'en', branded),
  documentState('invoice', 'ar', branded),
  documentState('invoice', 'he', invoiceOf(sale(cart))),
  documentState('invoice', 'ja', invoiceOf(sale(cart))),
  documentState('invoice-huge', 'de', invoiceOf(sale([huge], { currency: 'IDR' }))),
  documentState('credit-note', 'en', reduced),
  documentState('credit-note', 'ar', reduced),
  { name: 'mail-invitation-en', mail: async () => invitationMail(frame, 'en')({ ...member, ...dates }) },
  {
    name: 'mail-sign-in-fr',
    mail: () =>
      new Promise((resolve, reject) => {
        const keep = async (mail: Mail) => {
          resolve(mail);
          return 'sent' as const;
        };
        linkMailer({ send: keep }, frame, 'fr')({ ...member, ...dates }, 'a'.repeat(43)).catch(reject);
      }),
  },
];
