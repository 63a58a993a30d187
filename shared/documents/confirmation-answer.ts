import type { Document } from '../domain/documents/document.ts';
import { DomainError } from '../domain/errors.ts';
import type { Confirmation } from '../domain/withdrawal/confirmation.ts';
import { offersWithdrawal, type WithdrawalSettings } from '../domain/withdrawal/withdrawal-settings.ts';
import type { Locale } from '../pages/locale.ts';
import { safeSection } from '../pages/mail/mail-words.ts';
import { confirmationTranslator } from '../texts/texts.ts';
import type { OpenedDocument } from '../use-cases/documents/get-document.ts';
import { type LoadConfirmationDeps, loadConfirmation } from '../use-cases/withdrawal/load-confirmation.ts';
import type { Confirm } from './confirmation-sections.ts';
import {
  type Asking,
  fileAddress,
  formatOf,
  localeOf,
  type Rendering,
  shownAnswer,
  withdrawUrlIn,
} from './document-responses.ts';
import { type DocumentView, documentView } from './document-view.ts';

interface FindConfirmationDeps extends LoadConfirmationDeps {
  brands: LoadConfirmationDeps['brands'] & { get: () => Promise<{ withdrawal?: WithdrawalSettings | undefined }> };
  isSandbox: boolean;
  /** Writes the long texts below the order. They are the same as in the mail of the purchase. */
  confirm: Confirm;
}

/**
 * Finds the confirmation of a sale. The result is a function that shows it in a language. Undefined if the sale is not
 * confirmed.
 */
export type FindConfirmation = (opened: OpenedDocument) => Promise<((locale: Locale) => DocumentView) | undefined>;

/** Finds the parts of a confirmation: the invoice of the sale as it was issued, and the texts below it. */
export const confirmationFinder =
  (deps: FindConfirmationDeps): FindConfirmation =>
  async ({ document, payment }) => {
    if (!payment || !offersWithdrawal(await deps.brands.get())) return undefined;
    const confirmation = await loadConfirmation(deps, payment);
    return confirmation && ((locale) => confirmationView(deps, document, confirmation, locale));
  };

const confirmationView = (
  { confirm, isSandbox }: FindConfirmationDeps,
  document: Document,
  confirmation: Confirmation,
  locale: Locale,
): DocumentView => ({
  ...documentView(document, { locale, isSandbox }),
  kind: confirmationTranslator(locale)('title'),
  sections: confirm(document, confirmation, locale).map(safeSection),
});

/**
 * The confirmation of a contract with a consumer, as a page or as a PDF (Directive 2011/83/EU, art. 8(7)).
 * @throws DomainError if the sale has none, or if the request wants JSON or XML
 */
export async function confirmationAnswer(
  find: ((locale: Locale) => DocumentView) | undefined,
  asking: Asking,
  { renderPdf, site }: Pick<Rendering, 'renderPdf' | 'site'>,
) {
  if (!find) throw new DomainError('NOT_FOUND', 'This sale has no confirmation: it is none to a consumer.');
  const format = formatOf(asking);
  if (format === 'json' || format === 'xml')
    throw new DomainError('NOT_FOUND', 'A confirmation is a PDF or a page. Its payment has its data as JSON.');
  const view = find(localeOf(asking));
  const pdf = fileAddress(asking, { which: 'confirmation=true', format: 'pdf', lang: view.locale });
  const addresses = async () => ({ pdf, xml: null, withdrawUrl: withdrawUrlIn(site, view.locale) });
  return shownAnswer(view, asking, { name: `confirmation-${view.number}`, addresses, renderPdf });
}
